package dev.avocet.mqtt.codec;

import static dev.avocet.mqtt.codec.Refusals.assertMalformed;
import static dev.avocet.mqtt.codec.Refusals.assertProtocolError;
import static dev.avocet.mqtt.codec.Refusals.assertRefused;
import static dev.avocet.mqtt.codec.Wire.bytes;
import static dev.avocet.mqtt.codec.Wire.packet;
import static dev.avocet.mqtt.codec.Wire.sized;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V3_1_1;
import static dev.avocet.mqtt.packet.ProtocolVersion.V5;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConnectCodecTest {
    private static final int CLEAN = 0b0000_0010;
    private static final int WILL = 0b0000_0100;

    /** [MQTT-3.1.3-1] [MQTT-3.1.2-9] [MQTT-3.1.2-17] [MQTT-3.1.2-19] */
    @Test
    void shouldReadEveryFieldOfVersion5() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0x10,
                bytes(0, 4, 'M', 'Q', 'T', 'T'), // protocol name
                5, // protocol level
                0b1110_1110, // user name, password, will retain, will QoS 1, will, clean start
                bytes(0, 60), // keep alive
                sized(
                        bytes(0x11, 0, 0, 0, 10), // session expiry interval
                        bytes(0x21, 0, 20), // receive maximum
                        bytes(0x27, 0, 0, 1, 0), // maximum packet size
                        bytes(0x22, 0, 5), // topic alias maximum
                        bytes(0x19, 1), // request response information
                        bytes(0x17, 0), // request problem information
                        bytes(0x26, "a", "1"), // user property
                        bytes(0x26, "a", "2"), // user property
                        bytes(0x15, "SCRAM"), // authentication method
                        bytes(0x16, "data")), // authentication data
                "client", // client identifier
                sized(
                        bytes(0x18, 0, 0, 0, 3), // will delay interval
                        bytes(0x01, 1), // payload format indicator
                        bytes(0x02, 0, 0, 0, 9), // message expiry interval
                        bytes(0x03, "text/plain"), // content type
                        bytes(0x08, "reply"), // response topic
                        bytes(0x09, "id"), // correlation data
                        bytes(0x26, "b", "3")), // user property
                "gone", // will topic
                "bye", // will payload
                "me", // user name
                "secret"); // password

        // when
        Connect connect = (Connect) Wire.fromClient(V3_1_1, packet);

        // then
        assertThat(connect.version()).isEqualTo(V5);
        assertThat(connect.bridge()).isFalse();
        assertThat(connect.cleanStart()).isTrue();
        assertThat(connect.keepAliveSeconds()).isEqualTo(60);
        assertThat(connect.sessionExpiryIntervalSeconds()).isEqualTo(10);
        assertThat(connect.receiveMaximum()).isEqualTo(20);
        assertThat(connect.maximumPacketSizeBytes()).isEqualTo(256);
        assertThat(connect.topicAliasMaximum()).isEqualTo(5);
        assertThat(connect.requestResponseInformation()).isTrue();
        assertThat(connect.requestProblemInformation()).isFalse();
        assertThat(connect.userProperties()).containsExactly(new UserProperty("a", "1"), new UserProperty("a", "2"));
        assertThat(connect.authenticationMethod()).isEqualTo("SCRAM");
        assertThat(connect.authenticationData()).isEqualTo(utf8("data"));
        assertThat(connect.clientId()).isEqualTo("client");
        assertThat(connect.userName()).isEqualTo("me");
        assertThat(connect.password()).isEqualTo(utf8("secret"));
        assertWill(connect.will());
    }

    private static void assertWill(ConnectWill will) {
        assertThat(will.topic()).isEqualTo("gone");
        assertThat(will.payload()).isEqualTo(utf8("bye"));
        assertThat(will.qos()).isEqualTo(QualityOfService.AT_LEAST_ONCE);
        assertThat(will.retain()).isTrue();
        assertThat(will.delayIntervalSeconds()).isEqualTo(3);
        assertThat(will.messageExpiryIntervalSeconds()).isEqualTo(9);
        assertThat(will.properties().isPayloadText()).isTrue();
        assertThat(will.properties().contentType()).isEqualTo("text/plain");
        assertThat(will.properties().responseTopic()).isEqualTo("reply");
        assertThat(will.properties().correlationData()).isEqualTo(utf8("id"));
        assertThat(will.properties().userProperties()).containsExactly(new UserProperty("b", "3"));
    }

    @Test
    void shouldHaveTheDefaultsOfTheStandard() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0x10,
                "MQTT", // protocol name
                5, // protocol level
                0, // no flags
                bytes(0, 0), // keep alive
                0, // no properties
                ""); // client identifier

        // when
        Connect connect = (Connect) Wire.fromClient(V5, packet);

        // then
        assertThat(connect).isEqualTo(Connect.builder("").cleanStart(false).build());
        assertThat(connect.receiveMaximum()).isEqualTo(65_535);
        assertThat(connect.maximumPacketSizeBytes()).isEqualTo(Connect.NO_PACKET_SIZE_LIMIT);
        assertThat(connect.requestProblemInformation()).isTrue();
        assertThat(connect.will()).isNull();
    }

    @Test
    void shouldReadVersion311() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0x10,
                "MQTT", // protocol name
                4, // protocol level
                0b1101_0110, // user name, password, will QoS 2, will, clean session
                bytes(0xFF, 0xFF), // keep alive
                "client", // client identifier
                "gone", // will topic
                bytes(0, 1, 0xFF), // will payload
                "me", // user name
                bytes(0, 2, 0, 0xFF)); // password

        // when
        Connect connect = (Connect) Wire.fromClient(V5, packet);

        // then
        assertThat(connect.version()).isEqualTo(V3_1_1);
        assertThat(connect.keepAliveSeconds()).isEqualTo(65_535);
        assertThat(connect.password()).isEqualTo(bytes(0, 0xFF));
        assertThat(connect.will().qos()).isEqualTo(QualityOfService.EXACTLY_ONCE);
        assertThat(connect.will().payload()).isEqualTo(bytes(0xFF));
        assertThat(connect.will().messageExpiryIntervalSeconds()).isEqualTo(Publish.NO_EXPIRY);
        assertThat(connect.will().properties()).isSameAs(MessageProperties.NONE);
    }

    @Test
    void shouldReadVersion31() throws MalformedPacketException {
        // given
        byte[] packet = packet(
                0x10,
                "MQIsdp", // protocol name
                3, // protocol level
                CLEAN, // flags
                bytes(0, 10), // keep alive
                "a client identifier of more than 23 characters"); // client identifier

        // when
        Connect connect = (Connect) Wire.fromClient(V5, packet);

        // then
        assertThat(connect.version()).isEqualTo(V3_1);
        assertThat(connect.clientId()).isEqualTo("a client identifier of more than 23 characters");
    }

    /** MQTT 3.1 section 3.1: the remaining length takes precedence over the user name flag. */
    @Test
    void shouldForgiveMissingCredentialsInVersion31() throws MalformedPacketException {
        // given user name and password flags, but neither field
        byte[] packet = packet(0x10, "MQIsdp", 3, 0b1100_0010, bytes(0, 10), "client");

        // when
        Connect connect = (Connect) Wire.fromClient(V5, packet);

        // then
        assertThat(connect.userName()).isNull();
        assertThat(connect.password()).isNull();
    }

    @Test
    void shouldKnowBridges() throws MalformedPacketException {
        // given levels with bit 7
        byte[] old = packet(0x10, "MQIsdp", 0x83, CLEAN, bytes(0, 0), "bridge");
        byte[] newer = packet(0x10, "MQTT", 0x84, CLEAN, bytes(0, 0), "bridge");

        // when
        Connect oldBridge = (Connect) Wire.fromClient(V5, old);
        Connect newerBridge = (Connect) Wire.fromClient(V5, newer);

        // then
        assertThat(oldBridge.version()).isEqualTo(V3_1);
        assertThat(oldBridge.bridge()).isTrue();
        assertThat(newerBridge.version()).isEqualTo(V3_1_1);
        assertThat(newerBridge.bridge()).isTrue();
        assertThat(Wire.encode(V5, newerBridge)).isEqualTo(newer);
    }

    /** [MQTT-3.1.2-2] */
    @Test
    void shouldNameTheAnswerToAnUnsupportedVersion() {
        assertUnsupported("MQTT", 6, "V5");
        assertUnsupported("MQTT", 0x85, "V5");
        assertUnsupported("MQTT", 3, "V3_1_1");
        assertUnsupported("MQTT", 0, "V3_1_1");
        assertUnsupported("MQIsdp", 4, "V3_1_1");
        assertUnsupported("MQIsdp", 5, "V3_1_1");
    }

    private static void assertUnsupported(String name, int level, String answer) {
        byte[] body = bytes(name, level, CLEAN, bytes(0, 0), "client");
        assertRefused(
                () -> Wire.fromClient(V5, packet(0x10, body)),
                ReasonCode.UNSUPPORTED_PROTOCOL_VERSION,
                "[MQTT-3.1.2-2]");
        assertThat(PacketDecoder.answerVersion(body, 0, body.length)).hasToString(answer);
    }

    @Test
    void shouldNameTheAnswerToAMalformedPacketOfAKnownVersion() {
        byte[] truncated = bytes("MQTT", 4);
        assertThat(PacketDecoder.answerVersion(truncated, 0, truncated.length)).isEqualTo(V3_1_1);
    }

    /** [MQTT-3.1.2-1] */
    @Test
    void shouldRefuseAnotherProtocolName() {
        byte[] body = bytes("mqtt", 5, CLEAN, bytes(0, 0), 0, "client");
        assertMalformed(V5, packet(0x10, body), "[MQTT-3.1.2-1]");
        assertThat(PacketDecoder.answerVersion(body, 0, body.length)).isNull();
    }

    /** [MQTT-3.1.0-1] */
    @Test
    void shouldRefuseAnotherFirstPacket() {
        assertRefused(
                () -> PacketDecoder.decodeConnect(0xC0, bytes(0xC0, 0), 2, 2),
                ReasonCode.PROTOCOL_ERROR,
                "[MQTT-3.1.0-1]");
    }

    @Test
    void shouldRefuseWrongFlags() {
        assertMalformed(V5, packet(0x11, "MQTT", 5, CLEAN, bytes(0, 0), 0, ""), "[MQTT-2.1.3-1]");
        assertMalformed(V5, packet(0x10, "MQTT", 5, 0b0000_0001, bytes(0, 0), 0, ""), "[MQTT-3.1.2-3]");
        assertMalformed(V5, packet(0x10, "MQTT", 4, 0b0000_0001, bytes(0, 0), ""), "[MQTT-3.1.2-3]");
        assertMalformed(V5, packet(0x10, "MQTT", 5, 0b0000_1000, bytes(0, 0), 0, ""), "[MQTT-3.1.2-11]");
        assertMalformed(V5, packet(0x10, "MQTT", 5, 0b0001_1100, bytes(0, 0), 0, ""), "[MQTT-3.1.2-12]");
        assertMalformed(V5, packet(0x10, "MQTT", 5, 0b0010_0000, bytes(0, 0), 0, ""), "[MQTT-3.1.2-13]");
        assertMalformed(V5, packet(0x10, "MQTT", 4, 0b0100_0000, bytes(0, 0), "", "pw"), "[MQTT-3.1.2-22");
    }

    @Test
    void shouldAcceptAPasswordWithoutUserNameInVersion5() throws MalformedPacketException {
        Connect connect =
                (Connect) Wire.fromClient(V5, packet(0x10, "MQTT", 5, 0b0100_0000, bytes(0, 0), 0, "", "token"));
        assertThat(connect.userName()).isNull();
        assertThat(connect.password()).isEqualTo(utf8("token"));
    }

    @Test
    void shouldRefuseWrongLengths() {
        assertMalformed(V5, packet(0x10), "protocol name");
        assertMalformed(V5, packet(0x10, "MQTT"), "protocol level");
        assertMalformed(V5, packet(0x10, "MQTT", 5, CLEAN, 0), "keep alive");
        assertMalformed(V5, packet(0x10, "MQTT", 5, CLEAN, bytes(0, 0)), "property length");
        assertMalformed(V5, packet(0x10, "MQTT", 5, CLEAN, bytes(0, 0), 9), "property section");
        assertMalformed(
                V5, packet(0x10, "MQTT", 5, CLEAN, bytes(0, 0), bytes(0x80, 0x80, 0x80, 0x80, 1)), "four bytes");
        assertMalformed(V5, packet(0x10, "MQTT", 5, CLEAN, bytes(0, 0), 0), "client identifier"); // [MQTT-3.1.3-3]
        assertMalformed(V5, packet(0x10, "MQTT", 5, WILL, bytes(0, 0), 0, "", 0, "t", bytes(0, 2, 1)), "will payload");
        assertMalformed(V5, packet(0x10, "MQTT", 4, 0b1000_0000, bytes(0, 0), ""), "user name");
        assertMalformed(V5, packet(0x10, "MQTT", 4, 0b1100_0000, bytes(0, 0), "", ""), "password");
        assertMalformed(V5, packet(0x10, "MQTT", 5, CLEAN, bytes(0, 0), 0, "", 1), "1 bytes are left");
    }

    @Test
    void shouldRefuseWrongText() {
        byte[] bad = bytes(0, 1, 0xFF);
        assertMalformed(V5, packet(0x10, "MQTT", 5, CLEAN, bytes(0, 0), 0, bad), "client identifier"); // [MQTT-3.1.3-4]
        assertMalformed(V5, packet(0x10, "MQTT", 5, 0x80, bytes(0, 0), 0, "", bad), "user name"); // [MQTT-3.1.3-12]
        assertMalformed(
                V5, packet(0x10, "MQTT", 5, WILL, bytes(0, 0), 0, "", 0, bad, ""), "will topic"); // [MQTT-3.1.3-11]
    }

    @Test
    void shouldRefuseWrongPropertyValues() {
        assertConnectProperty("RECEIVE_MAXIMUM is 0", 0x21, 0, 0);
        assertConnectProperty("MAXIMUM_PACKET_SIZE is 0", 0x27, 0, 0, 0, 0);
        assertConnectProperty("REQUEST_PROBLEM_INFORMATION is neither 0 nor 1", 0x17, 2);
        assertConnectProperty("REQUEST_RESPONSE_INFORMATION is neither 0 nor 1", 0x19, 2);
        assertConnectProperty("RECEIVE_MAXIMUM occurs more than once", 0x21, 0, 1, 0x21, 0, 1);
        assertConnectProperty("authentication data without", 0x16, "data");
    }

    private static void assertConnectProperty(String reason, Object... properties) {
        assertProtocolError(V5, packet(0x10, "MQTT", 5, CLEAN, bytes(0, 0), sized(properties), ""), reason);
    }

    @Test
    void shouldRefuseWrongWills() {
        assertRefused(
                () -> Wire.fromClient(V5, packet(0x10, "MQTT", 4, WILL, bytes(0, 0), "", "a/#", "")),
                ReasonCode.TOPIC_NAME_INVALID,
                "[MQTT-4.7.0-1]");
        assertRefused(
                () -> Wire.fromClient(V5, packet(0x10, "MQTT", 4, WILL, bytes(0, 0), "", "", "")),
                ReasonCode.TOPIC_NAME_INVALID,
                "[MQTT-4.7.3-1]");
        byte[] text = sized(0x01, 1);
        assertRefused(
                () -> Wire.fromClient(
                        V5, packet(0x10, "MQTT", 5, WILL, bytes(0, 0), 0, "", text, "t", bytes(0, 1, 0xFF))),
                ReasonCode.PAYLOAD_FORMAT_INVALID,
                "will payload");
        byte[] wildcard = sized(0x08, "reply/+");
        assertProtocolError(
                V5, packet(0x10, "MQTT", 5, WILL, bytes(0, 0), 0, "", wildcard, "t", ""), "[MQTT-3.3.2-14]");
    }

    @Test
    void shouldWriteWhatItReads() {
        // given
        Connect connect = Connect.builder("client").keepAliveSeconds(5).build();

        // when
        byte[] written = Wire.encode(V5, connect);

        // then
        assertThat(written).isEqualTo(packet(0x10, "MQTT", 5, CLEAN, bytes(0, 5), 0, "client"));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
