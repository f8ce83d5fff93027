package dev.avocet.bench.mqtt;

import java.util.List;
import java.util.Map;

/** What the reference harness had and this one has under another name, or not: it is refused with words that help. */
final class OldNames {
    private static final String NOT_HERE = "there is nothing like it here";

    private static final Map<String, String> OPTIONS = Map.ofEntries(
            Map.entry("-c", "a run has a --duration: give the count divided by the rate"),
            Map.entry("-rl", "each report has latencies of its own; the command resetlat forgets them"),
            Map.entry("-rr", "give --warm-up"),
            Map.entry("-l", "give --storm-every and --storm-away"),
            Map.entry("-nw", "a run always waits until all are connected"),
            Map.entry("-jitter", "give --interval; each interval is in what --csv writes"),
            Map.entry("-env", "--json keeps the environment; the command env shows it"),
            Map.entry("-as", NOT_HERE),
            Map.entry("--sseq", NOT_HERE + ": clients take turns"),
            Map.entry("--quit", "clients with persistent sessions unsubscribe and disconnect, others disconnect"),
            Map.entry("--nodnscache", NOT_HERE),
            Map.entry("-efd", "a client that is lost stays lost, and the run fails at its end"),
            Map.entry("-recon", "give --storm-every and --storm-away"),
            Map.entry("-ws", "give --websocket"),
            Map.entry("-proto", "give --mqtt-version"),
            Map.entry("-dci", NOT_HERE),
            Map.entry("-tl", NOT_HERE),
            Map.entry("--clientTrace", NOT_HERE));

    private OldNames() {}

    /**
     * Looks for what only the reference harness knew.
     *
     * @throws IllegalArgumentException with what to use instead
     */
    static void refuse(List<String> arguments) {
        if (arguments.isEmpty() || !arguments.get(0).equals("run")) {
            return;
        }
        for (String argument : arguments) {
            String advice = OPTIONS.get(argument);
            if (advice != null) {
                throw new IllegalArgumentException(argument + " is an option of the reference harness: " + advice);
            }
        }
    }
}
