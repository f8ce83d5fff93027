package dev.avocet.bench.mqtt.engine.flow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds topic filters of one client that some topic name matches more than once: a server may send one copy then, or
 * several [MQTT-3.3.4-2], so that nothing could be said of what is lost. Stateless.
 */
public final class FilterOverlap {
    private static final String SHARE = "$share/";

    private FilterOverlap() {}

    /** @throws IllegalArgumentException when there are such */
    public static void refuse(String client, List<String> topicFilters) {
        Set<String> plain = new HashSet<>();
        List<String> wild = new ArrayList<>();
        for (String filter : topicFilters) {
            boolean isNew = plain.add(filter);
            if (!filter.startsWith(SHARE)) {
                refuseIf(!isNew, client, filter, filter);
                if (filter.contains("+") || filter.contains("#")) {
                    wild.add(filter);
                }
            }
        }
        for (String one : wild) {
            for (String other : plain) {
                boolean isOther = !other.equals(one) && !other.startsWith(SHARE);
                refuseIf(isOther && overlap(one, other), client, one, other);
            }
        }
    }

    private static void refuseIf(boolean isSo, String client, String one, String other) {
        if (isSo) {
            throw new IllegalArgumentException("--client-list: subscriptions " + one + " and " + other + " of client "
                    + client + " overlap; a server may send such messages once or twice, so losses could not be told");
        }
    }

    static boolean overlap(String one, String other) {
        return overlap(one.split("/", -1), other.split("/", -1), 0);
    }

    private static boolean overlap(String[] one, String[] other, int level) {
        boolean isEndOfOne = level == one.length;
        boolean isEndOfOther = level == other.length;
        if (isEndOfOne || isEndOfOther) {
            // '#' stands for its parent too.
            return (isEndOfOne || one[level].equals("#")) && (isEndOfOther || other[level].equals("#"));
        }
        if (one[level].equals("#") || other[level].equals("#")) {
            return true;
        }
        boolean isSame = one[level].equals(other[level]) || one[level].equals("+") || other[level].equals("+");
        return isSame && overlap(one, other, level + 1);
    }
}
