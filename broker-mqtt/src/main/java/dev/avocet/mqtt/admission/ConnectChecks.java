package dev.avocet.mqtt.admission;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.session.ClientSession;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What is checked of a CONNECT before its client authenticates: whether this broker is the right one and has room, and
 * the identifier, the texts and the will of the packet.
 *
 * <p>Owned by the connection's loop.
 */
public final class ConnectChecks {
    private final Broker broker;
    private final MqttOptions options;
    private final IoLoop loop;
    private final boolean takesControlCharacters;

    public ConnectChecks(MqttContext context, IoLoop loop, boolean takesControlCharacters) {
        this.broker = context.broker();
        this.options = context.options();
        this.loop = loop;
        this.takesControlCharacters = takesControlCharacters;
    }

    /** Why the client is refused; null where it may authenticate. */
    public @Nullable ConnAck refusalOf(Connect packet) {
        MqttOptions.Redirect redirect = options.redirect();
        if (redirect != null) {
            ReasonCode reason = redirect.permanent() ? ReasonCode.SERVER_MOVED : ReasonCode.USE_ANOTHER_SERVER;
            return ConnAck.builder(reason)
                    .serverReference(redirect.serverReference())
                    .reasonString("the server for this client is " + redirect.serverReference())
                    .build();
        }
        if (!loop.memory().acceptsClients() && !hasSession(packet)) {
            return refusal(ReasonCode.SERVER_BUSY, "the broker is short of memory");
        }
        ConnAck unacceptable = takesControlCharacters ? null : refusalOfCharacters(packet);
        if (unacceptable != null) {
            return unacceptable;
        }
        String idProblem = clientIdProblem(packet);
        if (idProblem != null) {
            return refusal(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID, idProblem);
        }
        String willProblem = willTopicProblem(packet);
        return willProblem == null ? null : refusal(ReasonCode.TOPIC_NAME_INVALID, willProblem);
    }

    /** A client that comes back for messages that wait makes room; refused, they would fill the memory for ever. */
    private boolean hasSession(Connect packet) {
        return broker.sessions().find(packet.clientId()) != null;
    }

    /** The client identifier has a code in each version; for the others MQTT 5 has the one of malformed packets. */
    private static @Nullable ConnAck refusalOfCharacters(Connect packet) {
        String inId = RefusedText.reason("client identifier", packet.clientId());
        if (inId != null) {
            return refusal(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID, inId);
        }
        String elsewhere = RefusedText.reason("user name", packet.userName());
        ConnectWill will = packet.will();
        if (elsewhere == null && will != null) {
            elsewhere = RefusedText.reason("will topic", will.topic());
            if (elsewhere == null) {
                elsewhere = RefusedText.reason(
                        "response topic of the will", will.properties().responseTopic());
            }
        }
        return elsewhere == null ? null : refusal(ReasonCode.MALFORMED_PACKET, elsewhere);
    }

    private @Nullable String clientIdProblem(Connect packet) {
        String id = packet.clientId();
        if (id.isEmpty()) {
            boolean mayBeAssigned = packet.version() == ProtocolVersion.V5
                    || (packet.version() == ProtocolVersion.V3_1_1 && packet.cleanStart()); // [MQTT-3.1.3-7] of 3.1.1
            return mayBeAssigned && options.assignsClientIds()
                    ? null
                    : "an empty client identifier needs a clean session";
        }
        if (id.startsWith(ClientSession.RESERVED_PREFIX)) {
            return "client identifiers that begin with " + ClientSession.RESERVED_PREFIX + " are reserved";
        }
        if (id.startsWith(ClientSession.JMS_PREFIX)) {
            return "client identifiers that begin with " + ClientSession.JMS_PREFIX + " are those of JMS clients";
        }
        int maxBytes = options.maxClientIdBytes();
        return id.getBytes(StandardCharsets.UTF_8).length <= maxBytes
                ? null
                : "a client identifier has at most " + maxBytes + " bytes";
    }

    private @Nullable String willTopicProblem(Connect packet) {
        ConnectWill will = packet.will();
        if (will == null) {
            return null;
        }
        try {
            TopicName topic = TopicName.of(will.topic());
            if (topic.isReserved()) {
                return "a will cannot be published to a topic that begins with $";
            }
            return topic.levels() <= broker.topicLevelsMax() ? null : "the will topic has too many levels";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static ConnAck refusal(ReasonCode reason, String why) {
        return ConnAck.builder(reason).reasonString(why).build();
    }
}
