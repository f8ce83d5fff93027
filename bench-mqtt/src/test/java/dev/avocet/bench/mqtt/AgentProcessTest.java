package dev.avocet.bench.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.avocet.bench.mqtt.engine.Brokers;
import dev.avocet.bench.option.ExitCode;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are processes, each on a loopback address of its own, and a controller that is mostly this one. */
@InTurn
final class AgentProcessTest {
    private static final List<String> HOSTS = List.of("127.0.0.2", "127.0.0.3");

    /** Of all tests, which do not kill the first one. */
    private static final List<AgentProcess> AGENTS = new ArrayList<>();

    @SuppressWarnings("NonFinalStaticField") // JUnit sets it
    @TempDir
    private static Path folder;

    private final StringWriter out = new StringWriter();
    private final Path secret = folder.resolve("secret");
    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(secret, "a secret of enough bytes\n", StandardCharsets.UTF_8);
        broker = Brokers.start();
        AGENTS.removeIf(agent -> !agent.isAlive());
        for (String host : HOSTS.subList(AGENTS.size(), HOSTS.size())) {
            AGENTS.add(AgentProcess.agent(host, secret));
        }
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @AfterAll
    static void stopAgents() {
        AGENTS.forEach(AgentProcess::close);
        AGENTS.clear();
    }

    @Test
    void shouldBeInvalidWhenAnAgentIsKilled() {
        // when the second one is killed as soon as there are figures of both
        int exitCode = run(whenMeasuring(() -> AGENTS.get(1).kill()), "--duration=100");

        // then
        assertThat(exitCode).isEqualTo(ExitCode.INVALID);
        assertThat(out.toString())
                .contains("INVALID  options", "agent " + AGENTS.get(1).address() + " was lost ", " at measure: ")
                .contains("what the others saw");
    }

    @Test
    void shouldBeInvalidWhenAnAgentStandsStillAndTakeItAgainLater() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/status")), "no signals are known here");

        // when
        int exitCode = run(whenMeasuring(() -> AGENTS.get(1).stall()), "--duration=100");

        // then
        assertThat(exitCode).isEqualTo(ExitCode.INVALID);
        assertThat(out.toString())
                .contains("agent " + AGENTS.get(1).address() + " was lost ", ": nothing was heard of it for 10.0 s");

        // and when it runs again it ends what it had and does the next
        AGENTS.get(1).resume();
        assertDoARunTogether();
    }

    @Test
    void shouldDoTheNextRunWhenAControllerIsKilled() throws IOException {
        // given a controller that is killed in mid-run
        List<String> arguments = arguments("--duration=100");
        try (AgentProcess controller = AgentProcess.start(arguments)) {
            controller.awaitLine(" measure ");
        }

        // then
        assertDoARunTogether();
    }

    private void assertDoARunTogether() {
        out.getBuffer().setLength(0);
        run(new PrintWriter(out, true), "--duration=0.5");
        assertThat(out.toString())
                .contains("clients   6 connected", " 0 lost, 0 doubled, 0 out of order, 0 corrupt")
                .contains("message ");
    }

    private int run(PrintWriter to, String duration) {
        return Main.execute(arguments(duration), to, to);
    }

    private List<String> arguments(String duration) {
        return List.of(
                "run",
                "--agents=" + AGENTS.get(0).address() + "," + AGENTS.get(1).address(),
                "--secret-file=" + secret,
                "--target=127.0.0.1:" + broker.port(),
                "--producers=4",
                "--consumers=2",
                "--rate=300",
                "--warm-up=0",
                "--interval=0.2",
                "--threads=1",
                "--min-rate-percent=0",
                "--max-busy-percent=100000",
                "--max-own-pause-ms=0",
                duration);
    }

    /** Does something when the first line about measuring is written. */
    private PrintWriter whenMeasuring(Runnable action) {
        return new PrintWriter(new ActingWriter(out, action), true);
    }

    private static final class ActingWriter extends Writer {
        private final Writer to;
        private final Runnable action;
        private boolean isDone;

        ActingWriter(Writer to, Runnable action) {
            this.to = to;
            this.action = action;
        }

        @Override
        public void write(char[] text, int offset, int length) throws IOException {
            to.write(text, offset, length);
            if (!isDone && to.toString().contains("measure ")) {
                isDone = true;
                action.run();
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
}
