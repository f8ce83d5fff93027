package dev.avocet.core.topic;

import dev.avocet.core.topic.level.Level;
import dev.avocet.core.topic.level.LevelNode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A node of the {@link RetainedMessages}. */
final class RetainedNode extends LevelNode<RetainedNode> {
    private static final VarHandle STATE = stateHandle();

    private final @Nullable RetainedNode parent;
    /**
     * Any thread replaces one message by another; only the holder of the lock sets the first one or takes the last one
     * away.
     */
    private volatile @Nullable RetainedState state;

    RetainedNode(Level level, @Nullable RetainedNode parent) {
        super(level);
        this.parent = parent;
    }

    @Nullable RetainedState state() {
        return state;
    }

    boolean replace(@Nullable RetainedState expected, @Nullable RetainedState replacement) {
        return STATE.compareAndSet(this, expected, replacement);
    }

    /** The name of the topic, of its levels. */
    String topic() {
        StringBuilder name = new StringBuilder(level().toString());
        RetainedNode above = parent;
        while (above != null && above.parent != null) { // the root has no level
            name.insert(0, '/').insert(0, above.level());
            above = above.parent;
        }
        return name.toString();
    }

    boolean isEmpty() {
        return state == null && !hasChildren();
    }

    boolean isReserved() {
        return level().isReserved();
    }

    private static VarHandle stateHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(RetainedNode.class, "state", RetainedState.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
