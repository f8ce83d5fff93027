package dev.avocet.mqtt.connection;

import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBACK;
import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBCOMP;
import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBREC;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.Publisher;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.policy.Decision;
import dev.avocet.core.publish.PublishCompletion;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.Route;
import dev.avocet.mqtt.admission.ConnectAuthorization;
import dev.avocet.mqtt.buffer.CommitLine;
import dev.avocet.mqtt.buffer.OutputBuffer;
import dev.avocet.mqtt.codec.PublishDecoder;
import dev.avocet.mqtt.codec.PublishView;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.session.InboundIds;
import dev.avocet.mqtt.session.MqttSession;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way into the broker from a connection: PUBLISH packets become messages, and their publishers are answered.
 *
 * <p>Owned by the connection's loop.
 */
final class PublishReceiver implements PublishCompletion {
    /**
     * Publishes that may wait for room in full queues before nothing more is read, where no receive maximum binds the
     * client.
     */
    private static final int WAITING_MAX = 256;

    private static final String PUBLISH_TO = "publish to";
    private static final String PUBLISH_STORED_TO =
            "publish above QoS 0, as its connection policy has no AllowPersistentMessages, to";

    private static final String FULL = "a subscription is full and refuses new messages";
    private static final String NOT_AUTHORIZED = "no policy lets this client publish that";
    private static final String STORE_FULL = "the broker's disk is too full for messages that have to survive";
    private static final String NOT_PROTECTED =
            "the topic takes sealed messages only; seal the payload as its protection policy says";
    private static final String STANDBY_AWAY =
            "the standby does not answer, and has to have messages that have to survive (MinInSync)";

    private final MqttConnection connection;
    private final LoopResources shared;
    private final OpenRun run;
    private final OutputBuffer output;
    private final MqttSession session;
    private final InboundIds unreleased;
    private final @Nullable CommitLine commitLine;
    private final Publisher publisher;
    private final ProtocolVersion version;
    private final String clientId;
    private final AccessRights rights;
    private final boolean mayPersist;
    private final int receiveMaximum;
    private final PublishRoutes routes;

    /**
     * QoS 1 and QoS 2 publishes of this connection that have not been completed; counted anew on each connection
     * [MQTT-4.9.0-1].
     */
    private int unacknowledged;

    private int received;

    PublishReceiver(
            MqttConnection connection,
            LoopResources shared,
            Broker broker,
            OutputBuffer output,
            MqttSession session,
            @Nullable CommitLine commitLine,
            TopicAliases aliases,
            ProtocolVersion version,
            String clientId,
            AccessRights rights,
            int receiveMaximum) {
        this.connection = connection;
        this.shared = shared;
        this.run = shared.run;
        this.output = output;
        this.session = session;
        this.unreleased = session.inbound();
        this.commitLine = commitLine;
        this.publisher = broker.publisher(shared.loop, this);
        this.version = version;
        this.clientId = clientId;
        this.rights = rights;
        this.mayPersist = rights.connection().allowPersistentMessages();
        this.receiveMaximum = receiveMaximum;
        this.routes = new PublishRoutes(connection, broker, shared.loop, aliases, this::refuseTopic);
    }

    void onPublish(int header, byte[] buf, int from, int to) throws MalformedPacketException {
        PublishView view = shared.publish;
        PublishDecoder.decode(header, buf, from, to, version, view);
        received++;
        QualityOfService qos = view.qos();
        if (qos != QualityOfService.AT_MOST_ONCE && !mayReceive(view)) {
            return;
        }
        CachedRoute<Route> route = routes.routeOf(view);
        if (route == null) {
            return;
        }
        if (view.responseTopicLength() > 0 && !routes.mayAskForAnswers(view)) {
            return;
        }
        if (view.isPayloadText()) {
            PublishDecoder.validatePayloadText(buf, view.payloadOffset(), view.payloadLength());
        }
        Decision decision = rights.publish(route.topic(), route);
        if (!decision.allowed() || (!mayPersist && qos != QualityOfService.AT_MOST_ONCE)) {
            refuseUnauthorized(view, route.topic(), decision.allowed() ? PUBLISH_STORED_TO : PUBLISH_TO);
            return;
        }
        int token = tokenOf(view);
        Message message = messageOf(view, route.topic(), decision.maxTimeToLiveSeconds());
        if (!OpenRun.mayHold(message, route.route()) || !addToRun(message, token, route, to - from)) {
            endRun();
            publish(message, route, token);
        }
    }

    private void publish(Message message, CachedRoute<Route> route, int token) {
        shared.encoded.isReused(route.route().targets().length > 1);
        PublishOutcome outcome = publisher.publish(message, route, token);
        shared.encoded.isReused(true);
        if (outcome != PublishOutcome.PENDING) {
            answer(token, outcome);
        } else if (message.qos() == QualityOfService.AT_MOST_ONCE || isHeldUp()) {
            connection.pauseReading();
        }
    }

