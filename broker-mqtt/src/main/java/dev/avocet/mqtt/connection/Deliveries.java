package dev.avocet.mqtt.connection;

import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBREL;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.mqtt.admission.ClientLimits;
import dev.avocet.mqtt.buffer.CommitLine;
import dev.avocet.mqtt.buffer.OutputBuffer;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.session.InFlight;
import dev.avocet.mqtt.session.MqttSession;
import dev.avocet.mqtt.session.OutboundWindow;
import dev.avocet.mqtt.session.ReservedId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way out of a connection: sends messages as PUBLISH packets and completes them with the client. It takes a
 * message only when the client reads and, above QoS 0, has room in its receive maximum [MQTT-3.3.4-9]; otherwise the
 * consumer waits its turn here.
 *
 * <p>Owned by the connection's loop.
 */
final class Deliveries {
    private final LoopResources shared;
    private final OutputBuffer output;
    private final ClientLimits client;
    private final OutboundWindow window;
    /** What waits until it is durable, or null where nothing ever is. */
    private final @Nullable CommitLine commitLine;

    private final TopicAliases aliases;
    private final DeliveryTrouble trouble;
    /** Null until the first consumer has to wait. */
    private @Nullable BusyConsumers busy;
    /** Null when nothing of it is left. */
    private @Nullable Resending resending;

    /** Deliveries sent on this connection and not completed: what counts against the client's receive maximum. */
    private int outstanding;

    private boolean resumeScheduled;
    private boolean closed;

    Deliveries(
            LoopResources shared,
            OutputBuffer output,
            ClientLimits client,
            MqttSession session,
            TopicAliases aliases,
            DeliveryTrouble trouble) {
        this.shared = shared;
        this.output = output;
        this.client = client;
        this.window = session.outbound();
        this.commitLine = session.isStored() ? new CommitLine(session, output, this::sendCommitted) : null;
        this.aliases = aliases;
        this.trouble = trouble;
        if (commitLine != null) {
            session.onCommit(this::onCommitted);
        }
    }

    IoLoop loop() {
        return shared.loop;
    }

    /** What the client takes. */
    ClientLimits client() {
        return client;
    }

    OutputBuffer output() {
        return output;
    }

    /** The topic aliases of this connection. */
    TopicAliases aliases() {
        return aliases;
    }

    /** What answers of this connection wait in, or null when none does. */
    @Nullable CommitLine commitLine() {
        return commitLine;
    }

    /** Sends again what the client has not completed on its last connection. */
    void resend() {
        if (window.size() > 0) {
            resending = new Resending(window);
            sendAgain();
        }
    }

    Delivery deliver(
            SubscriptionConsumer consumer,
            DeliverySource source,
            Message message,
            DeliveryOptions options,
            long reference) {
        if (reference != DeliverySource.NOT_STORED && window.hasReserved()) {
            ReservedId reserved = window.reservedFor(source.durableId(), reference);
            if (reserved != null) {
                return deliverAgain(consumer, source, message, reserved.fit(options), reserved);
            }
        }
        QualityOfService qos = message.qos().min(options.qos());
        if (closed || !output.isWritable() || (qos != QualityOfService.AT_MOST_ONCE && !hasCredit())) {
            return lineUp(consumer, source);
        }
        long expirySeconds = shared.deliveries.remainingSeconds(message);
        if (shared.deliveries.isTooLarge(this, message, options, qos, expirySeconds)) {
            shared.loop.counters().increment(Counter.MESSAGES_TOO_LARGE);
            return Delivery.SETTLED; // [MQTT-3.1.2-25]
        }
        if (qos == QualityOfService.AT_MOST_ONCE) {
            trySend(message, options, qos, 0, false, expirySeconds);
            return Delivery.SETTLED;
        }
        InFlight delivery = isKept(consumer, qos, reference)
                ? window.openKept(message, options, source, reference)
                : window.open(message, options, source, reference);
        outstanding++;
        if (commitLine == null) {
            delivery.sent();
            trySend(message, options, qos, delivery.packetId(), false, expirySeconds);
        } else {
            sendInOrder(commitLine, delivery, expirySeconds);
        }
        return Delivery.IN_FLIGHT;
    }

    /**
     * How many messages may be sent to a subscription in one run now, in the form that all clients of the version get.
     */
    int runRoom(QualityOfService qos, DeliveryOptions options) {
        if (closed || !shared.deliveries.takesRuns(this, options)) {
            return 0;
        }
        return qos == QualityOfService.AT_MOST_ONCE ? MessageRun.MAX_MESSAGES : credit(options);
    }

