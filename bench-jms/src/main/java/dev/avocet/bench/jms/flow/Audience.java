package dev.avocet.bench.jms.flow;

import dev.avocet.bench.check.SharedStreams;
import dev.avocet.bench.jms.destination.DestinationKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who gets what: how many arrivals a message makes, and which consumers share theirs. */
final class Audience {
    /** The memory for finding duplicates among consumers that share is bounded by this, in sequence numbers. */
    private static final int MAX_NUMBERS = 1 << 28;

    private static final int LARGEST_WINDOW = 1 << 18;
    private static final int SMALLEST_WINDOW = 1 << 10;

    private final DestinationKind kind;
    private final Map<String, Integer> consumersByName = new HashMap<>();
    private final Map<String, SharedStreams> sharedByName = new HashMap<>();

    /**
     * @param consumed the names of all consumers, one for each
     * @param streams how many streams there are
     */
    Audience(DestinationKind kind, List<String> consumed, int streams) {
        this.kind = kind;
        consumed.forEach(name -> consumersByName.merge(name, 1, Integer::sum));
        if (kind != DestinationKind.TOPIC) {
            int window =
                    Math.max(SMALLEST_WINDOW, Math.min(LARGEST_WINDOW, MAX_NUMBERS / streams / consumersByName.size()));
            consumersByName.forEach((name, consumers) -> {
                if (consumers > 1) {
                    sharedByName.put(name, new SharedStreams(streams, window));
                }
            });
        }
    }

    /** How many arrivals a message to this name makes. */
    int copies(String name) {
        return switch (kind) {
            case QUEUE -> consumersByName.containsKey(name) ? 1 : 0;
            case TOPIC ->
                consumersByName.entrySet().stream()
                        .filter(entry -> TopicFilter.matches(entry.getKey(), name))
                        .mapToInt(Map.Entry::getValue)
                        .sum();
            case SHARED ->
                (int) consumersByName.keySet().stream()
                        .filter(filter -> TopicFilter.matches(filter, name))
                        .count();
        };
    }

    /** What the consumers of that name have in common; null where there is one, or each gets its own copy. */
    @Nullable SharedStreams shared(String name) {
        return sharedByName.get(name);
    }
}
