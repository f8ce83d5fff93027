package dev.avocet.bench.run;

import java.util.ArrayList;
import java.util.List;

/** The schedules of a run, each from some moment on. Owned by the thread that runs it. */
public final class RateChanges {
    private record Change(RateSchedule schedule, long sinceNs) {}

    private final List<Change> changes = new ArrayList<>();

    public void add(RateSchedule schedule, long sinceNs) {
        changes.add(new Change(schedule, sinceNs));
    }

    /** How many messages were meant to be sent between two moments. */
    public double messagesBetween(long fromNs, long toNs) {
        double messages = 0;
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            long from = Math.max(fromNs, change.sinceNs);
            long to = i + 1 < changes.size() ? Math.min(toNs, changes.get(i + 1).sinceNs) : toNs;
            if (to - from > 0) {
                messages += change.schedule.messagesBetween(from - change.sinceNs, to - change.sinceNs);
            }
        }
        return messages;
    }
}