    /** What the client's receive maximum has room for [MQTT-3.3.4-9], where nothing has to be stored. */
    private int credit(DeliveryOptions options) {
        boolean inFlight = options.qos() != QualityOfService.AT_MOST_ONCE;
        return inFlight && commitLine == null && resending == null && !window.hasReserved()
                ? Math.max(0, client.receiveMaximum() - outstanding)
                : 0;
    }

    void deliver(DeliverySource source, MessageRun run, DeliveryOptions options) {
        boolean inFlight = run.qos() != QualityOfService.AT_MOST_ONCE;
        int[] packetIds = shared.packetIds;
        if (inFlight) {
            for (int i = 0; i < run.size(); i++) {
                InFlight delivery = window.open(run.get(i), options, source, DeliverySource.NOT_STORED);
                delivery.sent();
                packetIds[i] = delivery.packetId();
            }
            outstanding += run.size();
        }
        try {
            shared.deliveries.write(this, run, inFlight ? packetIds : null);
        } catch (RuntimeException | Error e) {
            closed = true; // as for a message: what fails here is for this client only
            trouble.onFailure(e);
        }
    }

    /** Delivers what an earlier life of the broker may have sent, as the same delivery [MQTT-4.4.0-1]. */
    private Delivery deliverAgain(
            SubscriptionConsumer consumer,
            DeliverySource source,
            Message message,
            DeliveryOptions options,
            ReservedId reserved) {
        if (closed || !output.isWritable() || !hasCredit()) {
            return lineUp(consumer, source);
        }
        long expirySeconds = shared.deliveries.remainingSeconds(message);
        if (shared.deliveries.isTooLarge(this, message, options, reserved.qos(), expirySeconds)) {
            window.release(reserved);
            shared.loop.counters().increment(Counter.MESSAGES_TOO_LARGE);
            return Delivery.SETTLED;
        }
        outstanding++;
        InFlight delivery = window.open(reserved, message, options, source, reserved.reference());
        if (commitLine == null) {
            trySend(delivery, expirySeconds);
        } else {
            sendInOrder(commitLine, delivery, expirySeconds);
        }
        return Delivery.IN_FLIGHT;
    }

    /**
     * Whether its packet identifier has to survive. What a shared subscription sends at QoS 1 goes to any member after
     * a restart.
     */
    private boolean isKept(SubscriptionConsumer consumer, QualityOfService qos, long reference) {
        return commitLine != null
                && reference != DeliverySource.NOT_STORED
                && (qos == QualityOfService.EXACTLY_ONCE
                        || !consumer.subscription().isShared());
    }

    /** Sends a delivery, behind those that have to be durable first and once it is so itself. */
    private void sendInOrder(CommitLine line, InFlight delivery, long expirySeconds) {
        if (!line.isEmpty() || !window.isCommitted(delivery)) {
            line.addPublish(delivery);
        } else {
            trySend(delivery, expirySeconds);
        }
    }

    private void sendCommitted(InFlight delivery) {
        Message message = delivery.message();
        if (message != null && !closed) {
            trySend(delivery, shared.deliveries.remainingSeconds(message));
        }
    }

    /** What was written of this session has become durable. */
    private void onCommitted() {
        if (closed || commitLine == null) {
            return;
        }
        commitLine.drain();
        if (resending != null || (busy != null && !busy.isEmpty())) {
            scheduleResume();
        }
    }

    private void trySend(InFlight delivery, long expirySeconds) {
        Message message = delivery.message();
        DeliveryOptions options = delivery.options();
        if (message != null && options != null) {
            boolean dup = delivery.wasSent(); // [MQTT-3.3.1-1]
            delivery.sent();
            trySend(message, options, delivery.qos(), delivery.packetId(), dup, expirySeconds);
        }
    }

    /**
     * The caller may be in the middle of another client's publish: what fails here, for want of memory say, is for this
     * client only.
     */
    private void trySend(
            Message message,
            DeliveryOptions options,
            QualityOfService qos,
            int packetId,
            boolean dup,
            long expirySeconds) {
        try {
            shared.deliveries.write(this, message, options, qos, packetId, dup, expirySeconds);
        } catch (RuntimeException | Error e) {
            closed = true;
            trouble.onFailure(e);
        }
    }

    /**
     * PUBACK: the QoS 1 delivery is complete. An identifier that is not in use is passed over. False for a QoS 2
     * delivery.
     */
    boolean onPubAck(int packetId) {
        InFlight delivery = window.findSent(packetId);
        if (delivery == null) {
            return true;
        }
        if (delivery.message() == null || delivery.qos() != QualityOfService.AT_LEAST_ONCE) {
            return false;
        }
        complete(delivery);
        return true;
    }

