package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Own;
import dev.avocet.bench.run.PassCriteria;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What of a run was not checked, in words. Immutable.
 *
 * @param arrivals of messages without a head
 */
public record Unchecked(Own own, @Nullable OwnMessages messages, long arrivals) {
    private boolean hasPlain() {
        return messages != null && messages.hasPlain();
    }

    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (hasPlain()) {
            notes.add(
                    "not checked: doubles and order of " + arrivals
                            + " messages with payloads of their own, which have no latency either; they were counted and compared");
        }
        if (own.hasSeveralShares()) {
            notes.add("not checked: doubles between clients that share a subscription, for the list has several");
        }
        return notes;
    }

    /** More than were sent shows that some came twice, though not which. */
    public List<String> faults(Tally tally, PassCriteria criteria) {
        long extra = tally.received() - tally.duplicates() - tally.expected();
        if (!hasPlain() || extra <= 0 || criteria.allowsDuplicates()) {
            return List.of();
        }
        return List.of(extra + " messages came beyond those that were sent");
    }

    public Map<String, Map<String, Long>> counts() {
        return hasPlain() ? Map.of("unchecked", Map.of("messages", arrivals)) : Map.of();
    }
}
