package dev.avocet.server.scale;

import dev.avocet.server.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker in a JVM of its own, started as the launcher does it; closing it kills it. */
final class BrokerProcess implements AutoCloseable {
    private static final Path JAVA_BIN = Path.of(System.getProperty("java.home"), "bin");
    private static final Pattern PORT = Pattern.compile("listening on \\S+:(\\d+) for mqtt.*");
    private static final Pattern HISTOGRAM_TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final int FEATURE_WITH_UNSAFE_OFF = 24;

    private final Process process;
    private final Path log;
    private final int port;

    private BrokerProcess(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    /**
     * Starts a broker and returns when it is ready.
     *
     * @param directory for its configuration, its data and what it prints on standard error
     * @param configuration JSON; without endpoints there is one, on a port of its own
     * @param jvmFlags such as {@code -Xmx64m}
     */
    static BrokerProcess start(Path directory, String configuration, String... jvmFlags) throws IOException {
        Path config = Files.writeString(directory.resolve("broker.json"), configuration);
        Path log = directory.resolve("broker.log");
        List<String> command = new ArrayList<>();
        command.add(JAVA_BIN.resolve("java").toString());
        command.addAll(List.of(jvmFlags));
        if (Runtime.version().feature() >= FEATURE_WITH_UNSAFE_OFF) {
            command.add("-Dio.netty.noUnsafe=false");
            command.add("--sun-misc-unsafe-memory-access=allow");
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-Dio.netty.allocator.type=pooled", "-Davocet.home=" + directory));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(
                "--config",
                config.toString(),
                "--data",
                directory.resolve("data").toString()));
        if (!configuration.contains("\"endpoints\"")) {
            command.addAll(List.of("--endpoint", "127.0.0.1:0"));
        }
        command.addAll(List.of("--admin", "off", "--store", "memory"));
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        return new BrokerProcess(process, log, awaitPort(process, log));
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has logged so far. */
    String log() throws IOException {
        return Files.readString(log);
    }

    /** Heap in use after a full collection, in bytes. */
    long liveHeapBytes() throws IOException {
        return Long.parseLong(find(HISTOGRAM_TOTAL, histogram()));
    }

    /** Objects of each class after a full collection, as {@code jcmd} prints them. */
    String histogram() throws IOException {
        return outputOf(JAVA_BIN.resolve("jcmd").toString(), Long.toString(process.pid()), "GC.class_histogram");
    }

    /** Memory of the process, in bytes. */
    long residentBytes() throws IOException {
        return Long.parseLong(
                        find(RESIDENT, Files.readString(Path.of("/proc", Long.toString(process.pid()), "status"))))
                << 10;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }

    private static int awaitPort(Process process, Path log) throws IOException {
        BufferedReader reader = process.inputReader();
        int port = 0;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            Matcher matcher = PORT.matcher(line);
            if (matcher.matches()) {
                port = Integer.parseInt(matcher.group(1));
            } else if (line.startsWith("ready")) {
                return port;
            }
        }
        throw new AssertionError("the broker did not start: " + Files.readString(log));
    }

    private static String outputOf(String... command) throws IOException {
        Process run =
                new ProcessBuilder(command).redirectError(new File("/dev/null")).start();
        try (BufferedReader reader = run.inputReader()) {
            return String.join("\n", reader.lines().toList());
        }
    }

    private static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("no " + pattern + " in: " + text);
        }
        return matcher.group(1);
    }
}
