package dev.avocet.bench.mqtt;

import java.util.List;
import java.util.Map;

/** What the reference harness had and this one has under another name, or not: it is refused with words that help. */
final class OldNames {
    private static final String NOT_HERE = "there is nothing like it here";

    private static final Map<String, String> OPTIONS = Map.ofEntries(
            Map.entry("-cl", "client lists are not read; say who connects with --producers, --consumers and --idle"),
            Map.entry("-crange", "client lists are not read; give each process an --instance of its own"),
            Map.entry("-M", "messages of one's own are not read; give --size"),
            Map.entry("-st", "give --threads"),
            Map.entry("-t", "give --rate max for as fast as it goes"),
            Map.entry("-c", "a run has a --duration, not a count"),
            Map.entry("-u", "latencies are kept in nanoseconds, with three digits"),
            Map.entry("-cu", "latencies are kept in nanoseconds, with three digits"),
            Map.entry("-ru", "latencies are kept in nanoseconds, with three digits"),
            Map.entry("-rl", "each report has latencies of its own; the command resetlat forgets them"),
            Map.entry("-rr", "give --warm-up"),
            Map.entry("-b", "give --warm-up"),
            Map.entry("--snap", "give --interval"),
            Map.entry("-csv", "give --csv"),
            Map.entry("-lcsv", "the percentiles are in what --json and --html write"),
            Map.entry("--mim", "give --in-flight"),
            Map.entry("-l", "give --storm-every and --storm-away"),
            Map.entry("-nw", "a run always waits until all are connected"),
            Map.entry("-jitter", "give --interval; each interval is in what --csv writes"),
            Map.entry("-env", "--json keeps the environment; the command env shows it"),
            Map.entry("-as", NOT_HERE),
            Map.entry("--sseq", NOT_HERE + ": clients take turns"),
            Map.entry("--quit", "clients with persistent sessions unsubscribe and disconnect, others disconnect"),
            Map.entry("--noreconn", "a client that is lost stays lost, and the run fails"),
            Map.entry("--nodnscache", NOT_HERE),
            Map.entry("-dci", NOT_HERE),
            Map.entry("-tl", NOT_HERE),
            Map.entry("--clientTrace", NOT_HERE));

    private static final Map<String, String> VARIABLES = Map.ofEntries(
            Map.entry("IMAServer", "--target, and --source for the addresses before the colons"),
            Map.entry("IMAPort", "--target"),
            Map.entry("SIPList", "--source"),
            Map.entry("UseSecureConn", "--tls"),
            Map.entry("SSLCipher", "--cipher"),
            Map.entry("SSLClientMeth", "--tls-protocol"),
            Map.entry("DelayTime", "--connect-rate"),
            Map.entry("DelayCount", "--connect-rate"),
            Map.entry("MQTTKeepAlive", "--keep-alive"),
            Map.entry("MQTTVersion", "--mqtt-version"),
            Map.entry("IOProcThreads", "--threads"),
            Map.entry("PipeCommands", "--command-pipe"));

    private OldNames() {}

    /**
     * Looks for what only the reference harness knew.
     *
     * @throws IllegalArgumentException with what to use instead
     */
    static void refuse(List<String> arguments, Map<String, String> environment) {
        if (arguments.isEmpty() || !arguments.get(0).equals("run")) {
            return;
        }
        for (String argument : arguments) {
            String advice = OPTIONS.get(argument);
            if (advice != null) {
                throw new IllegalArgumentException(argument + " is an option of the reference harness: " + advice);
            }
        }
        environment.keySet().stream()
                .filter(VARIABLES::containsKey)
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException("the environment has " + name
                            + ", which the reference harness read; unset it and give " + VARIABLES.get(name));
                });
    }
}
