package dev.avocet.mqtt.connection;

import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBACK;
import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBCOMP;
import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBREC;
import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBREL;

import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.session.ClientSession;
import dev.avocet.mqtt.admission.ClientLimits;
import dev.avocet.mqtt.admission.MqttContext;
import dev.avocet.mqtt.buffer.OutputBuffer;
import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.session.MqttSession;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a connection does from CONNACK on: each packet goes to its handler, for the session that the client has.
 * Owned by the connection's loop.
 */
final class ServedSession implements DeliveryTrouble {
    private static final int PLAIN_ACKNOWLEDGEMENT_BYTES = 2;

    private final MqttConnection connection;
    private final MqttContext context;
    private final LoopResources shared;
    private final OutputBuffer output;
    private final ClientLimits client;
    private final String clientId;
    private final ClientSession session;
    private final AccessRights rights;
    private final int receiveMaximum;
    private final KeepAlive keepAlive;
    private final Deliveries deliveries;
    /** Made for the first subscription, as many clients only publish. */
    private @Nullable SubscriptionRequests subscriptions;

    private @Nullable PublishReceiver publishes;

    ServedSession(
            MqttConnection connection,
            MqttContext context,
            LoopResources shared,
            OutputBuffer output,
            ClientLimits client,
            String clientId,
            ClientSession session,
            AccessRights rights,
            int receiveMaximum,
            TopicAliases aliases,
            KeepAlive keepAlive) {
        this.connection = connection;
        this.context = context;
        this.shared = shared;
        this.output = output;
        this.client = client;
        this.clientId = clientId;
        this.session = session;
        this.rights = rights;
        this.receiveMaximum = receiveMaximum;
        this.keepAlive = keepAlive;
        deliveries = new Deliveries(shared, output, client, mqttSession(), aliases, this);
    }

    ClientSession session() {
        return session;
    }

    /** What the client may do. */
    AccessRights rights() {
        return rights;
    }

    /** CONNACK is on its way: goes on where the session stopped. */
    void begin() {
        deliveries.resend();
        if (!session.subscriptionsByKey().isEmpty()) {
            subscriptions().attachExisting();
        }
    }

    /** Something has come, or the connection goes on after it had been held up. */
    void heard() {
        keepAlive.heard();
    }

    void onWritable() {
        deliveries.onWritable();
    }

    void onPacket(int header, byte[] bytes, int from, int to) throws MalformedPacketException {
        if (header >>> 4 == PacketType.PUBLISH.number()) {
            publishes().onPublish(header, bytes, from, to);
        } else if (isPlainAcknowledgement(header, bytes, from, to)) {
            onAcknowledgement(header, (bytes[from] & 0xFF) << 8 | (bytes[from + 1] & 0xFF), false);
        } else if (header >>> 4 == PacketType.CONNECT.number()) {
            connection.onSecondConnect();
        } else {
            endRun();
            onOther(PacketDecoder.decode(Sender.CLIENT, client.version(), header, bytes, from, to));
        }
    }

    /** Publishes what has come and waited for more of its kind: the input ends, or something else comes. */
    void endRun() {
        if (publishes != null) {
            publishes.endRun();
        }
    }

    /** No more of the input can be handled for now. */
    void endInput() {
        endRun();
        deliveries.endInput();
    }

    /** One of the client's subscriptions ends, and not because the client wants it. */
    void detach(String key) {
        if (subscriptions != null) {
            subscriptions.detach(key);
        }
    }

    /** Adds what has come since the last time to the loop's counters. */
    void countReceived() {
        if (publishes != null) {
            connection.traffic().receivedMessages(publishes.takeReceived());
        }
    }

    /** The connection leaves the session. */
    void end() {
        countReceived();
        keepAlive.stop();
        if (publishes != null) {
            publishes.close();
        }
        deliveries.close();
        if (subscriptions != null) {
            subscriptions.detachAll();
        }
        mqttSession().onDisconnect();
    }

    /**
     * An acknowledgement without reason code, which is most of them, needs no record; identifier 0 is for the codec to
     * refuse.
     */
    private static boolean isPlainAcknowledgement(int header, byte[] bytes, int from, int to) {
        return to - from == PLAIN_ACKNOWLEDGEMENT_BYTES
                && (header == PUBACK || header == PUBREC || header == PUBREL || header == PUBCOMP)
                && (bytes[from] | bytes[from + 1]) != 0;
    }

