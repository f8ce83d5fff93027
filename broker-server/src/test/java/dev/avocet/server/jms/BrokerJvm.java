package dev.avocet.server.jms;

import dev.avocet.server.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker with a store in a JVM of its own; closing it kills it, as kill -9 does. */
final class BrokerJvm implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("listening on \\S+:(\\d+) for mqtt.*");
    private static final String CONFIGURATION = """
            {"endpoints": [{"port": 0}], "admin": {"enabled": false},
             "store": {"mode": "sync", "journal": "file"}}
            """;

    private final Process process;
    private final int port;

    private BrokerJvm(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns when it is ready. */
    static BrokerJvm start(Path directory) throws IOException {
        Path config = Files.writeString(directory.resolve("broker.json"), CONFIGURATION);
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--config",
                        config.toString(),
                        "--data",
                        directory.resolve("data").toString()))
                .redirectErrorStream(true)
                .start();
        return new BrokerJvm(process, awaitPort(process));
    }

    private static int awaitPort(Process process) throws IOException {
        int port = 0;
        List<String> lines = new ArrayList<>();
        BufferedReader output = process.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            Matcher matcher = PORT.matcher(line);
            if (matcher.matches()) {
                port = Integer.parseInt(matcher.group(1));
            } else if (line.startsWith("ready")) {
                return port;
            }
        }
        throw new AssertionError("the broker ended before it was ready; it printed " + lines);
    }

    String url() {
        return "avocet://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
