package dev.avocet.bench.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** mqttbench as a process. */
final class AgentProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;
    private String address = "";

    private AgentProcess(Process process) {
        this.process = process;
        lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /** An agent that listens. */
    static AgentProcess agent(String host, Path secret) throws IOException {
        AgentProcess agent = start(List.of("agent", "--listen=" + host + ":0", "--secret-file=" + secret));
        String line = agent.awaitLine(" listens on ");
        agent.address = host + line.substring(line.lastIndexOf(':'));
        return agent;
    }

    static AgentProcess start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(arguments);
        return new AgentProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    String address() {
        return address;
    }

    String awaitLine(String part) throws IOException {
        String line = lines.readLine();
        while (line != null && !line.contains(part)) {
            line = lines.readLine();
        }
        assertThat(line).as("a line with %s", part).isNotNull();
        return line;
    }

    /** As if its machine stood still. */
    void stall() {
        signal("STOP");
        // The signal is sent; each thread stops when it sees it.
        while (!state().contains("T")) {
            Thread.onSpinWait();
        }
    }

    void resume() {
        signal("CONT");
    }

    private String state() {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "status"), StandardCharsets.UTF_8)
                    .replaceFirst("(?s).*\nState:\\s*(\\S).*", "$1");
        } catch (IOException gone) {
            return "T";
        }
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("/bin/kill", "-s", name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException unable) {
            throw new IllegalStateException(unable);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Ends it as Ctrl-C does; but a shell has what it starts in the background ignore that signal, and all that such a
     * process starts.
     */
    void interrupt() {
        signal("TERM");
    }

    /** Reads what it prints until it has ended. */
    void awaitEnd() throws IOException {
        lines.transferTo(Writer.nullWriter());
        process.onExit().join();
    }

    /** As {@code kill -9} does; returns when it has ended. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
