package dev.avocet.bench.mqtt;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Consumers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Load;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Producers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Server;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Timing;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Tls;
import dev.avocet.bench.mqtt.engine.plan.TopicNames;
import dev.avocet.bench.option.PassOptions;
import dev.avocet.bench.option.TimingOptions;
import dev.avocet.bench.run.RateSchedule;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Every option of a run, and how they make a plan. */
final class RunOptions {
    private static final double STEP_SECONDS = 10;

    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_THREADS = 2;

    /** What topics and filters are when nothing else is said. */
    static final String TOPIC = "/p{p}/t{i}.{t}";

    static final String FILTER = "/p{p}/#";

    // --- whom

    @Option(
            names = "--target",
            split = ",",
            paramLabel = "HOST:PORT[/HOST:PORT]",
            description =
                    "the servers, taken in turn (default: localhost:1883); the two nodes of a pair are one server, with"
                            + " a slash between their addresses: clients go to the one that takes them")
    List<String> targets = List.of("localhost:1883");

    @Option(names = "--mqtt-version", paramLabel = "3.1|3.1.1|5", description = "default: ${DEFAULT-VALUE}")
    String mqttVersion = "3.1.1";

    @Option(names = "--tls", arity = "0..1", fallbackValue = "true", description = "connects with TLS")
    boolean tls;

    @Option(
            names = "--trust-file",
            paramLabel = "FILE",
            description = "certificates (PEM) to trust; without it any certificate is taken")
    @Nullable String trustFile;

    @Option(
            names = "--client-certificate",
            paramLabel = "FILE",
            description =
                    "what clients show of themselves (PEM); with {i} for a client's number or {id} for its client identifier in"
                            + " it each shows its own")
    @Nullable String clientCertificate;

    @Option(
            names = "--client-key",
            paramLabel = "FILE",
            description = "the key to it (PEM); {i} and {id} stand for the same")
    @Nullable String clientKey;

    @Option(
            names = {"--psk-file", "-psk"},
            paramLabel = "FILE",
            description =
                    "connects with TLS and pre-shared keys; its lines are IDENTITY,KEY (hexadecimal), taken in turn")
    @Nullable String pskFile;

    @Option(
            names = "--tls-resume",
            description =
                    "clients resume TLS sessions of earlier connections, each as soon as the server has given one;"
                            + " the result tells how many did")
    boolean tlsResume;

    @Option(names = "--tls-protocol", split = ",", description = "such as TLSv1.3")
    List<String> tlsProtocols = List.of();

    @Option(names = "--cipher", split = ",", description = "cipher suites by the JDK's names")
    List<String> ciphers = List.of();

    @Option(
            names = "--websocket",
            paramLabel = "PATH",
            description = "connects with WebSocket, to a path such as /mqtt")
    @Nullable String webSocketPath;

    @Option(names = "--user", description = "user name of all clients")
    @Nullable String userName;

    @Option(
            names = "--password",
            defaultValue = "${env:MQTTBENCH_PASSWORD}",
            description = "password of all clients; better in MQTTBENCH_PASSWORD, which others cannot see")
    @Nullable String password;

    @Option(
            names = "--client-id-prefix",
            description = "what all client identifiers begin with (default: ${DEFAULT-VALUE})")
    String clientIdPrefix = "b";

    @Option(names = "--keep-alive", paramLabel = "SECONDS", description = "0 for none (default)")
    int keepAliveSeconds;

    @Option(
            names = "--source",
            split = ",",
            paramLabel = "ADDRESS",
            description = "own addresses, taken in turn: ADDRESS or FIRST-LAST")
    List<String> sources = List.of();

    @Option(
            names = "--connect-rate",
            paramLabel = "N",
            description = "connections per second; 0 for as fast as it goes (default)")
    double connectRate;

    @Option(
            names = "--max-connecting",
            paramLabel = "N",
            description = "connections under way at once (default: ${DEFAULT-VALUE})")
    int maxConnecting = 256;

    @Option(
            names = "--connect-timeout",
            paramLabel = "SECONDS",
            description =
                    "the target is dead when it drops the first connections for so long (default: ${DEFAULT-VALUE})")
    int connectTimeoutSeconds = 5;

    // --- who

    @Option(names = "--producers", paramLabel = "N", description = "publishing clients (default: ${DEFAULT-VALUE})")
    int producers;

