package dev.avocet.core.topic;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The last retained message of each topic, in a tree of levels: a filter finds its messages by walking what it matches.
 *
 * <p>Any thread may call any method. Finding takes no lock, nor does replacing a topic's message by the next one.
 */
public final class RetainedMessages {

    /**
     * Serialises what adds a topic or takes one away; a publish to a topic that holds a message already goes past it.
     * It is held for a walk along one name, and nothing foreign is called meanwhile. It is what makes the bound exact
     * and pruning simple.
     */
    private final ReentrantLock writeLock = new ReentrantLock();

    private final RetainedNode root = new RetainedNode(Level.EMPTY);
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder bytes = new LongAdder();
    private final int countMax;
    private final int levelsMax;
    /** Hears of stored messages that are not retained any more. */
    private final Consumer<? super StoredMessage> released;

    /**
     * @param countMax the most topics that hold a message
     * @param levelsMax the most levels of a topic name. A front end refuses longer ones by
     *     {@link TopicLevels#levelCount(TopicName)} before they come here
     */
    public RetainedMessages(int countMax, int levelsMax) {
        this(countMax, levelsMax, message -> {});
    }

    /**
     * @param countMax the most topics that hold a message
     * @param levelsMax the most levels of a topic name
     * @param released hears of each stored message that is not retained any more, on the thread that replaced or
     *     removed it
     */
    public RetainedMessages(int countMax, int levelsMax, Consumer<? super StoredMessage> released) {
        this.countMax = countMax;
        this.levelsMax = levelsMax;
        this.released = released;
    }

    public RetainedMessages(int countMax) {
        this(countMax, TopicLevels.DEFAULT_MAX);
    }

    /** How many topics hold a message, expired ones that nobody came across included. */
    public int count() {
        return count.get();
    }

    /** What the messages occupy, by {@link Message#sizeBytes()}. Approximate beside changes. */
    public long sizeBytes() {
        return bytes.sum();
    }

    /**
     * Keeps the message in place of its topic's earlier one. An empty payload removes that one and is not kept itself
     * [MQTT-3.3.1-6] [MQTT-3.3.1-7]. Of two messages from the store the one that lies behind the other stays. False
     * when the message is refused because the topic is new and as many as allowed are held.
     * {@link IllegalArgumentException} when the topic has too many levels.
     */
    public boolean store(Message message) {
        if (message.payload().length == 0) {
            remove(message.topic());
            return true;
        }
        TopicLevels.requireAtMost(levelsMax, TopicLevels.levelCount(message.topic()));
        byte[] topic = message.topic().utf8();
        RetainedNode node = node(topic);
        return (node != null && replaced(node, message)) || stored(topic, message);
    }

    /** Forgets the topic's message; false when it has none. */
    public boolean remove(TopicName topic) {
        return remove(topic, message -> true);
    }

    /** Forgets this very message; false when its topic holds another one by now, or none. */
    public boolean remove(Message message) {
        return remove(message.topic(), there -> there == message);
    }

    /** The topic's message, or null when it has none. An expired one is not returned but removed. */
    public @Nullable Message find(TopicName topic, long nowNs) {
        RetainedNode node = node(topic.utf8());
        Message message = node == null ? null : node.message();
        return message == null || removeExpired(message, nowNs) ? null : message;
    }

    /**
     * Shows the visitor the messages whose topics match, in no order. Expired ones are not shown but removed. Messages
     * that come or go meanwhile are shown or not.
     *
     * @param nowNs the time on the scale of the messages' deadlines
     */
    public void find(TopicFilter filter, long nowNs, Consumer<? super Message> visitor) {
        RetainedWalk walk = walk(filter);
        while (walk.advance()) {
            Message message = walk.message(nowNs);
            if (message != null) {
                visitor.accept(message);
            }
        }
    }

    /** A new walk along the messages whose topics match, for whoever cannot look at all of them at once. */
    public RetainedWalk walk(TopicFilter filter) {
        return new RetainedWalk(this, root, filter);
    }

    /** Shows the visitor every message, those of topics that begin with {@code $} and expired ones included. */
    public void forEach(Consumer<? super Message> visitor) {
        forEach(root, visitor);
    }