    /** False when a message cannot go together with others now. */
    private boolean addToRun(Message message, int token, CachedRoute<Route> route, int packetBytes) {
        QualityOfService qos = message.qos();
        if (!run.goesTo(route, qos) || !run.hasRoom(packetBytes)) {
            endRun();
            if (qos != QualityOfService.AT_MOST_ONCE && !publisher.takesWhole(message, route)) {
                return false;
            }
        }
        run.add(this, message, packetIdOf(token), route, packetBytes);
        return true;
    }

    /** What belongs together has come: publishes it. */
    void endRun() {
        if (!run.isOpenFor(this)) {
            return;
        }
        CachedRoute<Route> route = run.route();
        MessageRun messages = run.take();
        if (messages.qos() == QualityOfService.AT_LEAST_ONCE) {
            publishAtLeastOnce(messages, run.packetIds(), route);
        } else if (publisher.publish(messages, route) == PublishOutcome.PENDING) {
            connection.pauseReading();
        }
    }

    /** Answers are in the order of the publishes [MQTT-4.6.0-2]. */
    private void publishAtLeastOnce(MessageRun messages, int[] packetIds, CachedRoute<Route> route) {
        int count = messages.size();
        if (publisher.publishWhole(messages, route)) {
            completed(count);
            output.writeAcknowledgements(PUBACK, packetIds, count);
            return;
        }
        for (int i = 0; i < count && !connection.isClosed(); i++) {
            publish(messages.get(i), route, tokenOf(QualityOfService.AT_LEAST_ONCE, packetIds[i]));
        }
    }

    /** True while nothing more should be read. That a publish waits for the store is usual, unless too much does. */
    private boolean isHeldUp() {
        return publisher.waitingCount() >= WAITING_MAX || publisher.isHeldUpByStore();
    }

    /** PUBREL: the client will not send this QoS 2 publish again. */
    void onPubRel(int packetId) {
        long batch = unreleased.release(packetId);
        if (batch == InboundIds.UNKNOWN) {
            output.writeAcknowledgement(PUBCOMP, packetId, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND, version);
            return;
        }
        completed(1);
        if (commitLine == null || session.isCommitted(batch)) {
            output.writeAcknowledgement(PUBCOMP, packetId);
        } else {
            commitLine.addPubComp(packetId, batch);
        }
    }

    /** Messages since the last call. */
    int takeReceived() {
        int count = received;
        received = 0;
        return count;
    }

    void close() {
        publisher.close();
    }

    /** False for a QoS 2 publish that is here already [MQTT-4.3.3-10], and when the client sends more than it may. */
    private boolean mayReceive(PublishView view) throws MalformedPacketException {
        if (view.qos() == QualityOfService.EXACTLY_ONCE && unreleased.contains(view.packetId())) {
            // sent again on a new connection it may set an alias there
            if (view.topicAlias() == Publish.NO_ALIAS || routes.aliasRoute(view) != null) {
                acknowledgeAgain(view.packetId());
            }
            return false;
        }
        if (version.hasProperties() && unacknowledged >= receiveMaximum) {
            endRun(); // what is gathered is answered at once
        }
        if (version.hasProperties() && unacknowledged >= receiveMaximum) {
            connection.fail(
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
                    "more than " + receiveMaximum + " publishes without acknowledgement [MQTT-3.3.4-9]");
            return false;
        }
        unacknowledged++;
        return true;
    }

    private void acknowledgeAgain(int packetId) {
        unreleased.afterCommit(packetId, () -> {
            if (!connection.isClosed()) {
                output.writeAcknowledgement(PUBREC, packetId);
            }
        });
    }

    /**
     * A topic that may not be published to: ignored in 3.1, which has no word for it, else said as the version allows.
     */
    private void refuseTopic(PublishView view, String why) {
        endRun(); // is answered first
        if (version == ProtocolVersion.V3_1) {
            answer(tokenOf(view), PublishOutcome.ACCEPTED);
        } else if (version == ProtocolVersion.V3_1_1 || view.qos() == QualityOfService.AT_MOST_ONCE) {
            connection.fail(ReasonCode.TOPIC_NAME_INVALID, why);
        } else {
            refuse(view.qos(), view.packetId(), ReasonCode.TOPIC_NAME_INVALID, why);
        }
    }

    /**
     * No policy allows the publish. MQTT 3.1 has no word for it: it looks accepted and goes nowhere; 3.1.1 closes the
     * connection [MQTT-3.3.5-2]; 5 says so in the acknowledgement, where there is one.
     */
    private void refuseUnauthorized(PublishView view, TopicName topic, String verb) {
        endRun(); // is answered first
        PublishOutcome outcome = publisher.refuse(view.qos(), tokenOf(view));
        if (version == ProtocolVersion.V3_1_1) {
            connection.traffic().lost();
            connection.fail(
                    ReasonCode.NOT_AUTHORIZED,
                    NOT_AUTHORIZED,
                    topic.text(),
                    connection.peer().unauthorized(verb, topic.text()));
            return;
        }
        connection.peer().noteUnauthorized(verb, topic.text());
        if (outcome != PublishOutcome.PENDING) {
            answer(tokenOf(view), outcome);
        }
    }

