package dev.avocet.server.jms;

import dev.avocet.server.Main;
import dev.avocet.testkit.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A broker in a process of its own, which is killed with SIGKILL and started again over the same files, at the same
 * port.
 */
final class KilledBroker implements AutoCloseable {
    private final Path directory;
    private final int port;
    private Process process;

    KilledBroker(Path directory) throws IOException {
        this.directory = directory;
        port = FreePort.next();
        start();
    }

    int port() {
        return port;
    }

    String url() {
        return "avocet://127.0.0.1:" + port;
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Returns when it is ready. */
    void start() {
        Path log = directory.resolve("broker.log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (flag.startsWith("--add-") || flag.startsWith("--enable-native") || flag.startsWith("--sun-misc")) {
                command.add(flag); // what Chronicle Queue and Netty need
            }
        }
        command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-Dio.netty.noUnsafe=false"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("--data", directory.resolve("data").toString()));
        command.addAll(List.of("--endpoint", "127.0.0.1:" + port, "--admin", "off", "--store", "sync"));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            awaitReady(process.inputReader(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitReady(BufferedReader output, Path log) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith("ready")) {
                return;
            }
        }
        throw new AssertionError("the broker did not start: " + Files.readString(log));
    }

    @Override
    public void close() {
        kill();
    }
}
