package dev.avocet.mqtt.codec;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Valid packets at random. Draws from a {@link Random} rather than from arbitraries: the packets have up to twenty
 * components, and a seed is all that a failing case needs.
 */
final class AnyPackets {
    private static final String ALPHABET = "abc/xyz019-_\u00e9\u20ac";

    private final Random random;
    private final ProtocolVersion version;

    AnyPackets(long seed, ProtocolVersion version) {
        this.random = new Random(seed);
        this.version = version;
    }

    /** A packet that this sender may send in this version. */
    Packet next(Sender sender) {
        while (true) {
            PacketType type = PacketType.values()[random.nextInt(15)];
            boolean exists = type != PacketType.AUTH || version == ProtocolVersion.V5;
            if (exists && sender.maySend(type)) {
                return next(sender, type);
            }
        }
    }

    private Packet next(Sender sender, PacketType type) {
        return switch (type) {
            case CONNECT -> connect();
            case CONNACK -> connAck();
            case PUBLISH -> publish(sender);
            case PUBACK, PUBREC, PUBREL, PUBCOMP -> acknowledgement(type);
            case SUBSCRIBE -> subscribe();
            case SUBACK -> new SubAck(packetId(), reasonCodes(type), maybeText(), users());
            case UNSUBSCRIBE -> new Unsubscribe(packetId(), List.of(filter(), filter()), users());
            case UNSUBACK -> new UnsubAck(packetId(), v5() ? reasonCodes(type) : List.of(), maybeText(), users());
            case PINGREQ -> PingReq.INSTANCE;
            case PINGRESP -> PingResp.INSTANCE;
            case DISCONNECT -> disconnect(sender);
            case AUTH -> new Auth(oneOf(reasonCodes(type)), text(), maybeBytes(), maybeText(), users());
        };
    }

    private Connect connect() {
        String userName = maybeText();
        String method = maybeText();
        return Connect.builder(text())
                .version(version)
                .cleanStart(random.nextBoolean())
                .keepAliveSeconds(random.nextInt(65_536))
                .will(random.nextBoolean() ? will() : null)
                .userName(userName)
                .password(userName == null ? null : maybeBytes())
                .sessionExpiryIntervalSeconds(v5() ? unsignedInt() : 0)
                .receiveMaximum(v5() ? packetId() : Connect.DEFAULT_RECEIVE_MAXIMUM)
                .maximumPacketSizeBytes(v5() ? unsignedInt() + 1 : Connect.NO_PACKET_SIZE_LIMIT)
                .topicAliasMaximum(v5() ? random.nextInt(65_536) : 0)
                .requestResponseInformation(v5() && random.nextBoolean())
                .requestProblemInformation(!v5() || random.nextBoolean())
                .authenticationMethod(method)
                .authenticationData(method == null ? null : maybeBytes())
                .userProperties(users())
                .build();
    }

    private ConnectWill will() {
        ConnectWill plain = new ConnectWill("w" + text(), bytes(), qos(), random.nextBoolean());
        return v5()
                ? plain.withDelayIntervalSeconds(unsignedInt())
                        .withMessageExpiryIntervalSeconds(maybeUnsignedInt())
                        .withProperties(properties())
                : plain;
    }

    private ConnAck connAck() {
        ReasonCode reasonCode = v5()
                ? oneOf(reasonCodes(PacketType.CONNACK))
                : oneOf(List.of(ReasonCode.SUCCESS, ReasonCode.NOT_AUTHORIZED, ReasonCode.SERVER_UNAVAILABLE));
        boolean present = version != ProtocolVersion.V3_1 && !reasonCode.isError() && random.nextBoolean();
        if (!v5()) {
            return ConnAck.builder(reasonCode).sessionPresent(present).build();
        }
        String method = maybeText();
        return ConnAck.builder(reasonCode)
                .sessionPresent(present)
                .sessionExpiryIntervalSeconds(maybeUnsignedInt())
                .receiveMaximum(packetId())
                .maximumQos(qos())
                .retainAvailable(random.nextBoolean())
                .maximumPacketSizeBytes(unsignedInt() + 1)
                .assignedClientIdentifier(maybeText())
                .topicAliasMaximum(random.nextInt(65_536))
                .reasonString(maybeText())
                .userProperties(users())
                .wildcardSubscriptionAvailable(random.nextBoolean())
                .subscriptionIdentifiersAvailable(random.nextBoolean())
                .sharedSubscriptionAvailable(random.nextBoolean())
                .serverKeepAliveSeconds(random.nextInt(65_537) - 1)
                .responseInformation(maybeText())
                .serverReference(maybeText())
                .authenticationMethod(method)
                .authenticationData(method == null ? null : maybeBytes())
                .build();
    }

