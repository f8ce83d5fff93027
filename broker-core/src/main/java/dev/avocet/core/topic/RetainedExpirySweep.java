package dev.avocet.core.topic;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;

/**
 * Walks the retained messages round and round and removes what has expired, a few nodes at a time. Owned by the thread
 * that made it: one thread at a time; the messages may change meanwhile.
 */
public final class RetainedExpirySweep {
    private final RetainedMessages messages;
    private final RetainedNode root;

    /** Where the walk stands, the deepest level on top: never more than the tree has levels. */
    private final ArrayDeque<Iterator<RetainedNode>> path = new ArrayDeque<>();

    RetainedExpirySweep(RetainedMessages messages, RetainedNode root) {
        this.messages = messages;
        this.root = root;
    }

    /**
     * Looks at up to {@code nodesMax} nodes, from where the last step ended, and removes their messages if expired.
     * Ends early when it comes to the end of a round; the next step begins another.
     *
     * @param nowNs the time on the scale of the messages' deadlines
     * @return true when this step ended a round
     */
    public boolean step(long nowNs, int nodesMax) {
        if (path.isEmpty()) {
            path.push(List.of(root).iterator());
        }
        for (int visited = 0; visited < nodesMax && !path.isEmpty(); ) {
            Iterator<RetainedNode> siblings = path.peek();
            if (siblings.hasNext()) {
                visit(siblings.next(), nowNs);
                visited++;
            } else {
                path.pop();
            }
        }
        return path.isEmpty();
    }

    private void visit(RetainedNode node, long nowNs) {
        // Children first: a node that is cut off with its message keeps the ones that it had.
        if (node.hasChildren()) {
            path.push(node.children().iterator());
        }
        messages.message(node, nowNs);
    }
}
