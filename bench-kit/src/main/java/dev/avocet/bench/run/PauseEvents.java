package dev.avocet.bench.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Makes pauses out of the JVM's events: from the time at which it asks all threads to stop until it lets them go on.
 */
final class PauseEvents {
    private static final String BEGIN = "jdk.SafepointBegin";
    private static final String END = "jdk.SafepointEnd";
    private static final String OPERATION = "jdk.ExecuteVMOperation";
    private static final String COLLECTOR_PAUSE = "jdk.GCPhasePause";
    private static final String COLLECTION = "jdk.GarbageCollection";
    static final List<String> NAMES = List.of(BEGIN, END, OPERATION, COLLECTOR_PAUSE, COLLECTION);

    private static final String SAFEPOINT_ID = "safepointId";
    private static final String COLLECTION_ID = "gcId";
    private static final long LEAST_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int MOST = 2_000;

    private final List<RecordedEvent> events;
    private final Map<Long, Instant> endBySafepoint = new HashMap<>();
    private final Map<Long, String> operationBySafepoint = new HashMap<>();
    private final Map<Number, String> causeByCollection = new HashMap<>();

    /** A pause by the time of day. */
    record Stop(String kind, String cause, Instant begin, Instant end) {
        long durationNs() {
            return Duration.between(begin, end).toNanos();
        }

        private boolean contains(Stop other) {
            return !other.begin.isBefore(begin) && !other.begin.isAfter(end);
        }
    }

    PauseEvents(List<RecordedEvent> events) {
        this.events = events;
        for (RecordedEvent event : events) {
            switch (event.getEventType().getName()) {
                case END -> endBySafepoint.put(event.getLong(SAFEPOINT_ID), event.getEndTime());
                case OPERATION -> operationBySafepoint.put(event.getLong(SAFEPOINT_ID), event.getString("operation"));
                case COLLECTION ->
                    causeByCollection.put(
                            event.<Number>getValue(COLLECTION_ID),
                            event.getString("name") + ", " + event.getString("cause"));
                default -> {}
            }
        }
    }

    /** What is long enough to matter, and not too much of it. */
    static List<Stop> worthTelling(List<Stop> stops) {
        return stops.stream()
                .filter(stop -> stop.durationNs() >= LEAST_NS)
                .sorted(Comparator.comparingLong(Stop::durationNs).reversed())
                .limit(MOST)
                .sorted(Comparator.comparing(Stop::begin))
                .toList();
    }

    /** In their order; what a collector does at a safepoint makes that the collector's. */
    List<Stop> stops() {
        List<Stop> safepoints = new ArrayList<>();
        List<Stop> collections = new ArrayList<>();
        for (RecordedEvent event : events) {
            String name = event.getEventType().getName();
            if (name.equals(BEGIN)) {
                safepoints.add(safepoint(event));
            } else if (name.equals(COLLECTOR_PAUSE)) {
                String cause = causeByCollection.getOrDefault(event.<Number>getValue(COLLECTION_ID), "");
                collections.add(new Stop(Pause.COLLECTOR, cause, event.getStartTime(), event.getEndTime()));
            }
        }
        return merged(safepoints, collections);
    }

    private Stop safepoint(RecordedEvent begin) {
        long id = begin.getLong(SAFEPOINT_ID);
        return new Stop(
                Pause.SAFEPOINT,
                operationBySafepoint.getOrDefault(id, ""),
                begin.getStartTime(),
                endBySafepoint.getOrDefault(id, begin.getEndTime()));
    }

    private static List<Stop> merged(List<Stop> safepoints, List<Stop> collections) {
        List<Stop> all = new ArrayList<>(collections);
        for (Stop safepoint : safepoints) {
            List<Stop> inside = collections.stream().filter(safepoint::contains).toList();
            all.removeAll(inside);
            all.add(
                    inside.isEmpty()
                            ? safepoint
                            : new Stop(Pause.COLLECTOR, inside.get(0).cause, safepoint.begin, safepoint.end));
        }
        all.sort(Comparator.comparing(Stop::begin));
        return all;
    }
}
