package dev.avocet.core.topic;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.topic.RetainedState.Kept;
import dev.avocet.core.topic.RetainedState.OnDisk;
import dev.avocet.core.topic.RetainedState.Removed;
import dev.avocet.core.topic.RetainedState.Unsaved;
import dev.avocet.core.topic.level.Level;
import dev.avocet.core.topic.level.TopicLevels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The last retained message of each topic, in a tree of levels: a filter finds its messages by walking what it matches.
 *
 * <p>With a store, what is retained is what its journal says: of two entries the one that lies behind the other is
 * true, in whatever order the event loops hear of them. So a removal leaves a trace, until
 * {@linkplain #removals nothing older can come any more}. A message whose entry is not durable yet is shown meanwhile,
 * and covers what the journal has. What was there before the broker started is read when it is wanted.
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

    private final RetainedNode root = new RetainedNode(Level.EMPTY, null);
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder bytes = new LongAdder();
    private final ConcurrentLinkedQueue<Removal> removals = new ConcurrentLinkedQueue<>();
    private final int countMax;
    private final int levelsMax;
    /** Hears of places in the store that are not retained any more; null where there is no store. */
    private final @Nullable Released released;

    /**
     * Without a store.
     *
     * @param countMax the most topics that hold a message
     * @param levelsMax the most levels of a topic name. A front end refuses longer ones by
     *     {@link TopicName#levels()} before they come here
     */
    public RetainedMessages(int countMax, int levelsMax) {
        this(countMax, levelsMax, null);
    }

    /**
     * @param countMax the most topics that hold a message
     * @param levelsMax the most levels of a topic name
     * @param released hears of each place in the store that is not retained any more, on the thread that replaced or
     *     removed it; null where there is no store
     */
    public RetainedMessages(int countMax, int levelsMax, @Nullable Released released) {
        this.countMax = countMax;
        this.levelsMax = levelsMax;
        this.released = released;
    }

    public RetainedMessages(int countMax) {
        this(countMax, TopicLevels.DEFAULT_MAX);
    }

    /** How many topics hold a message, expired ones that no reader came across included. */
    public int count() {
        return count.get();
    }

    /** What the messages occupy, by {@link Message#sizeBytes()}. Approximate beside changes. */
    public long sizeBytes() {
        return bytes.sum();
    }

    /**
     * Keeps the message in place of its topic's earlier one. An empty payload removes that one and is not kept itself
     * [MQTT-3.3.1-6] [MQTT-3.3.1-7]. Where there is a store, a message that lies in it takes effect as
     * {@link #store(StoredMessage, long)} says, and another one covers what the journal has until {@link #saved} or
     * {@link #notSaved}. False when the message is refused because the topic is new and as many as allowed are held.
     * {@link IllegalArgumentException} when the topic has too many levels.
     */
    public boolean store(Message message) {
        if (message instanceof StoredMessage stored) {
            return store(stored, stored.position());
        }
        boolean removes = message.payload().length == 0;
        if (released == null && removes) {
            boolean unused = remove(message.topic());
            return true;
        }
        TopicLevels.requireAtMost(levelsMax, message.topic().levels());
        RetainedState kept = new Kept(message, RetainedState.NO_CLAIM);
        return change(message.topic().utf8(), null, before -> {
                    if (released == null) {
                        return kept;
                    }
                    boolean isNothing = removes && (before == null || !before.isCounted());
                    return isNothing ? before : new Unsaved(message, removes, savedOf(before), true);
                })
                .isAccepted();
    }

    /**
     * An entry of the journal has retained a message that lies in the store, or removed the topic's one if it is empty.
     * It takes effect unless an entry behind it has been heard of already.
     *
     * @param claim the position of the entry: the message's own, or that of its transaction's end
     * @return false when it is refused; then it is not released
     */
    public boolean store(StoredMessage message, long claim) {
        if (message.payload().length == 0) {
            boolean unused = removed(message.topic(), claim);
            return true;
        }
        return settle(message, claim, null);
    }

    /** The entry of a message that was stored as unsaved is durable. As {@link #store(StoredMessage, long)}. */
    public boolean saved(Message unsaved, StoredMessage stored) {
        return settle(stored, stored.position(), unsaved);
    }

    /** A message that was stored as unsaved is not written at all: it stays until another one is. */
    public void notSaved(Message unsaved) {
        change(
                unsaved.topic().utf8(),
                null,
                before -> covers(before, unsaved) && before instanceof Unsaved its
                        ? new Unsaved(unsaved, its.removes(), its.saved(), false)
                        : before);
    }

    /**
     * An entry of the journal has removed the topic's message, unless one behind it has been heard of.
     *
     * @return whether there was one to remove
     */
    public boolean removed(TopicName topic, long claim) {
        return change(topic.utf8(), null, before -> settled(before, new Removed(claim), null))
                .isRemoval();
    }

    /** The entry of an empty message that was stored as unsaved is durable. */
    public void removed(Message unsaved, long claim) {
        change(unsaved.topic().utf8(), null, before -> settled(before, new Removed(claim), unsaved));
    }

    /**
     * A message that lay in the store before the broker started, which is read when it is wanted. False when it is
     * refused.
     */
    public boolean restore(RetainedPlace place) {
        OnDisk unread = new OnDisk(place.position(), place.storedBytes(), place.position());
        return TopicLevels.slashCount(place.topic(), levelsMax) < levelsMax
                && change(utf8(place.topic()), unread, before -> settled(before, unread, null))
                        .isAccepted();
    }

    /** A message was read from where it lies. */
    public void read(RetainedPlace place, StoredMessage message) {
        changeAt(place, null, saved -> saved instanceof OnDisk ? new Kept(message, saved.claim()) : saved);
    }

    /** A message cannot be read from where it lies: it is given up. False when it is not retained there any more. */
    public boolean lost(RetainedPlace place) {
        return changeAt(place, null, saved -> new Removed(saved.claim())).isRemoval();
    }

    /** A message has been written again: it lies elsewhere, if it is retained still. */
    public void moved(RetainedPlace from, StoredMessage message) {
        changeAt(
                from,
                new Kept(message, RetainedState.NO_CLAIM),
                saved -> saved instanceof Kept
                        ? new Kept(message, saved.claim())
                        : new OnDisk(message.position(), message.storedBytes(), saved.claim()));
    }

    /** Forgets the topic's message; false when it has none. */
    public boolean remove(TopicName topic) {
        return change(topic.utf8(), null, RetainedMessages::trace).isRemoval();
    }

    /** Forgets this very message; false when its topic holds another one by now, or none. */
    public boolean remove(Message message) {
        return change(
                        message.topic().utf8(),
                        null,
                        before -> before != null && before.message() == message ? trace(before) : before)
                .isRemoval();
    }

    /** Whether the topic has a message. */
    public boolean isHeld(TopicName topic) {
        RetainedNode node = node(topic.utf8());
        return node != null && isCounted(node.state());
    }

    /** Whether this very message is its topic's retained one. */
    public boolean holds(Message message) {
        RetainedNode node = node(message.topic().utf8());
        RetainedState state = node == null ? null : node.state();
        return state != null && state.message() == message;
    }

    /**
     * The topic's message, or null when it has none in memory. An expired one is not returned but removed.
     *
     * @see #place
     */
    public @Nullable Message find(TopicName topic, long nowNs) {
        RetainedNode node = node(topic.utf8());
        return node == null ? null : message(node, nowNs);
    }

    /** The message that lies at a place, when it is retained there still and in memory; else null. */
    public @Nullable StoredMessage inMemory(RetainedPlace place) {
        RetainedNode node = node(utf8(place.topic()));
        RetainedState saved = node == null ? null : savedOf(node.state());
        return saved instanceof Kept kept
                        && kept.message() instanceof StoredMessage stored
                        && stored.position() == place.position()
                ? stored
                : null;
    }

    /** Where the topic's message lies, when it has one that was not read yet; else null. */
    public @Nullable RetainedPlace place(TopicName topic) {
        RetainedNode node = node(topic.utf8());
        return node == null ? null : unread(node);
    }

    /**
     * Shows the visitor the messages in memory whose topics match, in no order. Expired ones are not shown but removed.
     * Messages that come or go meanwhile are shown or not.
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

    /** A new walk along the messages whose topics match, for who cannot look at all of them at once. */
    public RetainedWalk walk(TopicFilter filter) {
        return new RetainedWalk(this, root, filter);
    }

    /**
     * Shows the visitor every message in memory, those of topics that begin with {@code $} and expired ones included.
     */
    public void forEach(Consumer<? super Message> visitor) {
        forEachNode(root, node -> {
            RetainedState state = node.state();
            Message message = state == null ? null : state.message();
            if (message != null) {
                visitor.accept(message);
            }
        });
    }

    /** Shows the visitor every message that was not read yet, those of topics that begin with {@code $} included. */
    public void forEachUnread(Consumer<? super RetainedPlace> visitor) {
        forEachNode(root, node -> {
            RetainedPlace place = unread(node);
            if (place != null) {
                visitor.accept(place);
            }
        });
    }

    /** Shows the visitor where everything lies that the journal has retained. */
    public void forEachPlace(Consumer<? super RetainedPlace> visitor) {
        forEachNode(root, node -> {
            RetainedState saved = savedOf(node.state());
            if (saved != null && saved.storedBytes() > 0) {
                visitor.accept(new RetainedPlace(node.topic(), saved.position(), saved.storedBytes()));
            }
        });
    }

    /**
     * The traces of removals that there are now. Once every event loop has heard of what it had written until now, no
     * entry with a lower claim can come any more, and {@link #forget} lets them go.
     */
    public List<Removal> removals() {
        return new ArrayList<>(removals);
    }

    /** Lets traces of removals go. */
    public void forget(List<Removal> traces) {
        for (Removal trace : traces) {
            if (removals.remove(trace)) {
                change(utf8(trace.topic()), null, before -> untraced(before, trace.claim()));
            }
        }
    }

    /**
     * A new walk that removes expired messages step by step, owned by the caller. One is enough for a periodic reaper.
     */
    public RetainedExpirySweep expirySweep() {
        return new RetainedExpirySweep(this, root);
    }

    /** The node's message, as far as it is in memory and not expired. An expired one is removed. */
    @Nullable Message message(RetainedNode node, long nowNs) {
        RetainedState state = node.state();
        Message message = state == null ? null : state.message();
        if (message == null || !message.isExpired(nowNs)) {
            return message;
        }
        boolean isPending = state instanceof Unsaved its && its.pending(); // its entry will say what becomes of it
        boolean unused = !isPending && remove(message);
        return null;
    }

    /** Where the node's message lies, when it was not read yet. */
    static @Nullable RetainedPlace unread(RetainedNode node) {
        return node.state() instanceof OnDisk place
                ? new RetainedPlace(node.topic(), place.position(), place.storedBytes())
                : null;
    }

    private static void forEachNode(RetainedNode node, Consumer<? super RetainedNode> visitor) {
        visitor.accept(node);
        for (RetainedNode child : node.children()) {
            forEachNode(child, visitor);
        }
    }

    private boolean settle(StoredMessage message, long claim, @Nullable Message unsaved) {
        TopicLevels.requireAtMost(levelsMax, message.topic().levels());
        Kept kept = new Kept(message, claim);
        return change(message.topic().utf8(), kept, before -> settled(before, kept, unsaved))
                .isAccepted();
    }

    /**
     * What there is once an entry of the journal has been heard of.
     *
     * @param unsaved the message whose entry it is, if that is shown already
     */
    private static @Nullable RetainedState settled(
            @Nullable RetainedState before, RetainedState now, @Nullable Message unsaved) {
        boolean isOwn = unsaved != null && covers(before, unsaved);
        if (RetainedState.claimOf(before) > now.claim()) {
            return isOwn ? savedOf(before) : before;
        }
        return before instanceof Unsaved its && its.pending() && !isOwn ? its.over(now) : now;
    }

    private static boolean covers(@Nullable RetainedState state, Message unsaved) {
        return state instanceof Unsaved its && its.unsaved() == unsaved;
    }

    /** What is left of a message that went by itself. */
    private static @Nullable RetainedState trace(@Nullable RetainedState before) {
        long claim = RetainedState.claimOf(before);
        boolean isTrace = before instanceof Removed;
        return isTrace || claim == RetainedState.NO_CLAIM ? (isTrace ? before : null) : new Removed(claim);
    }

    private static @Nullable RetainedState untraced(@Nullable RetainedState state, long claim) {
        boolean isTrace = savedOf(state) instanceof Removed its && its.claim() == claim;
        if (!isTrace) {
            return state;
        }
        return state instanceof Unsaved its ? its.over(null) : null;
    }

    private static @Nullable RetainedState savedOf(@Nullable RetainedState state) {
        return state == null ? null : state.saved();
    }

    private Change changeAt(RetainedPlace place, @Nullable RetainedState incoming, UnaryOperator<RetainedState> by) {
        return change(utf8(place.topic()), incoming, before -> {
            RetainedState saved = savedOf(before);
            if (saved == null || saved.position() != place.position()) {
                return before;
            }
            RetainedState after = by.apply(saved);
            return before instanceof Unsaved its ? its.over(after) : after;
        });
    }

    /**
     * Changes what a topic has. Where it has a message before and after, that takes no lock.
     *
     * @param incoming what comes from the store with it, and is released if it does not stay
     * @param by is called again when another thread comes between
     */
    private Change change(byte[] topic, @Nullable RetainedState incoming, Step by) {
        RetainedNode known = node(topic);
        RetainedState before = known == null ? null : known.state();
        while (known != null && before != null) {
            RetainedState after = by.apply(before);
            if (after == before || (isCounted(before) && isCounted(after) && known.replace(before, after))) {
                return changed(topic, before, after, incoming);
            }
            if (!isCounted(before) || !isCounted(after)) {
                break;
            }
            before = known.state();
        }
        writeLock.lock();
        try {
            return changeLocked(topic, incoming, by);
        } finally {
            writeLock.unlock();
        }
    }

    private Change changeLocked(byte[] topic, @Nullable RetainedState incoming, Step by) {
        RetainedNode node = node(topic);
        while (true) {
            RetainedState before = node == null ? null : node.state();
            RetainedState after = by.apply(before);
            if (after == before) {
                return changed(topic, before, after, incoming);
            }
            if (isCounted(after) && !isCounted(before) && count.get() >= countMax) {
                return Change.REFUSED;
            }
            node = node == null ? nodeOrNew(topic) : node;
            if (node.replace(before, after)) {
                count.addAndGet((isCounted(after) ? 1 : 0) - (isCounted(before) ? 1 : 0));
                prune(root, topic, 0);
                return changed(topic, before, after, incoming);
            }
        }
    }

    private Change changed(
            byte[] topic,
            @Nullable RetainedState before,
            @Nullable RetainedState after,
            @Nullable RetainedState incoming) {
        bytes.add((after == null ? 0 : after.sizeBytes()) - (before == null ? 0 : before.sizeBytes()));
        RetainedState savedBefore = savedOf(before);
        RetainedState savedAfter = savedOf(after);
        if (savedAfter instanceof Removed trace && savedAfter != savedBefore) {
            removals.add(new Removal(new String(topic, StandardCharsets.UTF_8), trace.claim()));
        }
        releaseUnless(savedAfter, savedBefore);
        if (incoming != null && (savedBefore == null || savedBefore.position() != incoming.position())) {
            releaseUnless(savedAfter, incoming);
        }
        return new Change(before, after, true);
    }

    private void releaseUnless(@Nullable RetainedState stays, @Nullable RetainedState gone) {
        if (released != null
                && gone != null
                && gone.storedBytes() > 0
                && (stays == null || stays.position() != gone.position())) {
            released.onReleased(gone.position(), gone.storedBytes());
        }
    }

    private static boolean isCounted(@Nullable RetainedState state) {
        return state != null && state.isCounted();
    }

    /** Cuts off nodes along the way that are empty. */
    private static void prune(RetainedNode node, byte[] topic, int from) {
        if (from > topic.length) {
            return;
        }
        int end = Level.end(topic, from);
        RetainedNode child = node.child(topic, from, end);
        if (child != null) {
            prune(child, topic, end + 1);
            if (child.isEmpty()) {
                node.detach(child);
            }
        }
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
                child = new RetainedNode(Level.in(topic, from, end).copy(), node);
                node.attach(child);
            }
            node = child;
            from = end + 1;
        }
        return node;
    }

    private static byte[] utf8(String topic) {
        return topic.getBytes(StandardCharsets.UTF_8);
    }

    /** True when not a single node is left below the root. */
    boolean isEmpty() {
        return root.isEmpty();
    }

    /** Hears of places in the store that are not retained any more. */
    @FunctionalInterface
    public interface Released {
        void onReleased(long position, int storedBytes);
    }

    /** The trace of a removal. */
    public record Removal(String topic, long claim) {}

    /** What a topic has after a change, by what it had before. */
    @FunctionalInterface
    private interface Step {
        @Nullable RetainedState apply(@Nullable RetainedState before);
    }

    /** What has become of a topic. */
    private record Change(
            @Nullable RetainedState before, @Nullable RetainedState after, boolean isAccepted) {
        static final Change REFUSED = new Change(null, null, false);

        boolean isRemoval() {
            return isCounted(before) && !isCounted(after);
        }
    }
}
