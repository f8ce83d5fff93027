package dev.avocet.bench.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.mqtt.engine.Brokers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.TopicNames;
import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunResult;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@InTurn
final class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    static Stream<String> workloads() {
        return Main.WORKLOADS.names().stream();
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldMakeAPlanOfEveryWorkload(String name) {
        List<String> arguments = new WorkloadArguments(Main.WORKLOADS).expand(List.of("run", name, "--scale", "0.01"));
        RunCommand command = new RunCommand();
        new CommandLine(command)
                .parseArgs(arguments.subList(1, arguments.size()).toArray(String[]::new));
        RunPlan plan = command.prepare();

        assertThat(plan.name()).isEqualTo(name);
        assertThat(plan.clients()).isPositive();
        assertThat(plan.requests() != null).isEqualTo(name.startsWith("REQUEST."));
        assertThat(plan.storms() != null).isEqualTo(name.startsWith("RECONNECT."));
    }

    @Test
    void shouldListAndShowWorkloads() {
        assertThat(execute("list")).isEqualTo(ExitCode.PASSED);
        assertThat(execute("show", "connburst", "--scale", "0.1")).isEqualTo(ExitCode.PASSED);

        assertThat(out.toString()).contains("FANIN.Q0.PARTITIONS ", "from: IBM", "--idle=100000");
    }

    @Test
    void shouldRunANamedWorkloadAndWriteItsResult() throws IOException {
        try (TestBroker broker = Brokers.start()) {
            Path json = folder.resolve("r.json");
            Path csv = folder.resolve("r.csv");

            int exitCode = execute(
                    "run",
                    "FANIN.Q0.PARTITIONS",
                    "--scale=0.0001",
                    "--target=localhost:" + broker.port(),
                    "--warm-up=0.1",
                    "--duration=0.5",
                    "--interval=0.1",
                    "--password",
                    "secret",
                    "--user=ada",
                    "--json=" + json,
                    "--html=" + folder.resolve("r.html"),
                    "--csv=" + csv);

            RunResult result = ResultFile.read(json);
            assertThat(err.toString()).isEmpty();
            assertThat(exitCode).isEqualTo(ExitCode.of(result.verdict().outcome()));
            assertThat(result.name()).isEqualTo("FANIN.Q0.PARTITIONS");
            assertThat(result.connections()).isEqualTo(200);
            assertThat(result.tally().lost()).isZero();
            assertThat(result.settings()).containsEntry("--user", "ada");
            assertThat(result.environment()).containsKeys("jvm", "processors");
            assertThat(Files.readString(json)).doesNotContain("secret");
            assertThat(Files.readAllLines(csv)).hasSizeGreaterThan(2);
            assertThat(Files.readString(folder.resolve("r.html"))).contains("FANIN.Q0.PARTITIONS");
            assertThat(execute("compare", json.toString(), json.toString())).isEqualTo(ExitCode.PASSED);
            assertThat(out.toString()).contains("received per second", "1.00");
            assertThat(out.toString()).contains("0 lost, 0 doubled, 0 out of order, 0 corrupt");
        }
    }