    private Publish publish(Sender sender) {
        QualityOfService qos = qos();
        boolean acknowledged = qos != QualityOfService.AT_MOST_ONCE;
        boolean identified = v5() && sender == Sender.SERVER && random.nextBoolean();
        return new Publish(
                acknowledged && random.nextBoolean(),
                qos,
                random.nextBoolean(),
                "t" + text(),
                acknowledged ? packetId() : 0,
                v5() ? random.nextInt(65_536) : Publish.NO_ALIAS,
                v5() ? maybeUnsignedInt() : Publish.NO_EXPIRY,
                v5() ? properties() : MessageProperties.NONE,
                identified ? List.of(1, 1 + random.nextInt(Subscribe.MAX_IDENTIFIER)) : List.of(),
                bytes());
    }

    private Acknowledgement acknowledgement(PacketType type) {
        ReasonCode reasonCode = v5() ? oneOf(reasonCodes(type)) : ReasonCode.SUCCESS;
        return Acknowledgement.of(type, packetId(), reasonCode, maybeText(), users());
    }

    private Subscribe subscribe() {
        List<TopicSubscription> subscriptions = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            subscriptions.add(
                    v5()
                            ? new TopicSubscription(
                                    filter(),
                                    qos(),
                                    random.nextBoolean(),
                                    random.nextBoolean(),
                                    RetainHandling.of(random.nextInt(3)))
                            : new TopicSubscription(filter(), qos()));
        }
        int identifier = v5() ? random.nextInt(Subscribe.MAX_IDENTIFIER + 1) : Subscribe.NO_IDENTIFIER;
        return new Subscribe(packetId(), identifier, subscriptions, users());
    }

    private Disconnect disconnect(Sender sender) {
        if (!v5()) {
            return new Disconnect(ReasonCode.NORMAL_DISCONNECTION);
        }
        long expiry = sender == Sender.CLIENT ? maybeUnsignedInt() : Disconnect.SAME_EXPIRY;
        return new Disconnect(oneOf(reasonCodes(PacketType.DISCONNECT)), expiry, maybeText(), users(), maybeText());
    }

    private String filter() {
        return "f" + text();
    }

    private MessageProperties properties() {
        return MqttMessageProperties.builder()
                .contentType(maybeText())
                .responseTopic(random.nextBoolean() ? "r" + text() : null)
                .correlationData(maybeBytes())
                .userProperties(users())
                .build();
    }

    /** At least one, from those that the packet may carry; before MQTT 5 those that all versions know. */
    private List<ReasonCode> reasonCodes(PacketType type) {
        List<ReasonCode> codes = new ArrayList<>();
        while (codes.isEmpty() || random.nextInt(3) > 0) {
            ReasonCode reasonCode = ReasonCode.values()[random.nextInt(ReasonCode.values().length)];
            boolean known = v5() || !reasonCode.isError() || reasonCode == ReasonCode.UNSPECIFIED_ERROR;
            if (known && reasonCode.isAllowedIn(type)) {
                codes.add(reasonCode);
            }
        }
        return codes;
    }

    private boolean v5() {
        return version == ProtocolVersion.V5;
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private int packetId() {
        return 1 + random.nextInt(65_535);
    }

    private QualityOfService qos() {
        return QualityOfService.of(random.nextInt(3));
    }

    private long unsignedInt() {
        return random.nextInt() & 0x7FFF_FFFFL;
    }

    private long maybeUnsignedInt() {
        return random.nextBoolean() ? -1 : unsignedInt();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    private @Nullable String maybeText() {
        return v5() && random.nextBoolean() ? text() : null;
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte @Nullable [] maybeBytes() {
        return random.nextBoolean() ? bytes() : null;
    }

    private List<UserProperty> users() {
        List<UserProperty> users = new ArrayList<>();
        while (v5() && random.nextInt(3) == 0) {
            users.add(new UserProperty(text(), text()));
        }
        return users;
    }
}
