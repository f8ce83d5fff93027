package dev.avocet.mqtt.buffer;

import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Packets in words, each in one line. Passwords, authentication data and, but for as many bytes as are asked for,
 * payloads are left out. Immutable.
 */
final class PacketText {
    private static final int LONGEST_TEXT = 1_000;
    private static final HexFormat HEX = HexFormat.of();

    private final int payloadBytes;

    PacketText(int payloadBytes) {
        this.payloadBytes = payloadBytes;
    }

    String describe(Packet packet) {
        return packet.type() + details(packet);
    }

    /** What clients choose, so that it can neither forge a line nor fill the file. */
    static String quoted(@Nullable String text) {
        if (text == null) {
            return "none";
        }
        String shown = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
        return '\'' + shown.replaceAll("\\p{Cntrl}|\\p{Cf}", "?") + '\'';
    }

    private String details(Packet packet) {
        if (packet instanceof Publish publish) {
            return publish(publish);
        }
        if (packet instanceof Acknowledgement answer) {
            return " id=" + answer.packetId() + " reason=" + answer.reasonCode() + why(answer.reasonString());
        }
        if (packet instanceof Connect connect) {
            return connect(connect);
        }
        if (packet instanceof ConnAck answer) {
            return connAck(answer);
        }
        return subscriptionOrEnd(packet);
    }

    private static String subscriptionOrEnd(Packet packet) {
        if (packet instanceof Subscribe subscribe) {
            return " id=" + subscribe.packetId() + " identifier=" + subscribe.subscriptionIdentifier()
                    + subscribe.subscriptions().stream()
                            .map(PacketText::subscription)
                            .collect(Collectors.joining());
        }
        if (packet instanceof SubAck answer) {
            return " id=" + answer.packetId() + " reasons=" + answer.reasonCodes() + why(answer.reasonString());
        }
        if (packet instanceof Unsubscribe unsubscribe) {
            return " id=" + unsubscribe.packetId() + ' ' + quoted(unsubscribe.filters());
        }
        if (packet instanceof UnsubAck answer) {
            return " id=" + answer.packetId() + " reasons=" + answer.reasonCodes() + why(answer.reasonString());
        }
        if (packet instanceof Disconnect disconnect) {
            return " reason=" + disconnect.reasonCode() + " expiry=" + disconnect.sessionExpiryIntervalSeconds()
                    + why(disconnect.reasonString());
        }
        return packet instanceof Auth auth
                ? " reason=" + auth.reasonCode() + " method=" + quoted(auth.authenticationMethod())
                : "";
    }

    private static String connect(Connect packet) {
        return " " + packet.version() + " client=" + quoted(packet.clientId()) + " cleanStart=" + packet.cleanStart()
                + " keepAlive=" + packet.keepAliveSeconds() + " expiry=" + packet.sessionExpiryIntervalSeconds()
                + " receiveMaximum=" + packet.receiveMaximum() + " maximumPacketSize=" + packet.maximumPacketSizeBytes()
                + " topicAliasMaximum=" + packet.topicAliasMaximum() + " user=" + quoted(packet.userName())
                + " password=" + (packet.password() == null ? "none" : "given") + " method="
                + quoted(packet.authenticationMethod()) + will(packet.will());
    }

    private static String will(@Nullable ConnectWill will) {
        return will == null
                ? ""
                : " will=" + quoted(will.topic()) + " willQos=" + will.qos().level() + " willRetain=" + will.retain()
                        + " willDelay=" + will.delayIntervalSeconds() + " willBytes=" + will.payload().length;
    }

    private static String connAck(ConnAck packet) {
        return " reason=" + packet.reasonCode() + " sessionPresent=" + packet.sessionPresent() + " expiry="
                + packet.sessionExpiryIntervalSeconds() + " keepAlive=" + packet.serverKeepAliveSeconds()
                + " receiveMaximum=" + packet.receiveMaximum() + " maximumPacketSize=" + packet.maximumPacketSizeBytes()
                + " topicAliasMaximum=" + packet.topicAliasMaximum() + " assigned="
                + quoted(packet.assignedClientIdentifier()) + why(packet.reasonString());
    }

    private String publish(Publish packet) {
        return " topic=" + quoted(packet.topic()) + " qos=" + packet.qos().level() + " retain=" + packet.retain()
                + " dup=" + packet.dup() + " id=" + packet.packetId() + " alias=" + packet.topicAlias() + " expiry="
                + packet.messageExpiryIntervalSeconds() + " identifiers=" + packet.subscriptionIdentifiers()
                + " bytes=" + packet.payload().length + payload(packet.payload());
    }

    private String payload(byte[] payload) {
        int shown = Math.min(payloadBytes, payload.length);
        return shown == 0 ? "" : " payload=" + HEX.formatHex(payload, 0, shown) + (shown < payload.length ? "…" : "");
    }

    private static String subscription(TopicSubscription wanted) {
        return " " + quoted(wanted.filter()) + " qos=" + wanted.qos().level() + " noLocal=" + wanted.noLocal()
                + " retainAsPublished=" + wanted.retainAsPublished() + " retainHandling="
                + wanted.retainHandling().ordinal();
    }

    private static String quoted(List<String> texts) {
        return texts.stream().map(PacketText::quoted).collect(Collectors.joining(" "));
    }

    private static String why(@Nullable String reasonString) {
        return reasonString == null ? "" : " why=" + quoted(reasonString);
    }
}