    @Option(names = "--topic", description = "topic name of each publisher (default: ${DEFAULT-VALUE})")
    String topic = TOPIC;

    @Option(names = "--topics-per-producer", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    int topicsPerProducer = 1;

    @Option(names = "--qos", paramLabel = "0|1|2", description = "of what is published (default: ${DEFAULT-VALUE})")
    int qos;

    @Option(names = "--retain", arity = "0..1", fallbackValue = "true", description = "publishes retained messages")
    boolean retain;

    @Option(names = "--consumers", paramLabel = "N", description = "subscribing clients (default: ${DEFAULT-VALUE})")
    int consumers;

    @Option(
            names = "--filter",
            description = "topic filter of each subscriber; $share/NAME/... shares (default: ${DEFAULT-VALUE})")
    String filter = FILTER;

    @Option(
            names = "--filters-per-client",
            paramLabel = "N",
            description = "subscriptions of each subscriber, which do not overlap (default: ${DEFAULT-VALUE})")
    int filtersPerClient = 1;

    @Option(
            names = "--elsewhere",
            split = ",",
            paramLabel = "FILTER",
            description = "topic filters of subscribers that another harness has in the same run: they get copies too")
    List<String> elsewhere = List.of();

    @Option(
            names = "--consumer-qos",
            paramLabel = "0|1|2",
            description = "of the subscriptions (default: that of --qos)")
    @Nullable Integer consumerQos;

    @Option(
            names = "--persistent",
            arity = "0..1",
            fallbackValue = "true",
            description = "subscribers with sessions that outlive their connections")
    boolean isPersistent;

    @Option(
            names = "--idle",
            paramLabel = "N",
            description = "clients that connect and do nothing (default: ${DEFAULT-VALUE})")
    int idle;

    @Option(
            names = {"--partitions", "-np"},
            paramLabel = "N",
            description = "parts of the topic tree (default: ${DEFAULT-VALUE})")
    int partitions = 1;

    @Option(
            names = {"--round-robin", "-rrs"},
            arity = "0..1",
            fallbackValue = "true",
            description = "deals topics round the partitions, not in blocks")
    boolean dealsRound;

    // --- how much

    @Option(
            names = {"--rate", "-r"},
            paramLabel = "N|max",
            description = "messages per second of all publishers (default: ${DEFAULT-VALUE})")
    String rate = "1000";

    @Option(
            names = "--steps",
            split = ",",
            paramLabel = "N",
            description = "rates that follow each other, instead of --rate")
    List<Double> steps = List.of();

    @Option(
            names = "--step-seconds",
            description = "how long each of the steps lasts, or each try of --find-max is measured"
                    + " (default: 10 with --steps, --duration with --find-max)")
    @Nullable Double stepSeconds;

    /** Whether the highest rate is looked for, in runs of their own. */
    boolean isSearch;

    @Option(
            names = "--burst",
            paramLabel = "EVERY,SECONDS,RATE",
            description = "another rate for some seconds, once in each interval of EVERY seconds")
    @Nullable String burst;

    @Option(
            names = {"--size", "-s"},
            paramLabel = "MIN[-MAX]",
            description = "bytes of a payload; sizes double from MIN to MAX (default: ${DEFAULT-VALUE})")
    String size = "32-32";

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "arrivals that may be outstanding; 0 for any number (default: 20000 at rate max)")
    @Nullable Long window;

