package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.io.IOException;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no MQTT, and how it ends; and that what the broker writes is. */
class MalformedPacketConformanceTest extends ConformanceTest {
    @ParameterizedTest
    @ValueSource(ints = {0x41, 0x51, 0x60, 0x61, 0x63, 0x66, 0x71, 0xC1})
    @Proves({"MQTT-2.1.3-1", "MQTT-3.6.1-1", "MQTT-4.13.1-1"})
    void shouldRefuseReservedFlags(int header) {
        RawClient client = client();

        client.sendBytes(header == 0xC1 ? RawPacket.of(header).toBytes() : acknowledgement(header, 1));

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x40, 0x50, 0x62, 0x70})
    @Proves("MQTT-2.2.1-5")
    void shouldRefusePacketIdentifierZero(int header) {
        RawClient client = client();

        client.sendBytes(acknowledgement(header, 0));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x20, 0x90, 0xB0, 0xD0})
    @Proves("MQTT-4.13.1-1")
    void shouldRefuseWhatOnlyServersSend(int header) {
        RawClient client = client();

        client.sendBytes(RawPacket.of(header).toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x0F})
    @Proves("MQTT-4.13.1-1")
    void shouldRefuseAReservedPacketType(int header) {
        RawClient client = client();

        client.sendBytes(header, 0);

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-4.13.1-1")
    void shouldRefuseARemainingLengthOfFiveBytes() {
        RawClient client = client();

        client.sendBytes(0x30, 0x80, 0x80, 0x80, 0x80, 1);

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-4.13.1-1")
    void shouldRefuseAPingWithABody() {
        RawClient client = client();

        client.sendBytes(0xC0, 1, 0);

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10 80 80 80 80 01", // five bytes of remaining length
                "00 00", // reserved type
                "10 FF FF FF 7F 00 04", // larger than any CONNECT may be
                "10 00" // empty
            })
    @Proves({"MQTT-3.1.4-1", "MQTT-4.13.1-1"})
    void shouldCloseOnAFirstPacketThatIsNone(String hex) {
        client(); // the loop has seen a good one before
        RawClient client = open();

        client.sendBytes(HexFormat.ofDelimiter(" ").parseHex(hex));

        client.expectClosed();
    }

    @ParameterizedTest
    @MethodSource("doubledProperties")
    @Proves("MQTT-4.13.1-1")
    void shouldRefuseAPropertyThatComesTwice(RawPacket packet) {
        RawClient client = client();

        client.sendBytes(packet.toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    static Stream<RawPacket> doubledProperties() {
        return Stream.of(
                RawPacket.of(0x30).utf8("t").bytes(4, 0x01, 0, 0x01, 0),
                RawPacket.of(0x30).utf8("t").bytes(10, 0x02, 0, 0, 0, 1, 0x02, 0, 0, 0, 1),
                RawPacket.of(0x30).utf8("t").bytes(6, 0x23, 0, 1, 0x23, 0, 1),
                RawPacket.of(0x30).utf8("t").bytes(8, 0x08, 0, 1, 'r', 0x08, 0, 1, 'r'),
                RawPacket.of(0x30).utf8("t").bytes(8, 0x09, 0, 1, 1, 0x09, 0, 1, 1),
                RawPacket.of(0x30).utf8("t").bytes(8, 0x03, 0, 1, 'c', 0x03, 0, 1, 'c'),
                RawPacket.of(0x82).bytes(0, 1, 4, 0x0B, 1, 0x0B, 1).utf8("t").bytes(0),
                RawPacket.of(0x40).bytes(0, 1, 0, 8, 0x1F, 0, 1, 'r', 0x1F, 0, 1, 'r'),
                RawPacket.of(0xE0).bytes(0, 10, 0x11, 0, 0, 0, 0, 0x11, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("doubledConnectProperties")
    @Proves({"MQTT-3.1.4-1", "MQTT-4.13.1-1"})
    void shouldRefuseAConnectPropertyThatComesTwice(RawPacket packet) {
        RawClient client = open();

        client.sendBytes(packet.utf8("id").toBytes());

        expectRefusal(client, ReasonCode.PROTOCOL_ERROR);
    }

    static Stream<RawPacket> doubledConnectProperties() {
        return Stream.of(
                RawPacket.connect(2).bytes(10, 0x11, 0, 0, 0, 1, 0x11, 0, 0, 0, 1),
                RawPacket.connect(2).bytes(6, 0x21, 0, 1, 0x21, 0, 1),
                RawPacket.connect(2).bytes(10, 0x27, 0, 0, 1, 0, 0x27, 0, 0, 1, 0),
                RawPacket.connect(2).bytes(6, 0x22, 0, 1, 0x22, 0, 1),
                RawPacket.connect(2).bytes(4, 0x19, 1, 0x19, 1),
                RawPacket.connect(2).bytes(4, 0x17, 1, 0x17, 1),
                RawPacket.connect(2).bytes(8, 0x15, 0, 1, 'm', 0x15, 0, 1, 'm'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"21 00 00", "27 00 00 00 00", "19 02", "17 02", "16 00 01 01"})
    @Proves("MQTT-3.1.4-1")
    void shouldRefuseAConnectPropertyOutOfRange(String hex) {
        byte[] property = HexFormat.ofDelimiter(" ").parseHex(hex);
        RawPacket connect = RawPacket.connect(2).bytes(property.length);
        for (byte each : property) {
            connect.bytes(each);
        }
        RawClient client = open();

        client.sendBytes(connect.utf8("id").toBytes());

        expectRefusal(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-4.13.1-1")
    void shouldRefuseAPropertyOfAnotherPacket() {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x30).utf8("t").bytes(3, 0x21, 0, 1).toBytes());

        Disconnect answer = client.receive(Disconnect.class);
        assertThat(answer.reasonCode()).isIn(ReasonCode.PROTOCOL_ERROR, ReasonCode.MALFORMED_PACKET);
        client.expectClosed();
    }

    @Test
    @Proves("MQTT-3.3.4-6")
    void shouldRefuseASubscriptionIdentifierFromAClient() {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x30).utf8("t").bytes(2, 0x0B, 1).toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @CsvSource({"0x40,0x11", "0x50,0x92", "0x62,0x10", "0x70,0x80"})
    @Proves({"MQTT-3.4.2-1", "MQTT-3.5.2-1", "MQTT-3.6.2-1", "MQTT-3.7.2-1"})
    void shouldRefuseAReasonThatThePacketDoesNotHave(String header, String reason) {
        RawClient client = client();

        client.sendBytes(Integer.decode(header), 3, 0, 1, Integer.decode(reason));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-2.2.2-1")
    void shouldWriteALengthOfZeroWhereThereAreNoProperties() throws IOException {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x82).bytes(0, 7, 0).utf8("t").bytes(1).toBytes());
        client.sendBytes(RawPacket.of(0xA2).bytes(0, 8, 0).utf8("t").toBytes());

        assertThat(client.socket().getInputStream().readNBytes(12))
                .containsExactly(0x90, 4, 0, 7, 0, 1, 0xB0, 4, 0, 8, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"123,1", "124,2", "16379,2", "16380,3"})
    @Proves({"MQTT-1.5.5-1", "MQTT-4.2-1"})
    void shouldWriteLengthsInAsFewBytesAsPossible(int payloadBytes, int lengthBytes) throws IOException {
        RawClient subscriber = client();
        subscriber.subscribe("t", AT_MOST_ONCE);

        publish("t", AT_MOST_ONCE, "x".repeat(payloadBytes));

        byte[] received = subscriber.socket().getInputStream().readNBytes(1 + lengthBytes + 4 + payloadBytes);
        assertThat(received[1 + lengthBytes]).isZero();
        assertThat(received[2 + lengthBytes]).isEqualTo((byte) 1);
        assertThat(received[3 + lengthBytes]).isEqualTo((byte) 't');
        subscriber.expectNothing();
    }

    private static byte[] acknowledgement(int header, int packetId) {
        return RawPacket.of(header).bytes(0, packetId).toBytes();
    }
}