    private static int tokenOf(PublishView view) {
        return tokenOf(view.qos(), view.packetId());
    }

    private static int tokenOf(QualityOfService qos, int packetId) {
        return qos.level() << 16 | packetId;
    }

    private Message messageOf(PublishView view, TopicName topic, long maxTimeToLiveSeconds) {
        long expirySeconds = ConnectAuthorization.lower(view.messageExpiryIntervalSeconds(), maxTimeToLiveSeconds);
        long deadlineNs = expirySeconds == Publish.NO_EXPIRY
                ? Message.NEVER
                : shared.loop.clock().nanoTime() + TimeUnit.SECONDS.toNanos(expirySeconds);
        return new Message(
                topic, view.qos(), view.retain(), view.copyPayload(), view.properties(), deadlineNs, clientId);
    }

    @Override
    public void onStored(long token) {
        if (qosOf((int) token) == QualityOfService.EXACTLY_ONCE) {
            unreleased.addStored(packetIdOf((int) token));
        }
    }

    @Override
    public void onPublished(long token, PublishOutcome outcome) {
        answer((int) token, outcome);
        if (publisher.waitingCount() == 0 && !publisher.isHeldUpByStore()) {
            connection.resumeReading();
        }
    }

    @Override
    public void onFull(Message message, MessageQueue queue) {
        connection
                .peer()
                .noteRefusal(
                        "full",
                        queue.name(),
                        () -> "publish to '"
                                + ConnectionLog.shortened(message.topic().text()) + "': " + queue.fullness());
    }

    @Override
    public void onUnsealed(Message message, String why) {
        String topic = message.topic().text();
        connection
                .peer()
                .noteRefusal(
                        "unprotected",
                        topic,
                        () -> "publish to '" + ConnectionLog.shortened(topic) + "' is not taken: " + why);
    }

    @Override
    public void onPassedOver() {
        connection.traffic().passedOver();
    }

    private void answer(int token, PublishOutcome outcome) {
        if (outcome.isFailure()) {
            connection.traffic().lost();
        }
        QualityOfService qos = qosOf(token);
        int packetId = packetIdOf(token);
        if (qos == QualityOfService.AT_MOST_ONCE) {
            return;
        }
        switch (outcome) {
            case ACCEPTED -> accept(qos, packetId, ReasonCode.SUCCESS);
            case NO_MATCHING_SUBSCRIBERS -> accept(qos, packetId, ReasonCode.NO_MATCHING_SUBSCRIBERS);
            case QUOTA_EXCEEDED -> refuseFull(qos, packetId, FULL);
            case STORE_FULL -> refuseFull(qos, packetId, STORE_FULL);
            case STANDBY_AWAY -> refuseFull(qos, packetId, STANDBY_AWAY);
            case NOT_AUTHORIZED -> refuseUnauthorized(qos, packetId);
            case NOT_PROTECTED -> refuseUnprotected(qos, packetId);
            case NO_SUCH_QUEUE, SEND_NOT_ALLOWED, PENDING ->
                throw new IllegalStateException(outcome + " is not an answer to a publish to a topic");
        }
    }

    private void refuseFull(QualityOfService qos, int packetId, String why) {
        if (version.hasProperties()) {
            refuse(qos, packetId, ReasonCode.QUOTA_EXCEEDED, why);
        } else {
            connection.fail(ReasonCode.QUOTA_EXCEEDED, why);
        }
    }

    private void refuseUnprotected(QualityOfService qos, int packetId) {
        if (version.hasProperties()) {
            refuse(qos, packetId, ReasonCode.PAYLOAD_FORMAT_INVALID, NOT_PROTECTED);
        } else {
            connection.fail(ReasonCode.PAYLOAD_FORMAT_INVALID, NOT_PROTECTED);
        }
    }

    private void refuseUnauthorized(QualityOfService qos, int packetId) {
        if (version.hasProperties()) {
            refuse(qos, packetId, ReasonCode.NOT_AUTHORIZED, NOT_AUTHORIZED);
        } else {
            accept(qos, packetId, ReasonCode.SUCCESS);
        }
    }

    private static QualityOfService qosOf(int token) {
        return QualityOfService.of(token >>> 16);
    }

    private static int packetIdOf(int token) {
        return token & 0xFFFF;
    }

    private void accept(QualityOfService qos, int packetId, ReasonCode reason) {
        int header = PUBACK;
        if (qos == QualityOfService.EXACTLY_ONCE) {
            unreleased.add(packetId);
            header = PUBREC;
        } else {
            completed(1);
        }
        output.writeAcknowledgement(header, packetId, reason, version);
    }

    private void refuse(QualityOfService qos, int packetId, ReasonCode reason, String why) {
        completed(1);
        PacketType type = qos == QualityOfService.EXACTLY_ONCE ? PacketType.PUBREC : PacketType.PUBACK;
        boolean unused = connection.sendFreely(Acknowledgement.of(type, packetId, reason, why, List.of()));
    }

    /** A publish that was begun on an earlier connection does not count on this one. */
    private void completed(int publishes) {
        unacknowledged = Math.max(0, unacknowledged - publishes);
    }
}
