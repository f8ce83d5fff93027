package dev.avocet.bench.mqtt.engine.flow;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who gets a message: counts, for a topic name, the subscriptions that match it. Those that share count once. */
public final class FilterTree {
    private static final String SHARE = "$share/";

    private final Map<String, FilterTree> children = new HashMap<>();
    private final Set<String> groups = new HashSet<>();
    private int here;

    public void add(String topicFilter) {
        if (!topicFilter.startsWith(SHARE)) {
            leaf(topicFilter).count();
            return;
        }
        String[] parts = topicFilter.split("/", 3);
        if (parts.length < 3) {
            throw new IllegalArgumentException(topicFilter + " lacks the filter behind its share name");
        }
        FilterTree leaf = leaf(parts[2]);
        if (leaf.groups.add(parts[1])) {
            leaf.count();
        }
    }

    public int matches(String topicName) {
        return matches(topicName.split("/", -1), 0);
    }

    private void count() {
        here++;
    }

    private FilterTree leaf(String topicFilter) {
        FilterTree at = this;
        for (String level : topicFilter.split("/", -1)) {
            at = at.children.computeIfAbsent(level, name -> new FilterTree());
        }
        return at;
    }

    private int matches(String[] levels, int depth) {
        FilterTree all = children.get("#");
        int found = all == null ? 0 : all.here;
        if (depth == levels.length) {
            return found + here;
        }
        return found + below(children.get(levels[depth]), levels, depth) + below(children.get("+"), levels, depth);
    }

    private static int below(@Nullable FilterTree child, String[] levels, int depth) {
        return child == null ? 0 : child.matches(levels, depth + 1);
    }
}
