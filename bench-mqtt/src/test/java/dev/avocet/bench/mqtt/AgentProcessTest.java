package dev.avocet.bench.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.mqtt.engine.Brokers;
import dev.avocet.bench.option.ExitCode;
import dev.avocet.testkit.TestBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are processes, each on a loopback address of its own, and a controller that is this one. */
final class AgentProcessTest {
    private final List<Process> agents = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    private Path secret;

    @BeforeEach
    void writeSecret() throws IOException {
        secret = folder.resolve("secret");
        Files.writeString(secret, "a secret of enough bytes\n", StandardCharsets.UTF_8);
    }

    @AfterEach
    void stop() {
        agents.forEach(Process::destroyForcibly);
    }

    @Test
    void shouldDoARunTogether() throws IOException {
        try (TestBroker broker = Brokers.start()) {
            startAgent("127.0.0.2");
            startAgent("127.0.0.3");

            run(new PrintWriter(out, true), broker.port(), "--producers=3", "--consumers=2", "--duration=1");

            assertThat(out.toString())
                    .contains("clients   5 connected", " 0 lost, 0 doubled, 0 out of order, 0 corrupt")
                    .contains("message ");
        }
    }

    @Test
    void shouldBeInvalidWhenAnAgentIsKilled() throws IOException {
        try (TestBroker broker = Brokers.start()) {
            startAgent("127.0.0.2");
            startAgent("127.0.0.3");

            // when the second one is killed as soon as there are figures of both
            PrintWriter killing = new PrintWriter(new KillingWriter(out, agents.get(1)), true);
            int exitCode = run(killing, broker.port(), "--producers=4", "--consumers=2", "--duration=100");

            // then
            assertThat(exitCode).isEqualTo(ExitCode.INVALID);
            assertThat(out.toString())
                    .contains("INVALID  options", "agent " + addresses.get(1) + " was lost ", " at measure: ")
                    .contains("what the others saw");
        }
    }

    /** Kills a process when the first line about measuring is written. */
    private static final class KillingWriter extends Writer {
        private final Writer to;
        private final Process victim;

        KillingWriter(Writer to, Process victim) {
            this.to = to;
            this.victim = victim;
        }

        @Override
        public void write(char[] text, int offset, int length) throws IOException {
            to.write(text, offset, length);
            if (to.toString().contains("measure ")) {
                victim.destroyForcibly();
            }
        }

        @Override
        public void flush() throws IOException {
            to.flush();
        }

        @Override
        public void close() throws IOException {
            to.close();
        }
    }

    private int run(PrintWriter to, int port, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--agents=" + String.join(",", addresses),
                "--secret-file=" + secret,
                "--target=127.0.0.1:" + port,
                "--rate=300",
                "--warm-up=0",
                "--interval=0.2",
                "--threads=1",
                "--max-busy-percent=100000",
                "--max-own-pause-ms=0"));
        arguments.addAll(List.of(options));
        return Main.execute(arguments, to, to);
    }

    private void startAgent(String host) throws IOException {
        Process agent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "agent",
                        "--listen=" + host + ":0",
                        "--secret-file=" + secret)
                .redirectErrorStream(true)
                .start();
        agents.add(agent);
        BufferedReader lines = agent.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        while (line != null && !line.contains(" listens on ")) {
            line = lines.readLine();
        }
        assertThat(line).isNotNull();
        addresses.add(host + line.substring(line.lastIndexOf(':')));
    }
}
