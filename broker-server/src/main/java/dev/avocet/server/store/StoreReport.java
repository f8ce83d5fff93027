package dev.avocet.server.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was found in a store, for people and for scripts.
 *
 * @param figures by names as in JSON, in the order of showing; numbers and texts
 * @param segments the same for each file of the journal
 * @param damages one sentence for each place that is damaged, with file and offset
 * @param consequences what a repair has done to the store, a sentence each: what is lost, what was kept of before
 * @param repaired true when they have been taken away since
 */
public record StoreReport(
        Map<String, Object> figures,
        List<Map<String, Object>> segments,
        List<String> damages,
        List<String> consequences,
        boolean repaired) {
    /** Copies everything. */
    public StoreReport {
        figures = ordered(figures);
        segments = segments.stream().map(StoreReport::ordered).toList();
        damages = List.copyOf(damages);
        consequences = List.copyOf(consequences);
    }

    /** True when the store cannot be opened as it is. */
    public boolean needsRepair() {
        return !damages.isEmpty() && !repaired;
    }

    /** Names of the columns of all segments, in the order of showing. */
    public List<String> segmentColumns() {
        return new ArrayList<>(segments.stream()
                .collect(LinkedHashMap<String, Object>::new, Map::putAll, Map::putAll)
                .keySet());
    }

    private static Map<String, Object> ordered(Map<String, Object> figures) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }
}
