package dev.avocet.core.topic;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.topic.level.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A walk along the retained messages that match a filter, one node at a time, so that its owner can stop anywhere and
 * go on later. Messages that come, go or change meanwhile are met in their new form, or not at all.
 *
 * <p>Owned by the caller.
 */
public final class RetainedWalk {
    private static final String ANY_LEVELS = "#";
    private static final String ANY_LEVEL = "+";

    private final RetainedMessages messages;
    private final RetainedNode root;
    private final List<String> levels;
    /** Where the walk stands, the deepest level on top: never more than the tree has levels. */
    private final Deque<Stage> path = new ArrayDeque<>();

    private @Nullable RetainedNode found;

    RetainedWalk(RetainedMessages messages, RetainedNode root, TopicFilter filter) {
        this.messages = messages;
        this.root = root;
        this.levels = filter.levels();
        path.push(new Stage(List.of(root).iterator(), 0, false));
    }

    /** Moves on to the next node, which may hold a message or not; false at the end. */
    public boolean advance() {
        found = null;
        while (!path.isEmpty()) {
            Stage stage = path.peek();
            if (stage.nodes.hasNext()) {
                RetainedNode node = stage.nodes.next();
                if (!stage.withoutReserved || !node.isReserved()) {
                    visit(node, stage.depth);
                }
                return true;
            }
            path.pop();
        }
        return false;
    }

    /**
     * The matching message of the node that the walk stands on, or null when it has none. An expired one is not shown
     * but removed.
     *
     * @param nowNs the time on the scale of the messages' deadlines
     */
    public @Nullable Message message(long nowNs) {
        return found == null ? null : messages.message(found, nowNs);
    }

    /** Where the matching message of that node lies, when it was not read yet; else null. */
    public @Nullable RetainedPlace place() {
        return found == null ? null : RetainedMessages.unread(found);
    }

    private void visit(RetainedNode node, int depth) {
        if (depth == levels.size()) {
            found = node;
            return;
        }
        String level = levels.get(depth);
        if (level.equals(ANY_LEVELS)) {
            found = node;
            pushChildren(node, depth);
        } else if (level.equals(ANY_LEVEL)) {
            pushChildren(node, depth + 1);
        } else {
            RetainedNode child = node.child(Level.of(level));
            if (child != null) {
                path.push(new Stage(List.of(child).iterator(), depth + 1, false));
            }
        }
    }

    /** [MQTT-4.7.2-1]: no wildcard at the first level matches a name that begins with $. */
    private void pushChildren(RetainedNode node, int depth) {
        if (node.hasChildren()) {
            path.push(new Stage(node.children().iterator(), depth, node == root));
        }
    }

    /**
     * Nodes beside each other.
     *
     * @param depth levels of the filter that have been matched on the way here
     * @param withoutReserved nodes that begin with $ are passed over
     */
    private record Stage(Iterator<RetainedNode> nodes, int depth, boolean withoutReserved) {}
}