    /** PUBREC: the client has a QoS 2 message, or refuses it for good. False for a QoS 1 delivery. */
    boolean onPubRec(int packetId, boolean refused) {
        InFlight delivery = window.findSent(packetId);
        if (delivery == null) {
            if (!refused) {
                output.writeAcknowledgement(PUBREL, packetId, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND, client.version());
            }
        } else if (delivery.qos() != QualityOfService.EXACTLY_ONCE) {
            return false;
        } else if (delivery.isAwaitingCompletion() && !window.isCommitted(delivery)) {
            return true; // said before: PUBREL is on its way
        } else if (refused) {
            complete(delivery); // no PUBREL after an error [MQTT-4.3.3-4]
        } else {
            window.received(delivery);
            if (commitLine != null && !window.isCommitted(delivery)) {
                commitLine.addPubRel(delivery);
            } else {
                output.writeAcknowledgement(PUBREL, packetId);
            }
        }
        return true;
    }

    /** PUBCOMP: the QoS 2 delivery is complete. False for a delivery whose PUBREL was not sent. */
    boolean onPubComp(int packetId) {
        InFlight delivery = window.findSent(packetId);
        if (delivery == null) {
            return true;
        }
        if (!delivery.isAwaitingCompletion() || !window.isCommitted(delivery)) {
            return false;
        }
        complete(delivery);
        return true;
    }

    /** The client reads again. */
    void onWritable() {
        scheduleResume();
    }

    /** Removes the QoS 1 deliveries of one source that were not acknowledged, for another consumer to get. */
    List<Unsettled> takeBack(DeliverySource source) {
        return window.takeBack(source);
    }

    /** The client has unsubscribed: what an earlier life has sent of this queue does not come again. */
    void forget(MessageQueue queue) {
        window.forgetQueue(queue.durableId());
    }

    /** A consumer does not want its turn any more. */
    void leaveLine(SubscriptionConsumer consumer) {
        if (busy != null) {
            busy.remove(consumer);
        }
    }

    void onNeverAcknowledging() {
        trouble.onNeverAcknowledging();
    }

    /** Nothing more is sent; consumers are detached by the caller. */
    void close() {
        closed = true;
        endInput();
        busy = null;
        resending = null;
        if (commitLine != null) {
            commitLine.close();
        }
    }

    private Delivery lineUp(SubscriptionConsumer consumer, DeliverySource source) {
        if (busy == null) {
            busy = new BusyConsumers();
        }
        busy.add(consumer, source);
        return Delivery.BUSY;
    }

    private boolean hasCredit() {
        return outstanding < client.receiveMaximum()
                && resending == null
                && (commitLine == null || commitLine.hasRoom());
    }

    /** The input ends: what it has completed is settled together. */
    void endInput() {
        shared.settlement.tell();
    }

    private void complete(InFlight delivery) {
        outstanding -= delivery.isOutstanding() ? 1 : 0; // it may have been sent on an earlier connection only
        DeliverySource source = delivery.unstoredSource();
        if (source == null) {
            window.complete(delivery);
        } else {
            window.drop(delivery);
            shared.settlement.add(source);
        }
        if (resending != null || (busy != null && !busy.isEmpty())) {
            scheduleResume();
        }
    }

    private void scheduleResume() {
        if (!resumeScheduled) {
            resumeScheduled = true;
            shared.loop.atBatchEnd(this::resume);
        }
    }

    private void resume() {
        resumeScheduled = false;
        if (closed) {
            return;
        }
        if (commitLine != null) {
            commitLine.drain();
        }
        sendAgain();
        if (busy != null) {
            busy.turn(output);
        }
    }

    private void sendAgain() {
        Resending left = resending;
        while (left != null && !closed && outstanding < client.receiveMaximum() && output.isWritable()) {
            InFlight delivery = left.next();
            if (left.isDone()) {
                resending = null;
                left = null;
            }
            if (delivery == null) {
                return; // or goes on once the next one is durable
            }
            outstanding++;
            delivery.outstanding(true);
            sendAgain(delivery);
        }
    }

    private void sendAgain(InFlight delivery) {
        Message message = delivery.message();
        DeliveryOptions options = delivery.options();
        if (message == null || options == null) {
            output.writeAcknowledgement(PUBREL, delivery.packetId());
            return;
        }
        long expirySeconds = shared.deliveries.remainingSeconds(message);
        if (shared.deliveries.isTooLarge(this, message, options, delivery.qos(), expirySeconds)) {
            shared.loop.counters().increment(Counter.MESSAGES_TOO_LARGE);
            complete(delivery);
            endInput(); // there is none
            return;
        }
        trySend(delivery, expirySeconds);
    }
}