    private void onAcknowledgement(int header, int packetId, boolean refused) {
        switch (header) {
            case PUBACK -> expectRightKind(deliveries.onPubAck(packetId), PacketType.PUBACK, packetId);
            case PUBREC -> expectRightKind(deliveries.onPubRec(packetId, refused), PacketType.PUBREC, packetId);
            case PUBREL -> publishes().onPubRel(packetId);
            default -> expectRightKind(deliveries.onPubComp(packetId), PacketType.PUBCOMP, packetId);
        }
    }

    /**
     * Completed, the delivery would be lost; passed over, it would take its place in the window for ever
     * [MQTT-4.13.1-1].
     */
    private void expectRightKind(boolean right, PacketType type, int packetId) {
        if (!right) {
            connection.fail(
                    ReasonCode.PROTOCOL_ERROR,
                    type + " is the wrong answer to the message with packet identifier " + packetId
                            + " [MQTT-4.3.2-3] [MQTT-4.3.3-3]");
        }
    }

    /** What receives from this client; made with its first publish, as many only subscribe. */
    private PublishReceiver publishes() {
        PublishReceiver present = publishes;
        return present == null ? openPublishes() : present;
    }

    private SubscriptionRequests subscriptions() {
        SubscriptionRequests present = subscriptions;
        if (present == null) {
            present = new SubscriptionRequests(
                    connection, context.broker(), context.currentOptions(), session, deliveries, client.version());
            subscriptions = present;
        }
        return present;
    }

    @Override
    public void onNeverAcknowledging() {
        connection.end().onNeverAcknowledging();
    }

    @Override
    public void onFailure(Throwable cause) {
        connection.end().failLater(cause);
    }

    private PublishReceiver openPublishes() {
        PublishReceiver made = new PublishReceiver(
                connection,
                shared,
                context.broker(),
                output,
                mqttSession(),
                deliveries.commitLine(),
                deliveries.aliases(),
                client.version(),
                clientId,
                rights,
                receiveMaximum);
        publishes = made;
        return made;
    }

    private MqttSession mqttSession() {
        return (MqttSession) Objects.requireNonNull(session.protocolState());
    }

    private void onOther(Packet packet) {
        switch (packet.type()) {
            case PUBACK, PUBREC, PUBREL, PUBCOMP -> onAcknowledgement((Acknowledgement) packet);
            case SUBSCRIBE -> subscriptions().onSubscribe((Subscribe) packet);
            case UNSUBSCRIBE -> subscriptions().onUnsubscribe((Unsubscribe) packet);
            case PINGREQ -> connection.sendFreely(PingResp.INSTANCE); // [MQTT-3.12.4-1]
            case DISCONNECT -> onDisconnect((Disconnect) packet);
            case AUTH -> connection.onReauthenticate((Auth) packet);
            default -> connection.fail(ReasonCode.PROTOCOL_ERROR, packet.type() + " is not for a client to send");
        }
    }

    private void onAcknowledgement(Acknowledgement packet) {
        int header =
                switch (packet.type()) {
                    case PUBACK -> PUBACK;
                    case PUBREC -> PUBREC;
                    case PUBREL -> PUBREL;
                    default -> PUBCOMP;
                };
        onAcknowledgement(header, packet.packetId(), packet.reasonCode().isError());
    }

    private void onDisconnect(Disconnect packet) {
        long expirySeconds = packet.sessionExpiryIntervalSeconds();
        if (expirySeconds != Disconnect.SAME_EXPIRY) {
            if (session.expirySeconds() == 0 && expirySeconds > 0) {
                connection.fail(
                        ReasonCode.PROTOCOL_ERROR, "the session expiry interval was 0 in CONNECT [MQTT-3.14.2-2]");
                return;
            }
            long longest = Math.min(expirySeconds, context.options().sessionExpiryMaxSeconds());
            session.expirySeconds(rights.connection().expirySeconds(longest));
        }
        connection.closeBehindOutput(packet.reasonCode() != ReasonCode.NORMAL_DISCONNECTION);
    }
}
