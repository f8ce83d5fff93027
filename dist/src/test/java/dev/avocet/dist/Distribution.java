package dev.avocet.dist;

import dev.avocet.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The built distribution, and processes of its launcher. */
public final class Distribution {
    public static final Path HOME = Path.of(System.getProperty("avocet.distribution", "not-built"));

    /** A process that lives for seconds spends more on the other compiler than that gives back. */
    static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

    /**
     * The environment of a broker of which no speed is asked: a small heap, the quick compiler alone, and classes that
     * are loaded already.
     */
    public static final Map<String, String> SHORT_LIVED = shortLived("64m");

    /** A build that runs in the background ignores SIGINT, and so would what it starts. */
    private static final List<String> DEFAULT_SIGNALS =
            hasDefaultSignalOption() ? List.of("/usr/bin/env", "--default-signal=INT") : List.of();

    private Distribution() {}

    /** The same with another heap for a broker; a load generator has its own. */
    public static Map<String, String> shortLived(String brokerHeap) {
        return Map.of(
                "JAVA_HOME",
                System.getProperty("java.home"),
                "BROKER_HEAP",
                brokerHeap,
                "BENCH_HEAP",
                "128m",
                "JAVA_OPTS",
                QUICK_COMPILER);
    }

    /** Of a broker whose speed is measured: as it is shipped, with that heap. */
    public static Map<String, String> atSpeed(String brokerHeap) {
        return Map.of("JAVA_HOME", System.getProperty("java.home"), "BROKER_HEAP", brokerHeap);
    }

    /** Starts bin/broker with nothing in its environment but what is given and a path to find the usual commands. */
    public static Launched launch(Map<String, String> environment, String... arguments) throws IOException {
        return launchProgram("broker", SharedClasses.ofBroker(arguments).in(environment, HOME), arguments);
    }

    /** Starts bin/arbiter in the same way. */
    public static Launched launchArbiter(Map<String, String> environment, String... arguments) throws IOException {
        return launchProgram("arbiter", SharedClasses.OF_ARBITER.in(environment, HOME), arguments);
    }

    /** Starts a program of another distribution, which shares no classes, in the same way. */
    public static Launched launchFrom(Path home, String program, Map<String, String> environment, String... arguments)
            throws IOException {
        return launchScript(home.resolve("bin").resolve(program), environment, arguments);
    }

    /** Starts bin/broker-admin in the same way. */
    public static Launched launchAdmin(Map<String, String> environment, String... arguments) throws IOException {
        return launchProgram("broker-admin", environment, arguments);
    }

    /** Starts bin/mqttbench in the same way. */
    public static Launched launchMqttBench(Map<String, String> environment, String... arguments) throws IOException {
        return launchProgram("mqttbench", environment, arguments);
    }

    public static Launched launchJmsBench(Map<String, String> environment, String... arguments) throws IOException {
        return launchProgram("jmsbench", environment, arguments);
    }

    /** Starts a program of the tests' class path with a small heap. */
    public static Launched launchClass(String mainClass, List<String> flags, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-Xmx48m", "-XX:+UseSerialGC", QUICK_COMPILER, "-Dio.netty.jfr.enabled=false"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(Arrays.asList(arguments));
        return new Launched(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Of a member of a pair: the first of two neighbours. */
    public static int twoPorts() {
        int port = FreePort.next();
        for (int next = FreePort.next(); next != port + 1; next = FreePort.next()) {
            port = next;
        }
        return port;
    }

    private static Launched launchProgram(String program, Map<String, String> environment, String... arguments)
            throws IOException {
        return launchFrom(HOME, program, environment, arguments);
    }

    /** Starts a program of the clone in the same way. */
    public static Launched launchScript(Path script, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(DEFAULT_SIGNALS);
        command.add(script.toString());
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().put("BROKER_CACHE", "off");
        builder.environment().putAll(environment);
        return new Launched(builder.start());
    }

    private static boolean hasDefaultSignalOption() {
        try {
            return new ProcessBuilder("/usr/bin/env", "--default-signal=INT", "true")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while asking what env can do", e);
        }
    }
}
