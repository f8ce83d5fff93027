package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text: what is UTF-8, what is not, and that nothing is changed on the way. */
class Utf8ConformanceTest extends ConformanceTest {
    /** Ill-formed sequences: surrogates, over-long forms, beyond U+10FFFF, broken off, stray continuation. */
    private static final List<String> ILL_FORMED = List.of(
            "ED A0 80",
            "ED BF BF",
            "ED A0 80 ED B0 80",
            "C0 80",
            "C1 BF",
            "E0 80 AF",
            "F0 80 80 AF",
            "F4 90 80 80",
            "F8 88 80 80 80",
            "C3",
            "E2 82",
            "80",
            "FF",
            "61 C3 28 62");

    static List<String> illFormed() {
        return ILL_FORMED;
    }

    @ParameterizedTest
    @MethodSource("illFormed")
    @Proves({"MQTT-1.5.4-1", "MQTT-3.3.2-1"})
    void shouldRefuseATopicName(String hex) {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x30).binary(bytes(hex)).bytes(0).toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @MethodSource("illFormed")
    @Proves({"MQTT-1.5.4-1", "MQTT-3.8.3-1"})
    void shouldRefuseATopicFilter(String hex) {
        RawClient client = client();

        client.sendBytes(
                RawPacket.of(0x82).bytes(0, 1, 0).binary(bytes(hex)).bytes(0).toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @MethodSource("illFormed")
    @Proves({"MQTT-1.5.4-1", "MQTT-1.5.7-1"})
    void shouldRefuseEitherStringOfAUserProperty(String hex) {
        byte[] text = bytes(hex);
        RawClient name = client();
        name.sendBytes(RawPacket.of(0x30)
                .utf8("t")
                .bytes(1 + 2 + text.length + 2 + 1, 0x26)
                .binary(text)
                .utf8("v")
                .toBytes());
        expectDisconnect(name, ReasonCode.MALFORMED_PACKET);

        RawClient value = client();
        value.sendBytes(RawPacket.of(0x30)
                .utf8("t")
                .bytes(1 + 2 + 1 + 2 + text.length, 0x26)
                .utf8("n")
                .binary(text)
                .toBytes());
        expectDisconnect(value, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "a\0", "\0b", "long enough for whole words\0 of eight bytes"})
    @Proves({"MQTT-1.5.4-2", "MQTT-4.7.3-2"})
    void shouldRefuseTheNullCharacter(String text) {
        RawClient publisher = client();
        publisher.sendBytes(RawPacket.of(0x30).utf8(text).bytes(0).toBytes());
        expectDisconnect(publisher, ReasonCode.MALFORMED_PACKET);

        RawClient subscriber = client();
        subscriber.sendBytes(
                RawPacket.of(0x82).bytes(0, 1, 0).utf8(text).bytes(0).toBytes());
        expectDisconnect(subscriber, ReasonCode.MALFORMED_PACKET);

        RawClient client = open();
        client.sendBytes(RawPacket.connect(2).bytes(0).utf8(text).toBytes());
        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-1.5.4-3")
    void shouldKeepAByteOrderMark() {
        String topic = "\uFEFF" + fresh("topic") + "\uFEFF";
        RawClient subscriber = client();
        RawClient without = client();
        subscriber.subscribe(topic, AT_MOST_ONCE);
        without.subscribe(topic.replace("\uFEFF", ""), AT_MOST_ONCE);

        publish(topic, AT_MOST_ONCE, "text");

        assertThat(subscriber.receivePublish().topic()).isEqualTo(topic);
        without.expectNothing();
    }

    @Test
    @Proves("MQTT-1.5.4-1")
    void shouldTakeEveryKindOfCharacter() {
        String topic = fresh("topic") + "/~\u00A0\u07FF\u0800\uD7FF\uE000\uFFFD\uD800\uDC00\uDBFF\uDFFD/\u20AC \u4E2D";
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_MOST_ONCE);

        publish(topic, AT_MOST_ONCE, "text");

        assertThat(subscriber.receivePublish().topic()).isEqualTo(topic);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.ofDelimiter(" ").parseHex(hex);
    }
}
