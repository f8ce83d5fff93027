package dev.avocet.core.store.inspect;

import dev.avocet.core.store.entry.EntryKind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many entries there are of each kind. One owner. */
final class EntryCounts {
    private final Map<EntryKind, Long> counts = new EnumMap<>(EntryKind.class);

    void add(EntryKind kind) {
        counts.merge(kind, 1L, Long::sum);
    }

    Map<EntryKind, Long> asMap() {
        return Collections.unmodifiableMap(new EnumMap<>(counts));
    }

    /** A line for people; nothing when there are none. */
    static String text(String title, Map<EntryKind, Long> counts) {
        if (counts.isEmpty()) {
            return "";
        }
        return title + ": "
                + new TreeMap<>(counts)
                        .entrySet().stream()
                                .map(count -> count.getKey() + " " + count.getValue())
                                .collect(Collectors.joining(", "))
                + "\n";
    }
}
