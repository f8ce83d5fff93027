package dev.avocet.bench.mqtt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables that the reference harness read, as options. They count for less than a workload's options
 * and than those that are typed. What has no counterpart is refused, unless it has the value that it had when it was
 * not set set it; an empty variable is none.
 */
final class OldVariables {
    private static final String SERVER = "IMAServer";
    private static final String PORT = "IMAPort";
    private static final String PAUSE = "DelayTime";
    private static final String CONNECTIONS_BEFORE_PAUSE = "DelayCount";
    private static final String AFFINITY = "Affinity_";
    private static final double SECOND_US = 1e6;

    /** Each by itself makes an option, or none. */
    private static final Map<String, Function<String, List<String>>> OPTIONS = Map.of(
            "SIPList", value -> List.of("--source=" + value.strip().replaceAll("[\\s,]+", ",")),
            "UseSecureConn", OldVariables::tls,
            "SSLCipher", OldVariables::cipher,
            "SSLClientMeth", value -> List.of("--tls-protocol=" + protocol(value)),
            "MQTTKeepAlive", value -> List.of("--keep-alive=" + value),
            "MQTTVersion", value -> List.of("--mqtt-version=" + value),
            "IOProcThreads", value -> List.of("--threads=" + value),
            "PipeCommands", value -> value.equals("0") ? List.of() : List.of("--command-pipe=" + value),
            "IMAClient", OldVariables::client);

    /** What each was when it was not set set it, and what to do for anything else. */
    private record Refused(@Nullable String usual, String advice) {}

    private static final Map<String, Refused> REFUSED = Map.ofEntries(
            refused("IMAServerSets", null, "give all servers in --target"),
            refused("LargeConn", null, "raise the limit of open files instead"),
            refused("NumUsers", null, "give --client-list, with a name for each client"),
            refused("Password", null, "set MQTTBENCH_PASSWORD, and give --user"),
            refused("LTPAVersion", null, "give --password"),
            refused("CERTSIZE", null, "give --client-certificate and --client-key"),
            refused("DDelayTime", "0", "clients disconnect at once"),
            refused("DDelayCount", "0", "clients disconnect at once"),
            refused("BatchingDelay", "0", "give --batch"),
            refused("UseNagle", "0", "what is written is sent at once, always"),
            refused("UseEphemeralPorts", "1", "the system chooses local ports; give addresses with --source"),
            refused("SourcePortLo", null, "the system chooses local ports; give addresses with --source"),
            refused("IOListenerThreads", "1", "give --threads"),
            refused("RetryDelay", "0", "a client that is refused stays out, and the run fails"),
            refused("RetryBackoff", "0", "a client that is refused stays out, and the run fails"),
            refused("RetryMaxAttempts", "0", "a client that is refused stays out, and the run fails"),
            refused("RecvSockBuffer", null, "set net.ipv4.tcp_rmem"),
            refused("SendSockBuffer", null, "set net.ipv4.tcp_wmem"),
            refused("RecvBufferSize", null, "buffers are as large as packets need"),
            refused("SendBufferSize", null, "buffers are as large as packets need"),
            refused("ConnHistSize", null, "latencies are kept with three digits, however long"),
            refused("MsgHistSize", null, "latencies are kept with three digits, however long"),
            refused("SampleRate", "1", "the latency of every message is measured"),
            refused("ClockSrc", null, "the clock is the JVM's monotonic one"),
            refused("ALPNList", null, "no protocol is negotiated in TLS"),
            refused("GraphiteIP", null, "give --csv or --json"),
            refused("GraphitePort", null, "give --csv or --json"),
            refused("GraphiteMetricRoot", null, "give --csv or --json"));

    private OldVariables() {}

    private static Map.Entry<String, Refused> refused(String name, @Nullable String usual, String advice) {
        return Map.entry(name, new Refused(usual, advice));
    }

    /** @throws IllegalArgumentException for what has no counterpart, with what to do instead */
    static List<String> options(Map<String, String> environment) {
        environment.keySet().stream().sorted().forEach(name -> refuse(name, environment.get(name)));
        List<String> options = new ArrayList<>(servers(environment));
        options.addAll(pace(environment));
        OPTIONS.forEach((name, option) -> {
            String value = environment.get(name);
            if (value != null && !value.isBlank()) {
                options.addAll(option.apply(value.strip()));
            }
        });
        return options;
    }