    /** That of the run itself was once lost to an option -V of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"run", "run CONNBURST", "run FANIN.Q0.JMS.SINGLE", "list", "show", "compare", "agent"})
    void shouldHelp(String command) {
        for (String help : List.of("--help", "-h")) {
            assertThat(execute((command + " " + help).split(" ", -1))).isEqualTo(ExitCode.PASSED);
        }
        assertThat(out.toString()).contains("Usage: mqttbench " + command.split(" ", -1)[0], "Show this help message");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "TELEMETRY.MPSS.Q1, TELEMETRY.Q1.SINGLE",
        "TELEMETRY.MPMS.Q2.16KB, TELEMETRY.Q2.SIZE.16K",
        "P2P.DIRECT.100B, DIRECT.P2P.100B",
        "P2P.PERSISTENT.20KB, PERSISTENT.P2P.20K",
        "FANOUT.DIRECT.100B.5, DIRECT.FANOUT.5",
        "FANOUT.PERSISTENT.1KB.50, PERSISTENT.FANOUT.50",
        "BROADCAST, BROADCAST.32"
    })
    void shouldKnowWorkloadsByTheirOtherNames(String other, String name) {
        assertThat(Main.WORKLOADS.find(other).name()).isEqualTo(name);
    }

    @Test
    void shouldWriteTheOtherFilesWhenOneCannotBeWritten() {
        try (TestBroker broker = Brokers.start()) {
            Path html = folder.resolve("r.html");

            int exitCode = execute(
                    "run",
                    "--idle=1",
                    "--target=localhost:" + broker.port(),
                    "--warm-up=0",
                    "--duration=0.01",
                    "--interval=0.01",
                    "--csv=/dev/full",
                    "--json=/dev/full",
                    "--html=" + html);

            assertThat(exitCode).isEqualTo(ExitCode.USAGE);
            assertThat(err.toString())
                    .contains("a file cannot be written: /dev/full (rows are missing); /dev/full (No space left")
                    .doesNotContain("\tat ");
            assertThat(out.toString()).contains("PASSED");
            assertThat(html).isNotEmptyFile();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run NOBODY | there is no workload NOBODY",
                "run CONNBRUST | may be given), did you mean 'CONNBURST'?",
                "run --idle 1 --tarjet localhost | did you mean --target",
                "run --producers 1 --steps 1,2 --find-max | --find-max tries rates of its own; leave --steps away",
                "run --producers 1 --step-seconds 0 --find-max | --step-seconds is above 0, not 0.0",
                "run | the run has no clients",
                "run --producers x | 'x' is not an int",
                "run --producers 1 --qos 3 | --qos is from 0 to 2, not 3",
                "run --producers 1 --size 8 | --size is from 24 to 8, not 8",
                "run --producers 1 --target localhost:x | --target is HOST:PORT",
                "run --producers 1 --rate fast | --rate takes a number, not fast",
                "run -cl nowhere.json | --client-list: nowhere.json cannot be read",
                "run -cl clients.json --idle 1 | --client-list says who connects; leave out --producers",
                "run -M nowhere.json --producers 1 | --messages: nowhere.json cannot be read",
                "run -M x.json --requesters 1 --responders 1 | leave out --messages",
                "run --idle 1 -psk nowhere.csv --target 127.0.0.1:1 | --psk-file: nowhere.csv cannot be read",
                "run --idle 1 --psk-file k.csv --trust-file t.pem | with pre-shared keys no client shows a certificate",
                "run -c 5 | give the count divided by the rate",
                "run --idle 1 -t 5 | -t is -2, -1 or 0, not 5",
                "run --idle 1 -T 0x181 | -T has bits up to 0xff, unlike 0x181",
                "run --idle 1 -V all | -V is a mask such as 0x1, not all",
                "run --idle 1 --tls --client-key k.pem | a client certificate needs its key",
                "run --idle 1 --tls --client-certificate c --client-key k{i} | one certificate has one key",
                "run --idle 1 --tls --client-certificate c{i} --client-key k --target 127.0.0.1:1 | c0 cannot be read",
                "run --idle 1 -crange 1-5 | --client-range is of a list; give --client-list too",
                "run --idle 1 --broker-stats here | --broker-stats is an address such as http://127.0.0.1:9089",
                "run --idle 1 --target 127.0.0.1:1 --command-pipe nowhere | nowhere cannot be read; make it with mkfifo",
                "run --requesters 1 | requests need at least one of --requesters and one of --responders",
                "run --requesters 1 --responders 1 --consumers 1 | --requesters and --responders take the place",
                "run --consumers 1 --storm-every 1 | subscribers that leave lose what is sent meanwhile",
                "run --producers 1 --storm-resend | --storm-resend is for storms; give --storm-every too",
                "run --producers 1 --storm-every 1 --storm-who producers --storm-resend | at QoS 1 or 2; give --storm-who",
                "run --producers 1 --storm-every 1 --storm-who producers --filter $share/a/# | where subscribers share",
                "run --producers 1 --storm-every 1 --storm-who producers --rate max | at QoS 0 no run can tell how much was lost",
                "run --producers 1 --storm-every 1 --storm-who producers --agents x:1 | checked by one mqttbench only",
                "run --idle 1 --storm-every 1 --storm-who me | --storm-who is consumers, producers, idle or all, not me",
                "run --idle 1 --storm-every 1 --storm-leave so | --storm-leave is disconnect or close, not so",
                "run --producers 1 --mqtt-version 6 | --mqtt-version is 3.1, 3.1.1 or 5",
                "run -tx 0:0:/p/t | -tx is QOS:RETAIN:TOPIC:TOPICS:CLIENTS:THREADS",
                "run CONNBURST --scale much | --scale is a number",
                "run CONNBURST --scale -1 | --scale is a number above 0",
                "run --idle 1 --json nowhere/x.json | --json: nowhere/x.json cannot be written: there is no folder",
                "run --idle 1 --csv /proc/self/x.csv | --csv: /proc/self/x.csv cannot be written",
                "run --idle 1 --html . | --html: . cannot be written: it is a folder",
                "compare a.json b.json --html nowhere/x.html | --html: nowhere/x.html cannot be written",
                "show | Missing required parameter",
                "compare a.json b.json | a.json is not a result of 'run --json'",
                "jump | Unmatched argument"
            })
    void shouldSayWhatIsWrong(String arguments, String message) {
        assertThat(execute(arguments.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message).doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--idle=1000", "--producers=2 --consumers=2 --find-max", "--producers=2 --repeat=3"})
    void shouldEndAtOnceWhereNoConnectionCanBeMade(String more) throws IOException {
        // given
        int port;
        try (ServerSocket gone = new ServerSocket(0)) {
            port = gone.getLocalPort();
        }
        long sinceNs = System.nanoTime();

        // when
        int exitCode = execute(("run --target=127.0.0.1:" + port + " " + more).split(" "));

        // then
        assertThat(exitCode).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString())
                .contains("mqttbench: no connection can be made: Connection refused", "127.0.0.1:" + port)
                .contains("--target names another")
                .doesNotContain("\tat ");
        assertThat(Duration.ofNanos(System.nanoTime() - sinceNs)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void shouldMeasureEachTryForTheSecondsOfAStep() {
        try (TestBroker broker = Brokers.start()) {
            // when
            long sinceNs = System.nanoTime();
            execute(
                    "run",
                    "--find-max",
                    "--target=localhost:" + broker.port(),
                    "--producers=1",
                    "--consumers=1",
                    "--max-mean=0.000001",
                    "--rate=1000",
                    "--warm-up=0",
                    "--step-seconds=0.02",
                    "--duration=60");

            // then
            assertThat(out.toString()).contains("--- 125 messages/s: ");
            assertThat(Duration.ofNanos(System.nanoTime() - sinceNs)).isLessThan(Duration.ofSeconds(60));
        }
    }

    @Test
    void shouldLookForTheHighestRateThatPasses() {
        try (TestBroker broker = Brokers.start()) {
            // when no latency is short enough
            execute(
                    "run",
                    "--find-max",
                    "--target=localhost:" + broker.port(),
                    "--producers=1",
                    "--consumers=1",
                    "--max-mean=0.000001",
                    "--rate=1000",
                    "--warm-up=0",
                    "--duration=0.02");

            // then every try failed, down to the last
            assertThat(out.toString())
                    .contains("--- 1000 messages/s: ", "--- 500 messages/s: ", "--- 125 messages/s: ");
            assertThat(out.toString()).doesNotContain("PASSED");
        }
    }

    @Test
    void shouldUnderstandTheOptionsOf2015() {
        RunOptions options = new RunOptions();
        OldOptions old = new OldOptions();
        new CommandLine(CommandLine.Model.CommandSpec.create())
                .addMixin("options", options)
                .addMixin("old", old)
                .parseArgs(OldArguments.translate(
                                List.of(("-tx 1:0:/p/t:1:50:2 -rx 1:0:/p/#:1:5:2 -np 10 -r 7000 -s 32-64 -wr -rrs -d 60"
                                                + " -T 0x81 -V 0x3 -snap connects,msgrates 4 -st 3 --mim 50 -t 0 -u 1e-6"
                                                + " -b 2 --noreconn")
                                        .split(" ")))
                        .toArray(String[]::new));
        old.applyTo(options);

        assertThat(options.plan().producers().topics()).isEqualTo(new TopicNames("/p{p}/t.{n}", 100, 1, 10, true));
        assertThat(options.plan().consumers().filters().pattern()).isEqualTo("/p{p}/#");
        assertThat(options.plan().consumers().filters().clients()).isEqualTo(10);
        assertThat(options.plan().consumers().isClean()).isFalse();
        assertThat(options.plan().producers().qos()).isEqualTo(1);
        assertThat(options.plan().load().maxSizeBytes()).isEqualTo(64);
        assertThat(options.plan().load().threads()).isEqualTo(3);
        assertThat(options.plan().load().maxInFlight()).isEqualTo(50);
        assertThat(options.plan().timing().snapshotNs()).isEqualTo(TimeUnit.SECONDS.toNanos(4));
        assertThat(options.plan().timing().warmUpNs()).isEqualTo(TimeUnit.SECONDS.toNanos(2));
    }

    private int execute(String... arguments) {
        return Main.execute(List.of(arguments), new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
