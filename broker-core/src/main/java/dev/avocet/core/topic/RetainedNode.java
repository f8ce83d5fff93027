package dev.avocet.core.topic;

import dev.avocet.core.message.Message;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A node of the {@link RetainedMessages}. */
final class RetainedNode extends LevelNode<RetainedNode> {
    private static final VarHandle MESSAGE = messageHandle();

    /**
     * Any thread replaces one message by another; only the holder of the lock sets the first one or takes the last one
     * away.
     */
    private volatile @Nullable Message message;

    RetainedNode(Level level) {
        super(level);
    }

    @Nullable Message message() {
        return message;
    }

    boolean replace(@Nullable Message expected, @Nullable Message replacement) {
        return MESSAGE.compareAndSet(this, expected, replacement);
    }

    boolean isEmpty() {
        return message == null && !hasChildren();
    }

    boolean isReserved() {
        return level().isReserved();
    }

    private static VarHandle messageHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(RetainedNode.class, "message", Message.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
