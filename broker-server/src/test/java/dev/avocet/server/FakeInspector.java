package dev.avocet.server;

import dev.avocet.core.journal.JournalException;
import dev.avocet.server.store.StoreInspector;
import dev.avocet.server.store.StoreLocation;
import dev.avocet.server.store.StoreReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds a sound store, unless it is told otherwise. */
final class FakeInspector implements StoreInspector {
    private final List<String> damages;

    FakeInspector(String... damages) {
        this.damages = List.of(damages);
    }

    @Override
    public StoreReport stat(StoreLocation store) throws JournalException {
        if (damages.contains("unreadable")) {
            throw new JournalException("cannot read 1.segment: no permission");
        }
        return report(store, List.of(), false);
    }

    @Override
    public StoreReport verify(StoreLocation store) {
        return report(store, damages, false);
    }

    @Override
    public StoreReport repair(StoreLocation store) {
        return report(store, damages, true);
    }

    @Override
    public StoreReport upgrade(StoreLocation store) {
        return report(store, List.of(), true);
    }

    private static StoreReport report(StoreLocation store, List<String> damages, boolean repaired) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("directory", store.directory());
        figures.put("liveReferences", 12L);
        Map<String, Object> segment = new LinkedHashMap<>();
        segment.put("file", "1.segment");
        segment.put("firstSequence", 1);
        return new StoreReport(
                figures, List.of(segment), damages, repaired ? List.of("may be lost: a message") : List.of(), repaired);
    }
}
