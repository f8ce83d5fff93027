package dev.avocet.bench.jms.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.bench.workload.WorkloadLibrary;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program, against a client and a broker in memory. */
@InTurn
final class CommandTest {
    private static final String FACTORY = "--factory=dev.avocet.bench.jms.fake.FakeConnectionFactory";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldRunWhatOptionsSayAndWriteAllReports() throws IOException {
        // given
        Path json = folder.resolve("result.json");
        Path csv = folder.resolve("intervals.csv");
        Path latency = folder.resolve("latency.csv");

        // when
        int exitCode = runFake(
                "--target=NONE/1",
                "--producers=2",
                "--consumers=3",
                "--destinations=3",
                "--size=64-256",
                "--rate=2000",
                "--messages=200",
                "--time-calls",
                "--json=" + json,
                "--csv=" + csv,
                "--latency-csv=" + latency);

        // then
        assertThat(out.toString()).contains("PASSED  options", "400 sent, 400 expected, 400 received: 0 lost");
        assertThat(exitCode).isZero();
        RunResult result = ResultFile.read(json);
        assertThat(result.tool()).isEqualTo("jmsbench");
        assertThat(result.connections()).isEqualTo(5);
        assertThat(result.latencies()).containsKeys("message", "connect", "send", "commit");
        assertThat(result.latencies().get("send").samples()).isEqualTo(400);
        assertThat(result.latencies().get("connect").samples()).isEqualTo(5);
        assertThat(result.settings()).containsEntry("sizes", "[64, 128, 256]");
        assertThat(Files.readString(csv)).startsWith("phase,seconds").contains("\ndrain,");
        assertThat(Files.readString(latency)).startsWith("percent,latency_us\n").contains("\n100.000000,");
    }

    @Test
    void shouldMeasureFromANumberOfMessagesOn() throws IOException {
        Path json = folder.resolve("result.json");

        int exitCode = runFake(
                "--target=NONE/1",
                "--warm-up-messages=300",
                "--per-destination",
                "--rate=2000",
                "--duration=0.3",
                "--json=" + json);

        RunResult result = ResultFile.read(json);
        long measured = result.latencies().get("message").samples();
        assertThat(exitCode).isZero();
        assertThat(measured).isPositive().isLessThanOrEqualTo(result.tally().received() - 300);
        assertThat(result.counts().get("jmsbench.00000000").get("messages"))
                .isPositive()
                .isLessThanOrEqualTo(result.tally().received() - 300);
    }

