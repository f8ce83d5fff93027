package dev.avocet.mqtt.session;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.SessionLog;
import dev.avocet.core.topic.Subscription;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What MQTT keeps of a session beside its subscriptions [MQTT-4.1.0-1]: deliveries that the client has not completed,
 * and the packet identifiers of QoS 2 publishes that it has not released. Owned by the session's home loop.
 *
 * <p>Where the session is stored, every change of these is written, all of a batch of the loop as one entry; what
 * {@link StateChange} says an answer waits for is done once it {@link #isCommitted}.
 */
public final class MqttSession implements ProtocolState {
    private static final Runnable NOTHING = () -> {};

    private final OutboundWindow outbound = new OutboundWindow();
    /** Made for clients that publish: most sessions of the many do not. */
    private @Nullable InboundIds inbound;

    private @Nullable StateLog log;
    private Runnable onCommit = NOTHING;

    public OutboundWindow outbound() {
        return outbound;
    }

    public InboundIds inbound() {
        InboundIds present = inbound;
        if (present == null) {
            present = new InboundIds();
            present.log(log);
            inbound = present;
        }
        return present;
    }

    /** What changes from now on is written, if this session is stored. Before the first delivery of a connection. */
    public void follow(ClientSession session) {
        SessionLog sessionLog = session.log();
        if (sessionLog != null && log == null) {
            log = new StateLog(session, sessionLog, outbound::addCompleted, this::onCommitted);
            outbound.log(log);
            if (inbound != null) {
                inbound.log(log);
            }
        }
    }

    /** True when what changes is written. */
    public boolean isStored() {
        return log != null;
    }

    /** True when a batch is durable. */
    public boolean isCommitted(long batch) {
        return log == null || log.isCommitted(batch);
    }

    /** Names who goes on when something has become durable. */
    public void onCommit(Runnable listener) {
        onCommit = listener;
    }

    /** The connection has ended: the session may move to another loop, and what it has noted is written before. */
    public void onDisconnect() {
        onCommit = NOTHING;
        if (log != null) {
            log.write();
        }
    }

    @Override
    public void replay(byte[] bytes, int from, int to) throws JournalException {
        StateEntryReader entry = new StateEntryReader(bytes, from, to);
        while (entry.next()) {
            for (int i = 0; i < entry.count(); i++) {
                apply(entry, entry.firstPacketId() + i, entry.queueId(), entry.firstReference() + i);
            }
        }
    }

    @Override
    public void replay(byte[] bytes, int from, int to, ReferenceMap references) throws JournalException {
        StateEntryReader entry = new StateEntryReader(bytes, from, to);
        while (entry.next()) {
            boolean inFlight = entry.change().isInFlight();
            long queueId = inFlight ? references.queueId(entry.queueId()) : DeliverySource.NOT_STORED;
            for (int i = 0; i < entry.count(); i++) {
                long there = entry.firstReference() + i;
                long reference = inFlight ? references.reference(entry.queueId(), there) : DeliverySource.NOT_STORED;
                boolean isHere = queueId != DeliverySource.NOT_STORED && reference != DeliverySource.NOT_STORED;
                if (!inFlight || isHere) {
                    apply(entry, entry.firstPacketId() + i, queueId, reference);
                }
            }
        }
    }

    @Override
    public void snapshot(Consumer<byte[]> entries) {
        StateEntryWriter entry = new StateEntryWriter();
        outbound.snapshot(entry);
        if (inbound != null) {
            inbound.snapshot(entry);
        }
        if (!entry.isEmpty()) {
            entries.accept(entry.toByteArray());
        }
    }

    /** At QoS 1 any member may get the message instead. */
    @Override
    public void forEachBound(BoundVisitor visitor) {
        outbound.forEachReserved(QualityOfService.EXACTLY_ONCE, visitor);
    }

    @Override
    public void forEachInFlight(BoundVisitor visitor) {
        forEachBound(visitor);
        for (InFlight delivery : outbound.inOrder()) {
            if (delivery.message() != null && delivery.qos() == QualityOfService.EXACTLY_ONCE) {
                visitor.onBound(delivery.packetId(), delivery.queueId(), delivery.reference());
            }
        }
    }

    @Override
    public int unstoredInFlight() {
        return (int) outbound.inOrder().stream()
                .filter(delivery -> delivery.unstoredSource() != null)
                .count();
    }

    @Override
    public void restoreInFlight(int packetId, DeliverySource source, StoredMessage message, DeliveryOptions options) {
        outbound.restoreMessage(packetId, source, message, options);
    }

    @Override
    public void onRestored(ClientSession session) {
        Set<Long> queueIds = new HashSet<>();
        for (Subscription subscription : session.subscriptions()) {
            queueIds.add(subscription.queue().durableId());
        }
        outbound.restored(queueIds);
    }

    @Override
    public String protocol() {
        return "mqtt";
    }

    @Override
    public void onSessionEnd() {
        log = null; // the caller that ends it writes the end
        outbound.log(null);
        if (inbound != null) {
            inbound.log(null);
        }
        for (InFlight delivery : outbound.inOrder()) {
            outbound.complete(delivery);
        }
    }

    private void apply(StateEntryReader entry, int packetId, long queueId, long reference) {
        switch (entry.change()) {
            case IN_FLIGHT_AT_LEAST_ONCE ->
                outbound.restoreInFlight(packetId, QualityOfService.AT_LEAST_ONCE, queueId, reference);
            case IN_FLIGHT_EXACTLY_ONCE ->
                outbound.restoreInFlight(packetId, QualityOfService.EXACTLY_ONCE, queueId, reference);
            case RECEIVED -> outbound.restoreReceived(packetId);
            case COMPLETED -> outbound.restoreCompleted(packetId);
            case UNRELEASED -> inbound().restore(packetId);
            case RELEASED -> inbound().restoreReleased(packetId);
            case NEXT -> outbound.restoreNext(packetId);
        }
    }

    private void onCommitted(long batch) {
        if (inbound != null) {
            inbound.onCommitted(batch);
        }
        onCommit.run();
    }
}
