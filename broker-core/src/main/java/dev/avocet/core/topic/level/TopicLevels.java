package dev.avocet.core.topic.level;

import dev.avocet.core.message.TopicFilter;

/** Counts the levels of topic filters, and bounds them. */
public final class TopicLevels {
    /** How many levels a name or a filter may have unless configured otherwise: it bounds the depth of the trees. */
    public static final int DEFAULT_MAX = 32;

    private TopicLevels() {}

    /** How many levels the filter has, wildcards and empty levels included. */
    public static int levelCount(TopicFilter filter) {
        return filter.levels().size();
    }

    public static int slashCount(String text, int limit) {
        int count = 0;
        for (int at = text.indexOf('/'); at >= 0 && count < limit; at = text.indexOf('/', at + 1)) {
            count++;
        }
        return count;
    }

    public static void requireAtMost(int levelsMax, int levelCount) {
        if (levelCount > levelsMax) {
            throw new IllegalArgumentException("at most " + levelsMax + " levels, not " + levelCount);
        }
    }
}