    @Test
    void shouldFailWhenTheNumberOfMessagesDoesNotCome() {
        assertThat(runFake("--target=NONE/1", "--warm-up-messages=51", "--messages=50", "--rate=max"))
                .isEqualTo(ExitCode.FAILED);
        assertThat(out.toString())
                .contains("warm-up: 50 of the 51 messages had come that were to come before it is measured");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--start-delay=5 --producers=3 | the last of 3 senders begins after 10.0 s, and nothing is measured before",
                "--start-delay=-1 | start delay is -1.0 seconds: from 0 to 3600",
                "--warm-up-messages=-1 | warm-up messages is -1: 0 or more",
                "--warm-up-messages=1 --agents=x:1 | counted by one jmsbench"
            })
    void shouldSayWhatIsWrongWithTheBeginning(String options, String message) {
        assertThat(runFake(("--target=NONE/1 " + options).split(" ", -1))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message).doesNotContain("\tat ");
    }

    @Test
    void shouldFailWithItsCodeWhenMessagesAreLost() {
        assertThat(runFake("--target=DROP/10", "--messages=100", "--drain=0.1", "--rate=max"))
                .isEqualTo(ExitCode.FAILED);
        assertThat(out.toString()).contains("FAILED  options", "lost: 10 of 100 messages never came");
    }

    @Test
    void shouldFailWhenTheBrokerRefusesAConnection() {
        assertThat(runFake("--target=NONE/1", "--messages=10", "--producers=3", "--property=connectionLimit=2"))
                .isEqualTo(ExitCode.FAILED);
        assertThat(out.toString()).contains("too many connections");
    }

    @Test
    void shouldKeepNoPasswordInTheResult() throws IOException {
        Path json = folder.resolve("result.json");

        assertThat(runFake("--target=NONE/1", "--messages=1", "--property=password=s3cret", "--json=" + json))
                .isZero();

        assertThat(Files.readString(json)).contains("--property=password=***").doesNotContain("s3cret");
    }

    @Test
    void shouldSayThatAFileCannotBeWritten() {
        assertThat(runFake("--target=NONE/1", "--messages=1", "--csv=" + folder.resolve("no/such.csv")))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .startsWith("jmsbench: --csv: ")
                .contains("cannot be written: there is no folder ")
                .doesNotContain("\tat ");
    }

    /** Each of three brokers has all of the clients, and a line of its own. */
    @Test
    void shouldRunAtSeveralBrokersAtOnce() throws IOException {
        Path json = folder.resolve("result.json");

        assertThat(runFake(
                        "--target=NONE/1,NONE/2", "--target=NONE/3", "--messages=50", "--rate=max", "--json=" + json))
                .isZero();

        assertThat(out.toString())
                .contains("150 sent, 150 expected, 150 received", "6 connected")
                .containsPattern("at NONE/1: .* 50 sent, 0 lost")
                .containsPattern("at NONE/3: .* 50 sent, 0 lost");
        assertThat(ResultFile.read(json).parts()).hasSize(3).allSatisfy(part -> {
            assertThat(part.tally().received()).isEqualTo(50);
            assertThat(part.latency().samples()).isEqualTo(50);
        });
    }

    /** The broker that loses messages is named. */
    @Test
    void shouldTellAtWhichBrokerMessagesWereLost() {
        assertThat(runFake("--target=NONE/1,DROP/10", "--messages=50", "--rate=max", "--drain=0.1"))
                .isEqualTo(1);

        assertThat(out.toString())
                .containsPattern("at NONE/1: .* 50 sent, 0 lost")
                .containsPattern("at DROP/10: .* 50 sent, 5 lost");
    }

    /** A client's own commas stay within its address. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "a:1,b:2 a:1|b:2",
                "avocet://a:1,b:2 avocet://a:1,b:2",
                "avocet://a:1,b:2,avocets://c:3 avocet://a:1,b:2|avocets://c:3",
                "(tcp://a:1,tcp://b:2)?ha=true (tcp://a:1,tcp://b:2)?ha=true"
            })
    void shouldTellTheTargetsFromTheAddressesWithin(String text, String targets) {
        ClientOptions options = new ClientOptions();

        new picocli.CommandLine(options).parseArgs("--target=" + text);

        assertThat(options.targets()).containsExactly(targets.split("[|]", -1));
    }

    @Test
    void shouldRepeatARun() throws IOException {
        Path json = folder.resolve("result.json");
        Path html = folder.resolve("result.html");

        int exitCode = runFake(
                "--target=NONE/1", "--messages=50", "--rate=max", "--repeat=3", "--json=" + json, "--html=" + html);

        assertThat(out.toString()).contains("A, median of 3").containsPattern("sent per second .* to ");
        assertThat(exitCode).isZero();
        assertThat(ResultFile.readAll(json)).hasSize(3);
        assertThat(Files.readString(html)).contains("Came in run 1", "Came in run 3", "\"label\":\"Run 3\"");
    }

    /** Each row and size of the request tables that a JMS client alone can do. */
    @ParameterizedTest
    @CsvSource({
        "RR.C1.256B, --size=256, --persistent=false, --requesters=200",
        "rr.c2.2kb, --size=2K, --persistent=true, --requesters=200",
        "RR.C3.20KB, --size=20K, --persistent=false, --requesters=20",
        "RR.C4.200KB, --size=200K, --persistent=true, --requesters=20",
        "RR.SEC.C1.2KB, --size=2K, --persistent=false, --queue-pairs=10",
        "RR.HA.C2.256B, --size=256, --persistent=true, --queue-pairs=10"
    })
    void shouldHaveTheRequestTables(String name, String size, String persistent, String clients) {
        assertThat(run("show", name)).isZero();

        assertThat(out.toString()).contains(size + "\n", persistent + "\n", clients + "\n");
    }

    @Test
    void shouldTakeTheShortFormOfTheReferenceHarness() {
        // when 2 threads with 2 sessions of 2 queues each, and as many consumers
        int exitCode = runFake(
                "--target=NONE/1",
                "-tx",
                "-1:10:1:q:2:2:1:2:5",
                "-rx",
                "-1:0:3:2:0:q:2:2:1:2:5",
                "-c=40",
                "-r=max",
                "-s=100");

        // then
        assertThat(out.toString()).contains("80 sent, 80 expected, 80 received");
        assertThat(exitCode).isZero();
    }

    static List<String> workloads() {
        return new WorkloadLibrary(JmsBench.class, JmsBench.WORKLOADS).names();
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldRunEachNamedWorkload(String name) {
        int exitCode = runFake(name, "--scale=0.1", "--target=NONE/1", "--messages=20");

        assertThat(out.toString()).contains("PASSED  " + name);
        assertThat(exitCode).isZero();
    }

    @Test
    void shouldListAndShowWorkloads() {
        assertThat(run("list")).isZero();
        assertThat(out.toString()).contains("QUEUE.NP ", "FANIN.Q1.PERSISTENT.JMS.SHARED ");

        assertThat(run("show", "queue.transacted", "--scale=0.5")).isZero();
        assertThat(out.toString()).contains("--producers=10\n", "--producer-commit=100\n");

        assertThat(run("show", "FANIN.SEC.Q1.HA.PERSISTENT.JMS.SHARED")).isZero();
        assertThat(out.toString())
                .contains(
                        "FANIN.SEC.Q1.HA.PERSISTENT.JMS.SHARED: 100 MQTT producers",
                        "--tls\n",
                        "--consumer-commit=100\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--messages=1 | target: say which broker",
                "--target=NONE/1 --size=8 | from 24 bytes",
                "--target=NONE/1 --size=big | bytes, such as 256",
                "--target=NONE/1 --rate=0 | rate '0'",
                "--target=NONE/1 --producers=0 | threads is 0",
                "--target=NONE/1 --consumer-name=other | no consumer receives what is sent to 'jmsbench.00000000'",
                "--target=NONE/1 --durable | durable is for subscriptions",
                "--target=NONE/1 --acknowledge=sometimes | acknowledge mode 'sometimes'",
                "--target=NONE/1 --receive=blocking --destinations=2 | blocking receive with 2 consumers",
                "--target=NONE/1 --async-sends=5 --producer-commit=5 | leave one out",
                "--target=NONE/1 --producer-commit=100 --max-under-way=150 | transactions alone hold 100",
                "--target=NONE/1 --requesters=2 --queue-pairs=2 | 1 responders for 2 queue pairs",
                "--target=NONE/1 -tx=0:0:0:q:1:1:1 | use taskset",
                "--target=NONE/1 -tx=-1:0:0:q | has 4 fields: 7 to 9",
                "--target=NONE/1 -rx=-1:0:4:1:0:q:1:1:1 | receive mode 4",
                "--target=NONE/1 --property=colour=red | has no setter of that name",
                "--target=NONE/1 --property=connectionLimit=red | 'red' is not a number",
                "--target=NONE/1 --class-path=/no/such.jar | there is no /no/such.jar",
                "NO.SUCH.WORKLOAD | there is no workload NO.SUCH.WORKLOAD",
                "--producer=3 | did you mean"
            })
    void shouldExplainMistakesInOneSentence(String arguments, String explanation) {
        assertThat(runFake(arguments.strip().split(" ", -1))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .startsWith("jmsbench: ")
                .contains(explanation)
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no.such.Factory", "java.lang.String"})
    void shouldExplainWhichFactoriesItCannotUse(String factory) {
        assertThat(run("run", "--target=x", "--factory=" + factory)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("jmsbench: ").contains(factory).doesNotContain("\tat ");
    }

    @Test
    void shouldRefuseAWorkloadFileWithAnOptionThatThereIsNot() throws IOException {
        // given
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, """
                what: mine
                origin: here
                tools: [jmsbench]
                options:
                  colour: red
                """);

        // then
        assertThat(run("run", file.toString(), "--target=x")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("workload mine: there is no option 'colour'");
    }

    /** What is on the command line outweighs the file, also where it says no. */
    @Test
    void shouldLetOptionsOutweighTheWorkload() throws IOException {
        Path json = folder.resolve("result.json");

        assertThat(runFake(
                        "QUEUE.PERSISTENT",
                        "--no-persistent",
                        "--producers=1",
                        "--consumers=1",
                        "--destinations=1",
                        "--target=NONE/1",
                        "--messages=5",
                        "--json=" + json))
                .isZero();

        RunResult result = ResultFile.read(json);
        assertThat(result.verdict().outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.settings().get("traffic")).contains("persistent=false");
        assertThat(result.connections()).isEqualTo(2);
    }

    private int runFake(String... arguments) {
        List<String> all = new ArrayList<>(
                List.of("run", FACTORY, "--min-rate-percent=0", "--max-busy-percent=200", "--max-own-pause-ms=0"));
        all.addAll(List.of(arguments));
        return run(all.toArray(String[]::new));
    }

    private int run(String... arguments) {
        return JmsBench.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}
