package dev.avocet.core.store.replay;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.store.entry.StoredSubscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What an earlier life of the broker left: sessions, queues with their references, retained messages, transactions that
 * wait for their coordinator, and the numbers to go on with. {@link EntryReplay} and the reader of checkpoints fill it,
 * {@link #complete} ends that, then the broker takes over from it piece by piece. One owner at a time.
 */
public final class RecoveredState {
    /** Numbers that are given out grow by one; so high a one is a damaged one. */
    static final long MAX_NUMBER = 1L << 62;

    /** For references that the heap has no room for. */
    private final @Nullable ReferencePages pages;

    private final LongMap<RecoveredSession> sessions = new LongMap<>();
    private final LongMap<RecoveredQueue> queues = new LongMap<>();
    /** Queues that clients know by name; by identifier. */
    private final Map<Long, RecoveredDestination> destinations = new TreeMap<>();

    /** Those that have ended since the last checkpoint was begun, and since the one before it. */
    private Set<Long> endedDestinations = new HashSet<>();

    private Set<Long> endedBefore = new HashSet<>();
    /** Queues and sessions that counted for nothing already when the last checkpoint was begun. */
    private final Set<Long> idleQueues = new HashSet<>();

    private final Set<Long> idleSessions = new HashSet<>();
    private final Map<String, RecoveredRetained> retained = new HashMap<>();
    private final Map<Long, RecoveredTransaction> transactions = new TreeMap<>();
    /** In place of every session that is over: what the log still says of it counts for nothing. */
    private final RecoveredSession over = new RecoveredSession(0);

    private @Nullable List<RecoveredSession> survivors;
    private long lastMark;
    private long nextSessionId = 1;
    private long nextQueueId = 1;
    private long nextCheckpoint = 1;
    private long lastSequence;
    private int lastEpoch;
    private long orphanedReferences;
    private int queueGeneration;
    private boolean needsCheckpoint;

    /** A state that is all on the heap. */
    public RecoveredState() {
        this(null);
    }

    /** @param pages for references that the heap has no room for; null where there is no file */
    public RecoveredState(@Nullable ReferencePages pages) {
        this.pages = pages;
    }

    /**
     * The sessions, in the order in which they began. Before everything was read a client may have two, the earlier of
     * which is about to end.
     */
    public List<RecoveredSession> sessions() {
        return survivors == null ? described() : survivors;
    }

    /** The queues that clients know by name, in the order in which they began. */
    public Collection<RecoveredDestination> destinations() {
        return Collections.unmodifiableCollection(destinations.values());
    }

    void destination(RecoveredDestination destination) throws JournalException {
        long id = destination.queueId();
        queueOrNew(id).begin();
        if (!endedDestinations.contains(id) && !endedBefore.contains(id)) {
            destinations.put(id, destination);
        }
    }

    void endQueue(long id) throws JournalException {
        queueOrNew(id).end();
        endedDestinations.add(id);
        destinations.remove(id);
    }

    /** The queue with this identifier, if a subscription names it. */
    public @Nullable RecoveredQueue queue(long id) {
        return queues.get(id);
    }

    /** The queues that a subscription names, in no order. */
    public List<RecoveredQueue> queues() {
        return queues.values();
    }

    /** Where the retained messages lie, in no order. */
    public Collection<RecoveredRetained> retained() {
        return Collections.unmodifiableCollection(retained.values());
    }

    /** Lets go of the retained messages, when their places are not needed any more. */
    public void forgetRetained() {
        retained.clear();
    }

    /** The topics with a retained message, in no order. */
    public Collection<String> retainedTopics() {
        return Collections.unmodifiableCollection(retained.keySet());
    }

    /** The retained message of a topic; null when there is none. */
    public @Nullable RecoveredRetained retained(String topic) {
        return retained.get(topic);
    }

    /** Transactions that their coordinator may still commit. */
    public Collection<RecoveredTransaction> prepared() {
        return Collections.unmodifiableCollection(transactions.values());
    }

    /** Higher than that of any session there has been, and more than 0; like the following. */
    public long nextSessionId() {
        return nextSessionId;
    }

    /** Higher than any number that a queue has had. */
    public long nextQueueId() {
        return nextQueueId;
    }

    /** Higher than the number of any checkpoint. */
    public long nextCheckpoint() {
        return nextCheckpoint;
    }

    /** Of the last record; 0 when there is none. */
    public long lastSequence() {
        return lastSequence;
    }

    /** That of the last record. */
    public int lastEpoch() {
        return lastEpoch;
    }

    /** References to messages, of queues and of topics. */
    public long references() {
        long count = retained.size();
        for (RecoveredQueue queue : queues.values()) {
            count += queue.size();
        }
        return count;
    }

    /** How many places {@link #forEachPlace} shows. */
    public long places() {
        long count = references();
        for (RecoveredTransaction transaction : transactions.values()) {
            for (PendingMessage message : transaction.messages()) {
                count += message.references();
            }
        }
        return count;
    }

    /** References that were dropped because their queues are over. Nothing is wrong with some. */
    long orphanedReferences() {
        return orphanedReferences;
    }

    /**
     * Shows where everything lies that is alive, once for each reference. Messages of prepared transactions are alive.
     */
    public void forEachPlace(LivePlaceVisitor visitor) {
        for (RecoveredQueue queue : queues.values()) {
            queue.forEach((number, position, storedBytes, expiry, options) -> visitor.onPlace(position, storedBytes));
        }
        retained.values().forEach(place -> visitor.onPlace(place.position(), place.storedBytes()));
        for (RecoveredTransaction transaction : transactions.values()) {
            for (PendingMessage message : transaction.messages()) {
                for (int i = 0; i < message.references(); i++) {
                    visitor.onPlace(message.position(), message.storedBytes());
                }
            }
        }
    }

    /**
     * Everything was read: what is not whole goes.
     *
     * @param found at the end of the log
     */
    public void complete(ScanResult found) {
        reserve(found.lastSequence(), found.lastEpoch());
        endLife();
        survivors = described();
        sessions.clear();
    }

    /** A record was written by the life with this number: of the lives before it nothing more comes. */
    void life(int epoch) {
        if (epoch > lastEpoch) {
            endLife();
            lastEpoch = epoch;
        }
    }

    /**
     * A life of the broker is over: what it did not come to write goes, as it did for the life that came after it.
     */
    private void endLife() {
        transactions.values().removeIf(transaction -> !transaction.isPrepared());
        keepNewestOfEachClient();
        keepNewestOfEachName();
        joinNewestOfEachGroup();
        keepQueues(namedQueues());
        queues.values().forEach(RecoveredQueue::goOn);
        transactions.values().forEach(transaction -> transaction.keepQueues(id -> queues.get(id) != null));
        endedDestinations = new HashSet<>();
        endedBefore = new HashSet<>();
        idleQueues.clear();
        idleSessions.clear();
    }

    /**
     * A checkpoint was begun. All loops had heard of what they wrote before the one before it: what counted for nothing
     * then and does so now is of no use any more, as no entry comes that refers to it. A queue that has begun and not
     * ended counts even while no stored session has it: one may still join those that share it.
     */
    void mark(long number) {
        reserve(1, 1, number + 1);
        if (number <= lastMark) {
            return;
        }
        lastMark = number;
        endedBefore = endedDestinations;
        endedDestinations = new HashSet<>();
        dropIdleQueues();
        dropIdleSessions();
    }

    private void dropIdleQueues() {
        Set<Long> named = namedQueues();
        Set<Long> idle = new HashSet<>();
        Set<Long> kept = new HashSet<>(named);
        for (RecoveredQueue queue : queues.values()) {
            if (queue.isAlive()) {
                kept.add(queue.id());
            } else if (!named.contains(queue.id()) && !idleQueues.contains(queue.id())) {
                idle.add(queue.id());
                kept.add(queue.id());
            }
        }
        if (kept.size() < queues.size()) {
            keepQueues(kept);
        }
        idleQueues.clear();
        idleQueues.addAll(idle);
    }

    private void dropIdleSessions() {
        Set<Long> idle = new HashSet<>();
        LongMap<RecoveredSession> kept = new LongMap<>();
        sessions.forEach((id, session) -> {
            boolean isIdle = session == over || !session.isDescribed();
            if (!isIdle || !idleSessions.contains(id)) {
                kept.put(id, session);
            }
            if (isIdle && !idleSessions.contains(id)) {
                idle.add(id);
            }
        });
        sessions.takeFrom(kept);
        idleSessions.clear();
        idleSessions.addAll(idle);
    }

    /** Whether it is no longer what the log says, so that a checkpoint must have it before the broker goes on. */
    public boolean needsCheckpoint() {
        return needsCheckpoint;
    }

    /** Whether a checkpoint must have it before the broker goes on. */
    public void needsCheckpoint(boolean now) {
        needsCheckpoint = now;
    }

    /** Numbers below these may have been given to sessions, queues and checkpoints. */
    public void reserve(long sessionIdNext, long queueIdNext, long checkpointNext) {
        nextSessionId = Math.max(nextSessionId, sessionIdNext);
        nextQueueId = Math.max(nextQueueId, queueIdNext);
        nextCheckpoint = Math.max(nextCheckpoint, checkpointNext);
    }

    /** The log goes at least so far. */
    public void reserve(long sequence, int epoch) {
        lastSequence = Math.max(lastSequence, sequence);
        lastEpoch = Math.max(lastEpoch, epoch);
    }

    /** The session with this identifier; null when it is over. */
    @Nullable RecoveredSession session(long id) throws JournalException {
        requireNumber(id);
        reserve(id + 1, 1, 1);
        RecoveredSession session = sessions.getOrMake(id, RecoveredSession::new);
        return session == over ? null : session;
    }

    /** A session is over, and with it the queues of its own subscriptions. */
    void endSession(long id) throws JournalException {
        RecoveredSession session = session(id);
        if (session != null) {
            endDeliveriesOf(session);
            endQueuesOf(session);
            sessions.put(id, over);
        }
    }

    /** Another number means that queues were let go of since. */
    int queueGeneration() {
        return queueGeneration;
    }

    /** The queue with this number; begins it when it is not known. */
    public RecoveredQueue queueOrNew(long id) throws JournalException {
        RecoveredQueue queue = queues.get(id);
        if (queue == null) {
            requireNumber(id);
            reserve(1, id + 1, 1);
            queue = new RecoveredQueue(id, pages);
            queues.put(id, queue);
        }
        return queue;
    }

    /** A message becomes the retained one of its topic. */
    public void retain(String topic, long position, int storedBytes) {
        retained.put(topic, new RecoveredRetained(position, storedBytes));
    }

    /** A topic's retained message lies elsewhere now, if it is still the one that lay there before. */
    void moveRetained(String topic, long before, long position, int storedBytes) {
        RecoveredRetained present = retained.get(topic);
        if (present != null && present.position() == before) {
            retained.put(topic, new RecoveredRetained(position, storedBytes));
        }
    }

    void removeRetained(String topic) {
        retained.remove(topic);
    }

    /** The transaction with this number; begins it when it is not known. */
    public RecoveredTransaction transaction(long id) {
        return transactions.computeIfAbsent(id, RecoveredTransaction::new);
    }

    @Nullable RecoveredTransaction endTransaction(long id) {
        return transactions.remove(id);
    }

    /** Refuses numbers that no writer has given out. */
    public static void requireNumber(long number) throws JournalException {
        if (number < 0 || number >= MAX_NUMBER) {
            throw new JournalException(number + " is not a number that is given out");
        }
    }

    private List<RecoveredSession> described() {
        List<RecoveredSession> all = new ArrayList<>(sessions.values());
        all.removeIf(session -> session == over || !session.isDescribed());
        all.sort(Comparator.comparingLong(RecoveredSession::id));
        return Collections.unmodifiableList(all);
    }

    /**
     * A client has one session: an older one that is still here was ended on another loop, which did not come to write
     * it.
     */
    private void keepNewestOfEachClient() {
        Map<String, RecoveredSession> byClient = new HashMap<>();
        List<RecoveredSession> all = described();
        all.forEach(session -> byClient.put(session.clientId(), session));
        LongMap<RecoveredSession> kept = new LongMap<>();
        for (RecoveredSession session : all) {
            if (byClient.get(session.clientId()) == session) {
                kept.put(session.id(), session);
            } else {
                endDeliveriesOf(session);
            }
        }
        sessions.takeFrom(kept);
    }

    /**
     * All who share a subscription share its queue: where it ended and began again on two loops, who did not come to
     * write that it left is a member of the newer one.
     */
    private void joinNewestOfEachGroup() {
        Map<String, StoredSubscription> newest = new HashMap<>();
        forEachShared((session, subscription) -> newest.merge(
                sharedName(subscription),
                subscription,
                (one, other) -> one.queueId() >= other.queueId() ? one : other));
        forEachShared((session, subscription) -> {
            StoredSubscription its = Objects.requireNonNull(newest.get(sharedName(subscription)));
            if (its.queueId() != subscription.queueId()) {
                StoredSubscription unused = session.subscribe(subscription.in(its.queueId(), its.limits()));
            }
        });
    }

    private static String sharedName(StoredSubscription subscription) {
        return subscription.group() + '\n' + subscription.filter().text();
    }

    private void forEachShared(BiConsumer<RecoveredSession, StoredSubscription> visitor) {
        for (RecoveredSession session : sessions.values()) {
            for (StoredSubscription subscription : List.copyOf(session.subscriptions())) {
                if (subscription.group() != null) {
                    visitor.accept(session, subscription);
                }
            }
        }
    }

    private Set<Long> namedQueues() {
        Set<Long> named = new HashSet<>(destinations.keySet());
        for (RecoveredSession session : sessions.values()) {
            for (StoredSubscription subscription : session.subscriptions()) {
                if (subscription.queueId() != 0) {
                    named.add(subscription.queueId());
                }
            }
        }
        return named;
    }

    private void keepQueues(Set<Long> ids) {
        LongMap<RecoveredQueue> kept = new LongMap<>();
        for (RecoveredQueue queue : queues.values()) {
            if (ids.contains(queue.id())) {
                kept.put(queue.id(), queue);
            } else {
                orphanedReferences += queue.size();
            }
        }
        queues.takeFrom(kept);
        queueGeneration++;
    }

    /** Where a queue was ended and made again, a crash may have kept the end of the first one from being written. */
    private void keepNewestOfEachName() {
        Map<String, Long> newest = new HashMap<>();
        destinations.forEach((id, destination) -> newest.put(destination.name(), id));
        destinations
                .values()
                .removeIf(destination -> !Objects.equals(newest.get(destination.name()), destination.queueId()));
    }

    /**
     * What only this session's client may get, no client gets any more [MQTT-4.8.2-5]. Its loop may not have come to
     * write that.
     */
    private void endDeliveriesOf(RecoveredSession session) {
        ProtocolState protocol = session.protocolState();
        if (protocol != null) {
            protocol.forEachBound((delivery, queueId, reference) -> {
                RecoveredQueue queue = queues.get(queueId);
                if (queue != null) {
                    queue.acknowledge(reference, reference);
                }
            });
        }
    }

    private void endQueuesOf(RecoveredSession session) {
        for (StoredSubscription subscription : session.subscriptions()) {
            RecoveredQueue queue = queues.get(subscription.queueId());
            if (queue != null && subscription.group() == null) {
                queue.end();
            }
        }
    }
}
