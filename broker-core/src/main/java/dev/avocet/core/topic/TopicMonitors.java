package dev.avocet.core.topic;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The parts of the topics that are watched. A route knows those that its topic belongs to, so a message whose topic is
 * not watched costs the look at an empty array. Any thread.
 */
public final class TopicMonitors {
    static final TopicFigures[] NONE = {};

    private final SubtreeGenerations generations;
    private final int loops;
    /** Changes come from administrators, seldom. */
    private final ReentrantLock changes = new ReentrantLock();

    private volatile TopicFigures[] all = NONE;

    /**
     * @param generations told when routes have to be computed anew
     * @param loops how many count
     */
    public TopicMonitors(SubtreeGenerations generations, int loops) {
        this.generations = generations;
        this.loops = loops;
    }

    /**
     * Watches these parts from now on and no others. What was watched before goes on counting.
     *
     * @param filters topic filters that end in {@code #}
     * @param nowMs milliseconds since 1970
     */
    public void watch(Collection<String> filters, long nowMs) {
        changes.lock();
        try {
            List<TopicFigures> next = new ArrayList<>();
            List<TopicFilter> changed = new ArrayList<>();
            for (TopicFigures present : all) {
                if (filters.contains(present.filter().text())) {
                    next.add(present);
                } else {
                    changed.add(present.filter());
                }
            }
            for (String filter : filters) {
                if (next.stream().noneMatch(present -> present.filter().text().equals(filter))) {
                    TopicFigures made = new TopicFigures(TopicFilter.of(filter), nowMs, loops);
                    next.add(made);
                    changed.add(made.filter());
                }
            }
            all = next.toArray(NONE);
            changed.forEach(generations::bump);
        } finally {
            changes.unlock();
        }
    }

    /** Whether no part is watched, which another {@link #watch} may change at any time. */
    boolean watchesNothing() {
        return all.length == 0;
    }

    /** What is watched. */
    public List<TopicFigures> all() {
        return List.of(all);
    }

    /** Those that a topic belongs to. The caller must not change the array. */
    public TopicFigures[] of(TopicName topic) {
        TopicFigures[] present = all;
        if (present.length == 0) {
            return NONE;
        }
        List<TopicFigures> found = new ArrayList<>(0);
        for (TopicFigures figures : present) {
            if (figures.isOf(topic)) {
                found.add(figures);
            }
        }
        return found.isEmpty() ? NONE : found.toArray(NONE);
    }
}