    private static void refuse(String name, String value) {
        if (value.isBlank()) {
            return;
        }
        if (name.startsWith(AFFINITY)) {
            throw wrong(name, "start the harness with taskset");
        }
        Refused refused = REFUSED.get(name);
        if (refused != null && !value.equals(refused.usual)) {
            throw wrong(name, refused.advice);
        }
    }

    private static IllegalArgumentException wrong(String name, String advice) {
        return new IllegalArgumentException(
                "the environment has " + name + ", which the reference harness read; unset it: " + advice);
    }

    /** Servers, or pairs of an own address and a server, and as many ports, or one. */
    private static List<String> servers(Map<String, String> environment) {
        String servers = environment.getOrDefault(SERVER, "");
        String ports = environment.getOrDefault(PORT, "");
        if (servers.isBlank() && ports.isBlank()) {
            return List.of();
        }
        String[] hosts = words(servers.isBlank() ? "localhost" : servers);
        String[] numbers = words(ports.isBlank() ? "1883" : ports);
        if (numbers.length != 1 && numbers.length != hosts.length) {
            throw wrong(PORT, "it has " + numbers.length + " ports for " + hosts.length + " servers; give --target");
        }
        List<String> targets = new ArrayList<>();
        List<String> sources = new ArrayList<>();
        for (int i = 0; i < hosts.length; i++) {
            String[] pair = hosts[i].split(":", 2);
            targets.add(pair[pair.length - 1] + ":" + numbers[numbers.length == 1 ? 0 : i]);
            if (pair.length == 2) {
                sources.add(pair[0]);
            }
        }
        if (!sources.isEmpty() && sources.size() != hosts.length) {
            throw wrong(SERVER, "some of its servers have an address of one's own before them, and some have not");
        }
        String target = "--target=" + String.join(",", targets);
        return sources.isEmpty() ? List.of(target) : List.of(target, "--source=" + String.join(",", sources));
    }

    private static String[] words(String text) {
        return text.strip().split("[\\s,]+", -1);
    }

    /** After so many connections it rested so many microseconds; here they have a rate. */
    private static List<String> pace(Map<String, String> environment) {
        double pauseUs = number(PAUSE, environment.getOrDefault(PAUSE, ""));
        double connections = number(CONNECTIONS_BEFORE_PAUSE, environment.getOrDefault(CONNECTIONS_BEFORE_PAUSE, ""));
        return pauseUs > 0 && connections > 0
                ? List.of("--connect-rate=" + connections * SECOND_US / pauseUs)
                : List.of();
    }

    private static double number(String name, String value) {
        try {
            return value.isBlank() ? 0 : Double.parseDouble(value);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("the environment's " + name + " is a number, not " + value, notANumber);
        }
    }

    private static List<String> tls(String value) {
        return switch (value) {
            case "0" -> List.of();
            case "1" -> List.of("--tls=true");
            default -> throw wrong("UseSecureConn", "1 means --tls; with anything else say it by options");
        };
    }

    private static List<String> cipher(String value) {
        if (!value.contains("-") && !value.contains("_")) {
            throw wrong("SSLCipher", value + " is a class of cipher suites; give --cipher with their names");
        }
        return List.of("--cipher=" + value.replace(':', ','));
    }

    private static String protocol(String value) {
        return switch (value) {
            case "TLSv1", "TLSv1.0" -> "TLSv1";
            case "TLSv11", "TLSv1.1" -> "TLSv1.1";
            case "TLSv12", "TLSv1.2" -> "TLSv1.2";
            case "TLSv13", "TLSv1.3" -> "TLSv1.3";
            default -> throw wrong("SSLClientMeth", value + " is not offered; give --tls-protocol, such as TLSv1.2");
        };
    }

    private static List<String> client(String value) {
        if (!value.equals("MQTT")) {
            throw wrong("IMAClient", "this harness is for MQTT; use jmsbench for " + value);
        }
        return List.of();
    }
}
