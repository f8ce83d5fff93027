package dev.avocet.mqtt.session;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The QoS 2 publishes that the client has not released, by packet identifier. Where the message of one is in the store,
 * so is its identifier, in the same record; the others end with the broker.
 *
 * <p>Owned by the session's home loop. Takes no room before the first.
 */
public final class InboundIds {
    /** In place of a batch: no publish has this identifier. */
    public static final long UNKNOWN = -1;

    private static final int PACKET_ID_BITS = 16;
    private static final long PACKET_ID = 0xFFFF;

    private @Nullable BitSet unreleased;
    private @Nullable BitSet stored;
    /** Those that are not durable yet, with the batches that they are written with. */
    private final LongRing pending = new LongRing();

    private @Nullable StateLog log;

    void log(@Nullable StateLog stateLog) {
        log = stateLog;
    }

    public boolean contains(int packetId) {
        return unreleased != null && unreleased.get(packetId);
    }

    /** Notes a publish that has been taken; false when its identifier is noted already [MQTT-4.3.3-10]. */
    public boolean add(int packetId) {
        BitSet ids = unreleased == null ? unreleased = new BitSet() : unreleased;
        if (ids.get(packetId)) {
            return false;
        }
        ids.set(packetId);
        return true;
    }

    /** Notes a publish whose message is being written to the store, so that its identifier is written with it. */
    public void addStored(int packetId) {
        add(packetId);
        StateLog stateLog = log;
        if (stateLog != null) {
            restore(packetId);
            pending.add(stateLog.note(StateChange.UNRELEASED, packetId) << PACKET_ID_BITS | packetId);
        }
    }

    /**
     * The client repeats a publish that may not be durable yet: runs an action once it is, which is at once when it is
     * already. Its first connection may have been on another loop.
     */
    public void afterCommit(int packetId, Runnable action) {
        StateLog stateLog = log;
        if (stateLog == null || !isPending(packetId)) {
            action.run();
            return;
        }
        pending.add(stateLog.note(StateChange.UNRELEASED, packetId) << PACKET_ID_BITS | packetId);
        stateLog.afterCommit(action);
    }

    /**
     * The client has released a publish. Returns {@link #UNKNOWN}, or the batch that has to be durable before it is
     * told so, which {@link MqttSession#isCommitted} knows.
     */
    public long release(int packetId) {
        BitSet ids = unreleased;
        if (ids == null || !ids.get(packetId)) {
            return UNKNOWN;
        }
        ids.clear(packetId);
        if (stored == null || log == null || !stored.get(packetId)) {
            return StateLog.NO_BATCH;
        }
        stored.clear(packetId);
        return log.note(StateChange.RELEASED, packetId);
    }

    void onCommitted(long batch) {
        while (!pending.isEmpty() && pending.peek() >>> PACKET_ID_BITS <= batch) {
            pending.poll();
        }
    }

    void restore(int packetId) {
        add(packetId);
        BitSet ids = stored == null ? stored = new BitSet() : stored;
        ids.set(packetId);
    }

    void restoreReleased(int packetId) {
        if (unreleased != null && stored != null) {
            unreleased.clear(packetId);
            stored.clear(packetId);
        }
    }

    /**
     * Only what is durable: a message that never became so is sent again, and must not be taken for its own repetition.
     */
    void snapshot(StateEntryWriter entry) {
        if (stored == null) {
            return;
        }
        BitSet durable = (BitSet) stored.clone();
        for (int i = 0; i < pending.size(); i++) {
            durable.clear((int) (pending.get(i) & PACKET_ID));
        }
        durable.stream().forEach(packetId -> entry.add(StateChange.UNRELEASED, packetId));
    }

    private boolean isPending(int packetId) {
        for (int i = 0; i < pending.size(); i++) {
            if ((pending.get(i) & PACKET_ID) == packetId) {
                return true;
            }
        }
        return false;
    }
}
