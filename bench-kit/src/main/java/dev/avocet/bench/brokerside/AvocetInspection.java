package dev.avocet.bench.brokerside;

import com.fasterxml.jackson.databind.JsonNode;
import dev.avocet.bench.run.Inspection;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Avocet's own figures: of the server before and after, and the high-water marks of its fullest subscriptions. */
public final class AvocetInspection implements Inspection {
    private static final String BUFFERED = "BufferedMessages";
    private static final List<String> LOSSES = List.of("DiscardedMessages", "RejectedMessages", "ExpiredMessages");
    private static final String FULLEST = "?StatType=BufferedHWMPercentHighest&ResultCount=10";
    private static final int LOOKS = 20;
    private static final long BETWEEN_LOOKS_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MonitoringClient client;
    private Map<String, Long> before = Map.of();

    /**
     * Asks nothing yet.
     *
     * @param address such as {@code http://127.0.0.1:9089}
     */
    public AvocetInspection(URI address, @Nullable String user, @Nullable String password) {
        client = new MonitoringClient(address, user, password);
    }

    @Override
    public void begin() {
        before = server();
    }

    /** A broker that does not answer any more is a fault, not a reason to lose the rest of the result. */
    @Override
    public Findings end() {
        try {
            return lookAgain();
        } catch (IllegalArgumentException silence) {
            return new Findings(Map.of("brokerBefore", before), List.of(String.valueOf(silence.getMessage())));
        }
    }

    private Findings lookAgain() {
        Map<String, Long> after = afterAcknowledgements();
        Map<String, Long> grown = new LinkedHashMap<>();
        after.forEach((name, value) -> grown.put(name, value - before.getOrDefault(name, 0L)));
        Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
        counts.put("brokerBefore", before);
        counts.put("brokerAfter", after);
        counts.put("brokerGrown", grown);
        counts.put("highWaterMarks", highWaterMarks());
        return new Findings(counts, faults(grown));
    }

    /** The last acknowledgements may still be on their way. */
    private Map<String, Long> afterAcknowledgements() {
        Map<String, Long> now = server();
        for (int look = 1; look < LOOKS && buffered(now) > buffered(before); look++) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NS);
            now = server();
        }
        return now;
    }

    private static long buffered(Map<String, Long> figures) {
        return figures.getOrDefault(BUFFERED, 0L);
    }

    private static List<String> faults(Map<String, Long> grown) {
        List<String> faults = new ArrayList<>();
        for (String loss : LOSSES) {
            if (grown.getOrDefault(loss, 0L) > 0) {
                faults.add("the broker says: " + loss + " grew by " + grown.get(loss));
            }
        }
        if (buffered(grown) > 0) {
            faults.add("the broker still buffers " + buffered(grown) + " messages more than before");
        }
        return faults;
    }

    private Map<String, Long> server() {
        Map<String, Long> figures = new LinkedHashMap<>();
        client.ask("Server", "").properties().forEach(field -> {
            if (field.getValue().isNumber()) {
                figures.put(field.getKey(), field.getValue().asLong());
            }
        });
        return figures;
    }

    private Map<String, Long> highWaterMarks() {
        Map<String, Long> marks = new LinkedHashMap<>();
        for (JsonNode subscription : client.ask("Subscription", FULLEST)) {
            marks.merge(
                    nameOf(subscription), subscription.path("BufferedMsgsHWM").asLong(), Math::max);
        }
        return marks;
    }

    /** A subscription that clients share belongs to none of them, and several may have the same topic filter. */
    private static String nameOf(JsonNode subscription) {
        String filter = subscription.path("TopicString").asText();
        String name = subscription.path("SubName").asText(filter);
        String what = name.equals(filter) ? filter : filter + " (" + name + ")";
        String client = subscription.path("ClientID").asText();
        return client.isEmpty() ? what + " shared" : what + " of " + client;
    }
}
