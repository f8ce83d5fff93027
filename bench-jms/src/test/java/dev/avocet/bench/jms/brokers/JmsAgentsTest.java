package dev.avocet.bench.jms.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.connection.AmqpConnections;
import dev.avocet.amqp.frontend.AmqpFrontEnd;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.amqp.peer.ContainerIds;
import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.command.JmsBench;
import dev.avocet.bench.jms.fake.FakeConnectionFactory;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.core.security.admission.AnonymousAdmission;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
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
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** jmsbench over three agents: one account of what all of them sent and received. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JmsAgentsTest {
    private static final int MESSAGES = 120;
    private static final int ONE_IN = 20;

    private TestBroker broker;
    private JmsAgents agents;

    private Path folder;

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        folder = temporary;
        Path secret = folder.resolve("secret");
        Files.writeString(secret, "a secret of enough bytes", StandardCharsets.UTF_8);
        agents = new JmsAgents(secret, 3);
        broker = TestBroker.with(core -> new AmqpFrontEnd(new AmqpConnections(
                        core,
                        AmqpOptions.DEFAULT,
                        new AnonymousAdmission(new AnonymousAuthenticator()),
                        new ContainerIds())))
                .start();
    }

    @AfterAll
    void stop() {
        agents.close();
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({
        "4, 1, --producers=4 --consumers=5",
        "6, 1, --destinations=3 --producers=6 --consumers=4 --consumer-commit=7 --persistent --producer-commit=10",
        "3, 4, --kind=topic --producers=3 --consumers=4",
        "2, 3, --kind=topic --producers=2 --consumers=3 --durable",
        "4, 1, --kind=shared --producers=4 --consumers=5",
        "2, 1, --kind=shared --producers=2 --consumers=3 --durable --consumer-commit=9",
        "5, 1, --requesters=5 --responders=4 --queue-pairs=2",
        "4, 1, --requesters=4 --responders=2 --reply-to=temporary-queue"
    })
    void shouldMakeOneAccountOfAll(int senders, int copies, String options) throws IOException {
        // when
        RunResult result = run("--target=127.0.0.1:" + broker.port() + " --rate=max --max-under-way=200 " + options);

        // then
        long sent = (long) senders * MESSAGES;
        assertThat(result.tally()).isEqualTo(new Tally(sent, sent * copies, sent * copies, 0, 0, 0));
        assertThat(result.verdict().reasons()).isEmpty();
        assertThat(result.verdict().outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.latencies().values().iterator().next().samples()).isEqualTo(sent * copies);
        assertThat(result.settings()).containsEntry("latency between agents", "by one clock");
    }

    @Test
    void shouldShowTheLeastAndTheMostOfEachDestinationOverAll() throws IOException {
        // when
        RunResult result = run("--target=127.0.0.1:" + broker.port()
                + " --rate=max --max-under-way=200 --producers=4 --consumers=5 --per-destination");

        // then
        Map<String, Long> figures = result.counts().get("jmsbench.00000000");
        LatencySummary latency = result.latencies().get("message");
        assertThat(figures.get("messages")).isEqualTo(4L * MESSAGES);
        assertThat(figures.get("leastUs")).isLessThanOrEqualTo(latency.meanNs() / 1_000);
        assertThat(figures.get("mostUs")).isBetween(latency.meanNs() / 1_000, latency.maxNs() / 990 + 1);
    }

    /** The consumers of a destination are at all three. */
    @ParameterizedTest
    @CsvSource({
        "DROP, lost, --kind=topic --name=topic --producers=2 --consumers=3",
        "DROP, lost, --producers=3 --consumers=3",
        "DOUBLE, doubled, --kind=topic --name=topic --producers=2 --consumers=3",
        "DOUBLE, doubled, --producers=3 --consumers=3",
        "SWAP, order, --kind=topic --name=topic --producers=1 --consumers=3",
        "DAMAGE, corrupt, --producers=3 --consumers=3",
        "DROP, lost, --requesters=3 --responders=3 --reply-timeout-ms=1000 --messages=40"
    })
    void shouldFindWhatIsWrong(String fault, String reason, String options) throws IOException {
        // when a broker that they share makes mistakes
        RunResult result = run("--factory=" + FakeConnectionFactory.class.getName() + " --target=" + fault + "/"
                + ONE_IN + "/" + options.hashCode() + " --drain=1 --rate=500 " + options);

        // then
        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.FAILED);
        assertThat(result.verdict().reasons())
                .anySatisfy(text -> assertThat(text).startsWith(reason + ": "));
        assertAddsUp(fault, result.tally());
    }

    /** As in {@link Tally}, whatever is lost or doubled: all that was expected came, came twice or is lost. */
    private static void assertAddsUp(String fault, Tally tally) {
        assertThat(tally.sent()).isPositive();
        long wrong = tally.expected() / ONE_IN;
        switch (fault) {
            case "DROP" -> {
                assertThat(tally.lost()).isBetween(wrong / 2, wrong * 2 + 1);
                assertThat(tally.duplicates() + tally.outOfOrder() + tally.corrupt())
                        .isZero();
            }
            case "DOUBLE" -> {
                assertThat(tally.duplicates()).isBetween(wrong / 2, wrong * 2 + 1);
                assertThat(tally.lost() + tally.corrupt()).isZero();
            }
            // The last one waits for a next for ever.
            case "SWAP" -> assertThat(tally.duplicates() + tally.corrupt()).isZero();
            default -> {
                assertThat(tally.corrupt()).isBetween(wrong / 2, wrong * 2 + 1);
                assertThat(tally.lost() + tally.duplicates()).isZero();
            }
        }
    }

    /** Of four producers the first agent has two, so it alone wants more connections than it may have. */
    @Test
    void shouldSayWhichAgentHasTrouble() throws IOException {
        RunResult result = run("--factory=" + FakeConnectionFactory.class.getName()
                + " --property=connectionLimit=2 --target=NONE/1/limited --producers=4 --consumers=3");

        assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.verdict().reasons().get(0))
                .startsWith("agent 127.0.0.2:")
                .contains(": open: ");
    }

    @Test
    void shouldSayOnceWhatAllHaveTroubleWith() throws IOException {
        RunResult result = run("--target=127.0.0.1:1 --producers=3 --consumers=3");

        assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.verdict().reasons().get(0)).startsWith("open: ");
    }

    private RunResult run(String options) throws IOException {
        Path json = folder.resolve("result.json");
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.addAll(agents.options());
        arguments.addAll(
                List.of("--min-rate-percent=0", "--max-busy-percent=100000", "--max-own-pause-ms=0", "--json=" + json));
        if (!options.contains("--messages")) {
            arguments.add("--messages=" + MESSAGES);
        }
        arguments.addAll(List.of(options.split(" ")));
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out, true);
        int exitCode = JmsBench.execute(writer, writer, arguments.toArray(String[]::new));
        assertThat(exitCode).as(out.toString()).isNotEqualTo(2);
        return ResultFile.read(json);
    }
}