    /**
     * A new walk that removes expired messages step by step, owned by the caller. One is enough for a periodic reaper.
     */
    public ExpirySweep expirySweep() {
        return new ExpirySweep(this, root);
    }

    private static void forEach(RetainedNode node, Consumer<? super Message> visitor) {
        Message message = node.message();
        if (message != null) {
            visitor.accept(message);
        }
        for (RetainedNode child : node.children()) {
            forEach(child, visitor);
        }
    }

    /** Removes the message if it is expired and still there; true when it is expired. */
    boolean removeExpired(Message message, long nowNs) {
        if (!message.isExpired(nowNs)) {
            return false;
        }
        remove(message);
        return true;
    }

    /** Replaces a message by another; false when there is none and the lock is needed. */
    private boolean replaced(RetainedNode node, Message message) {
        for (Message earlier = node.message(); earlier != null; earlier = node.message()) {
            if (isNewer(earlier, message)) {
                release(message);
                return true;
            }
            if (node.replace(earlier, message)) {
                bytes.add(message.sizeBytes() - earlier.sizeBytes());
                release(earlier);
                return true;
            }
        }
        return false;
    }

    /**
     * The message lies in the store now, or elsewhere in it: it is kept in that form and the earlier one released. When
     * it is not retained any more, the new one is released at once.
     */
    public void stored(Message message, StoredMessage stored) {
        RetainedNode node = node(message.topic().utf8());
        boolean kept = node != null && node.replace(message, stored);
        release(kept ? message : stored);
    }

    private static boolean isNewer(Message one, Message other) {
        return one instanceof StoredMessage first
                && other instanceof StoredMessage second
                && first.position() > second.position();
    }

    private void release(Message message) {
        if (message instanceof StoredMessage stored) {
            released.accept(stored);
        }
    }

    private boolean stored(byte[] topic, Message message) {
        writeLock.lock();
        try {
            RetainedNode known = node(topic);
            if (known != null && replaced(known, message)) {
                return true;
            }
            if (count.get() >= countMax) {
                return false;
            }
            RetainedNode node = nodeOrNew(topic);
            node.replace(null, message);
            count.incrementAndGet();
            bytes.add(message.sizeBytes());
            return true;
        } finally {
            writeLock.unlock();
        }
    }

    private boolean remove(TopicName topic, Predicate<Message> condition) {
        writeLock.lock();
        try {
            Message removed = remove(root, topic.utf8(), 0, condition);
            if (removed == null) {
                return false;
            }
            count.decrementAndGet();
            bytes.add(-removed.sizeBytes());
            release(removed);
            return true;
        } finally {
            writeLock.unlock();
        }
    }

    /** Returns what was removed, or null; cuts off nodes that are empty then. */
    private static @Nullable Message remove(RetainedNode node, byte[] topic, int from, Predicate<Message> condition) {
        if (from > topic.length) {
            return take(node, condition);
        }
        int end = Level.end(topic, from);
        RetainedNode child = node.child(topic, from, end);
        if (child == null) {
            return null;
        }
        Message removed = remove(child, topic, end + 1, condition);
        if (removed != null && child.isEmpty()) {
            node.detach(child);
        }
        return removed;
    }

    private static @Nullable Message take(RetainedNode node, Predicate<Message> condition) {
        for (Message there = node.message(); there != null && condition.test(there); there = node.message()) {
            if (node.replace(there, null)) {
                return there;
            }
        }
        return null;
    }

    private @Nullable RetainedNode node(byte[] topic) {
        RetainedNode node = root;
        for (int from = 0; node != null && from <= topic.length; ) {
            int end = Level.end(topic, from);
            node = node.child(topic, from, end);
            from = end + 1;
        }
        return node;
    }

    private RetainedNode nodeOrNew(byte[] topic) {
        RetainedNode node = root;
        for (int from = 0; from <= topic.length; ) {
            int end = Level.end(topic, from);
            RetainedNode child = node.child(topic, from, end);
            if (child == null) {
                child = new RetainedNode(Level.in(topic, from, end).copy());
                node.attach(child);
            }
            node = child;
            from = end + 1;
        }
        return node;
    }

    /** True when not a single node is left below the root. */
    boolean isEmpty() {
        return root.isEmpty();
    }
}
