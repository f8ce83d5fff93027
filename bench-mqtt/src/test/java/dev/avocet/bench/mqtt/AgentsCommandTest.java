package dev.avocet.bench.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.mqtt.engine.Brokers;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of the command line that mean more than one run, or more than its plan, with agents. */
@InTurn
final class AgentsCommandTest {
    private final List<Thread> agents = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    private Path secret;
    private TestBroker broker;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        secret = folder.resolve("secret");
        Files.writeString(secret, "a secret of enough bytes\n", StandardCharsets.UTF_8);
        broker = Brokers.start();
        startAgent("127.0.0.2");
        startAgent("127.0.0.3");
    }

    @AfterEach
    void stop() {
        agents.forEach(Thread::interrupt);
        broker.close();
    }

    @Test
    void shouldRepeatARun() {
        run("--rate=100", "--repeat=3");

        assertThat(out.toString().split("\nclients   3 connected", -1)).hasSize(1 + 3);
    }

    /** No rate keeps the limit of latency, so it looks lower and lower. */
    @Test
    void shouldLookForTheHighestRate() {
        run("--rate=1000", "--find-max", "--max-mean=0.000001");

        assertThat(out.toString())
                .contains("--- 1000 messages/s: FAILED", "--- 500 messages/s: FAILED", "--- 125 messages/s: FAILED");
    }

    @Test
    void shouldTakeCommands() throws IOException {
        Path commands = folder.resolve("commands");
        Files.writeString(commands, "rate=300\nstat\nal\nlse\nuptime\n", StandardCharsets.UTF_8);

        run("--rate=0.001", "--duration=0.7", "--command-pipe=" + commands);

        assertThat(out.toString()).contains("\nnothing\n", " s\n", "latency         samples");
        assertThat(out.toString()).doesNotContain("messages  0 sent").contains(" 0 lost, 0 doubled");
    }

    private void run(String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--agents=" + String.join(",", addresses),
                "--secret-file=" + secret,
                "--target=127.0.0.1:" + broker.port(),
                "--producers=2",
                "--consumers=1",
                "--warm-up=0",
                "--duration=0.2",
                "--interval=0.1",
                "--threads=1",
                "--no-prompt",
                "--min-rate-percent=0",
                "--max-busy-percent=100000",
                "--max-own-pause-ms=0"));
        arguments.addAll(List.of(options));
        PrintWriter writer = new PrintWriter(out, true);
        int exitCode = Main.execute(arguments, writer, writer);
        assertThat(exitCode).as(out.toString()).isNotEqualTo(2);
    }

    private void startAgent(String host) throws InterruptedException {
        StringWriter said = new StringWriter();
        CountDownLatch isListening = new CountDownLatch(1);
        PrintWriter writer = new PrintWriter(said) {
            @Override
            public void flush() {
                super.flush();
                isListening.countDown();
            }
        };
        Thread agent = new Thread(() ->
                Main.execute(List.of("agent", "--listen=" + host + ":0", "--secret-file=" + secret), writer, writer));
        agent.setDaemon(true);
        agent.start();
        agents.add(agent);
        assertThat(isListening.await(60, TimeUnit.SECONDS)).isTrue();
        addresses.add(host + said.toString().strip().replaceFirst(".*:", ":"));
    }
}
