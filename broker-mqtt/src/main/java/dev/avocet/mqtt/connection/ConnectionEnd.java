package dev.avocet.mqtt.connection;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.session.DisconnectCause;
import dev.avocet.mqtt.admission.Peer;
import dev.avocet.mqtt.admission.RefusedText;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * How the broker ends a connection: it tells the log, then the client as its version allows [MQTT-4.13.1-1], and has
 * the connection close behind that.
 *
 * <p>Owned by the connection's loop.
 */
final class ConnectionEnd {
    private static final String LOGIN_OVER = "the time of the login is over";

    private final MqttConnection connection;
    private final IoLoop loop;
    private final Peer peer;

    ConnectionEnd(MqttConnection connection, IoLoop loop, Peer peer) {
        this.connection = connection;
        this.loop = loop;
        this.peer = peer;
    }

    /** As {@link MqttConnection#fail(ReasonCode, String, String, String)}. */
    void fail(ReasonCode reason, String fullExplanation, String object, String detail) {
        if (connection.isClosed()) {
            return;
        }
        String explanation = RefusedText.shortened(fullExplanation);
        connection.endRun(); // it was sent before
        peer.noteClosed(reason.name(), object, detail);
        loop.counters().increment(Counter.PROTOCOL_ERRORS);
        if (connection.isConnected()) {
            tell(reason, explanation);
        } else if (connection.hasConnect()) {
            tellRefusal(reason, explanation);
        }
        connection.closeBehindOutput(true);
    }

    /** As {@link MqttConnection#refuse(ConnAck, String, String)}. */
    void refuse(ConnAck answer, String object, String detail) {
        if (connection.isClosed()) {
            return;
        }
        peer.noteClosed(answer.reasonCode().name(), object, detail);
        if (answer.reasonCode().connackCode(connection.version()) != ReasonCode.NO_CODE) {
            connection.send(answer);
        }
        connection.closeBehindOutput(true);
    }

    /** The session ends, or another connection has it: it hears no more of this one. */
    void disconnect(DisconnectCause cause) {
        if (connection.isClosed()) {
            return;
        }
        connection.endRun();
        peer.noteClosed(cause.name(), "");
        tell(reasonOf(cause), null);
        connection.closeWithoutSession();
    }

    void onSilence() {
        loop.counters().increment(Counter.KEEP_ALIVE_TIMEOUTS);
        connection.fail(
                ReasonCode.KEEP_ALIVE_TIMEOUT, "nothing came for one and a half keep alive intervals [MQTT-3.1.2-22]");
    }

    void onLoginOver() {
        connection.endRun();
        peer.noteClosed(ReasonCode.MAXIMUM_CONNECT_TIME.name(), LOGIN_OVER);
        tell(ReasonCode.MAXIMUM_CONNECT_TIME, LOGIN_OVER + "; log in again");
        connection.closeBehindOutput(true);
    }

    void onStall() {
        loop.counters().increment(Counter.STALLED_CONSUMERS);
        peer.noteClosed(DisconnectCause.STALLED.name(), "the client has stopped reading");
        connection.closeAtOnce();
    }

    /**
     * The broker itself did something wrong. Not at once: it may have happened in the middle of a delivery or of a
     * disconnect.
     */
    void failLater(Throwable cause) {
        loop.execute(() -> {
            peer.noteFailure(cause);
            connection.fail(ReasonCode.UNSPECIFIED_ERROR, "internal error");
        });
    }

    void onNeverAcknowledging() {
        if (connection.isClosed()) {
            return; // it was on its way from another loop
        }
        loop.counters().increment(Counter.NEVER_ACKNOWLEDGING_CONSUMERS);
        connection.fail(ReasonCode.QUOTA_EXCEEDED, "the client does not acknowledge what it is sent");
    }

    private void tell(ReasonCode reason, @Nullable String explanation) {
        if (connection.version().hasProperties() && connection.isConnected()) {
            boolean unused = connection.sendFreely(new Disconnect(reason.within(PacketType.DISCONNECT), explanation));
        }
    }

    private void tellRefusal(ReasonCode reason, String explanation) {
        ProtocolVersion version = connection.version();
        ReasonCode fitting = reason.within(PacketType.CONNACK);
        if (fitting.connackCode(version) != ReasonCode.NO_CODE) {
            connection.send(ConnAck.builder(fitting).reasonString(explanation).build());
        }
    }

    private static ReasonCode reasonOf(DisconnectCause cause) {
        return switch (cause) {
            case TAKEN_OVER -> ReasonCode.SESSION_TAKEN_OVER;
            case SHUTTING_DOWN -> ReasonCode.SERVER_SHUTTING_DOWN;
            case ADMINISTRATIVE_ACTION -> ReasonCode.ADMINISTRATIVE_ACTION;
            case NEVER_ACKNOWLEDGING, STALLED -> ReasonCode.QUOTA_EXCEEDED;
        };
    }
}