    @Option(
            names = {"--in-flight", "--mim"},
            paramLabel = "N",
            description = "unacknowledged messages of a publisher (default: ${DEFAULT-VALUE})")
    int inFlight = 65535;

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "messages of a publisher in a row (default: 1; 32 at rate max)")
    @Nullable Integer batch;

    @Option(
            names = {"--threads", "-st"},
            paramLabel = "N",
            description = "event loops (default: one per processor, at most 2)")
    int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());

    @Option(
            names = {"--instance", "-i"},
            paramLabel = "0-2047",
            description = "number of this process, where several share a workload")
    int instance;

    // --- how long, and what passes

    @Mixin
    TimingOptions timing = new TimingOptions();

    @Mixin
    PassOptions passes = new PassOptions();

    @Option(names = "--scale", description = "what the counts and rates of a named workload are multiplied by")
    double scale = 1;

    @Option(names = "--name", description = "what the result is called (default: that of the workload)")
    String name = "options";

    /** Whether a file says who connects. */
    boolean isListed;

    RunPlan plan() {
        range("--qos", qos, 0, 2);
        range("--instance", instance, 0, 2047);
        range("--threads", threads, 1, 1024);
        range("--in-flight", inFlight, 1, 65535);
        range("--max-connecting", maxConnecting, 1, Integer.MAX_VALUE);
        range("--connect-timeout", connectTimeoutSeconds, 1, 30);
        if (producers + consumers + idle == 0 && !isListed) {
            throw new IllegalArgumentException(
                    "the run has no clients; give --producers and --consumers, --idle, or the name of a workload");
        }
        Consumers subscribing = new Consumers(
                new TopicNames(filter, consumers, filtersPerClient, partitions, true),
                consumerQos == null ? qos : consumerQos,
                !isPersistent,
                elsewhere);
        Producers publishing =
                new Producers(new TopicNames(topic, producers, topicsPerProducer, partitions, dealsRound), qos, retain);
        return new RunPlan(name, server(), publishing, subscribing, idle, load(), timing(), passes.criteria());
    }

    /** Where a search for the highest rate begins. */
    double startRate() {
        return decimal("--rate (with --find-max)", rate);
    }

    private Server server() {
        Addresses addresses = new Addresses();
        return new Server(
                targets.stream().map(addresses::target).toList(),
                version(),
                tls || pskFile != null
                        ? new Tls(trustFile, tlsProtocols, ciphers, clientCertificate, clientKey, pskFile, tlsResume)
                        : null,
                webSocketPath,
                userName,
                password,
                clientIdPrefix + (instance == 0 ? "" : instance + "-"),
                keepAliveSeconds,
                sources.stream().flatMap(addresses::sources).toList(),
                connectRate,
                maxConnecting,
                connectTimeoutSeconds);
    }

    private int version() {
        return switch (mqttVersion) {
            case "3.1", "3" -> 3;
            case "3.1.1", "4" -> 4;
            case "5", "5.0" -> 5;
            default -> throw new IllegalArgumentException("--mqtt-version is 3.1, 3.1.1 or 5, not " + mqttVersion);
        };
    }

    private Load load() {
        RateSchedule schedule = schedule();
        boolean isUnpaced = schedule.isUnpaced();
        String[] sizes = size.split("-", 2);
        int min = number("--size", sizes[0]);
        int max = number("--size", sizes[sizes.length - 1]);
        range("--size", min, MessageHead.SIZE_BYTES, max);
        return new Load(
                schedule,
                min,
                max,
                window == null ? isUnpaced ? 20_000 : 0 : window,
                inFlight,
                batch == null ? isUnpaced ? 32 : 1 : batch,
                threads,
                instance);
    }

    private RateSchedule schedule() {
        if (!steps.isEmpty()) {
            if (isSearch) {
                throw new IllegalArgumentException("--find-max tries rates of its own; leave --steps away");
            }
            return RateSchedule.stepped(steps, ns(stepSeconds == null ? STEP_SECONDS : stepSeconds));
        }
        if (rate.equals("max")) {
            return RateSchedule.unpaced();
        }
        double perSecond = decimal("--rate", rate);
        if (burst == null) {
            return RateSchedule.fixed(perSecond);
        }
        String[] words = burst.split(",", -1);
        if (words.length != 3) {
            throw new IllegalArgumentException("--burst is EVERY,SECONDS,RATE, such as 10,1,50000, not " + burst);
        }
        return RateSchedule.bursts(
                perSecond,
                decimal("--burst", words[2]),
                ns(decimal("--burst", words[0])),
                ns(decimal("--burst", words[1])));
    }

    private Timing timing() {
        return new Timing(
                timing.warmUpNs(TimingOptions.WARM_UP_SECONDS),
                isSearch && stepSeconds != null ? stepNs(stepSeconds) : timing.durationNs(),
                timing.drainNs(),
                timing.intervalNs());
    }

    private static long stepNs(double seconds) {
        if (!(seconds > 0)) {
            throw new IllegalArgumentException("--step-seconds is above 0, not " + seconds);
        }
        return ns(seconds);
    }

    private static long ns(double seconds) {
        return (long) (seconds * SECOND_NS);
    }

    private static void range(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(option + " is from " + min + " to " + max + ", not " + value);
        }
    }

    private static int number(String option, String word) {
        return (int) decimal(option, word);
    }

    private static double decimal(String option, String word) {
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(option + " takes a number, not " + word, notANumber);
        }
    }
}
