package dev.avocet.mqtt.conformance.v311;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.RawClient;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 1.5 and 2: strings, flags, packet identifiers. */
class EncodingTest extends V311Test {
    @ParameterizedTest
    @ValueSource(strings = {"c328", "eda080", "c0af", "f8888080"})
    @Proves({
        "MQTT311-1.5.3-1",
        "MQTT311-3.3.2-1",
        "MQTT311-3.8.3-1",
        "MQTT311-3.10.3-1",
        "MQTT311-3.1.3-4",
        "MQTT311-3.1.3-10",
        "MQTT311-3.1.3-11"
    })
    void shouldCloseOnIllFormedText(String hex) {
        expectAllRefused(HexFormat.of().parseHex(hex));
    }

    @Test
    @Proves({"MQTT311-1.5.3-2", "MQTT311-4.7.3-2"})
    void shouldCloseOnNullCharacters() {
        expectAllRefused(new byte[] {'a', 0, 'b', 'c'});
    }

    /** Puts the bytes wherever a packet has a string. */
    private void expectAllRefused(byte[] bad) {
        String place = "_".repeat(bad.length);
        expectClosed(connected("a"), spoilt(bytes(publish(place, AT_MOST_ONCE, 0, "x")), bad));
        expectClosed(connected("b"), spoilt(bytes(new Subscribe(1, new TopicSubscription(place, AT_MOST_ONCE))), bad));
        expectClosed(connected("c"), spoilt(bytes(new Unsubscribe(1, place)), bad));
        expectClosed(client(), spoilt(bytes(connect(place).build()), bad));
        expectClosed(client(), spoilt(bytes(connect("d").userName(place).build()), bad));
        expectClosed(
                client(),
                spoilt(bytes(connect("e").will(will(place, AT_MOST_ONCE, false)).build()), bad));
    }

    private static void expectClosed(RawClient client, byte[] packet) {
        client.sendBytes(packet);
        client.expectClosed();
    }

    private static byte[] spoilt(byte[] packet, byte[] bad) {
        int at = 0;
        while (packet[at] != '_') {
            at++;
        }
        System.arraycopy(bad, 0, packet, at, bad.length);
        return packet;
    }

    @Test
    @Proves("MQTT311-1.5.3-3")
    void shouldKeepByteOrderMarks() {
        RawClient marked = connected("marked");
        marked.subscribe("\uFEFFtopic", AT_MOST_ONCE);
        RawClient plain = connected("plain");
        plain.subscribe("topic", AT_MOST_ONCE);

        publishSafely("\uFEFFtopic", "\uFEFFpayload");

        Publish delivered = marked.receivePublish();
        assertThat(delivered.topic()).isEqualTo("\uFEFFtopic");
        assertThat(text(delivered)).isEqualTo("\uFEFFpayload");
        plain.expectNothing();
    }

    @Test
    @Proves({"MQTT311-2.2.2-1", "MQTT311-3.1.4-4", "MQTT311-3.3.1-2", "MQTT311-2.3.1-5", "MQTT311-4.3.1-1"})
    void shouldSendTheListedFlags() {
        RawClient client = client();

        client.send(connect("client").build());
        assertThat(read(client, 4)).containsExactly(0x20, 2, 0, 0);
        client.send(new Subscribe(1, new TopicSubscription("t", AT_MOST_ONCE)));
        assertThat(read(client, 5)).containsExactly(0x90, 3, 0, 1, 0);
        client.send(publish("t", AT_MOST_ONCE, 0, "x"));
        assertThat(read(client, 6)).containsExactly(0x30, 4, 0, 1, 't', 'x');
        client.send(new Unsubscribe(2, "t"));
        assertThat(read(client, 4)).containsExactly(0xB0, 2, 0, 2);
        client.send(publish("t", AT_LEAST_ONCE, 3, "x"));
        assertThat(read(client, 4)).containsExactly(0x40, 2, 0, 3);
        client.send(publish("t", EXACTLY_ONCE, 4, "x"));
        assertThat(read(client, 4)).containsExactly(0x50, 2, 0, 4);
        client.send(new PubRel(4));
        assertThat(read(client, 4)).containsExactly(0x70, 2, 0, 4);
        client.sendBytes(0xC0, 0);
        assertThat(read(client, 2)).containsExactly(0xD0, 0);
        client.send(new PubRec(9));
        assertThat(read(client, 4)).containsExactly(0x62, 2, 0, 9);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "41020001",
                "51020001",
                "60020001",
                "71020001", // PUBACK, PUBREC, PUBREL, PUBCOMP
                "800600010001" + "6100",
                "a00500010001" + "61", // SUBSCRIBE, UNSUBSCRIBE
                "c100",
                "e100",
                "e200" // PINGREQ, DISCONNECT
            })
    @Proves({
        "MQTT311-2.2.2-2",
        "MQTT311-3.6.1-1",
        "MQTT311-3.8.1-1",
        "MQTT311-3.10.1-1",
        "MQTT311-3.14.1-1",
        "MQTT311-4.8.0-1"
    })
    void shouldCloseOnOtherFlags(String hex) {
        expectClosed(connected("client"), HexFormat.of().parseHex(hex));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "820600000001" + "6100", "a20500000001" + "61", // SUBSCRIBE, UNSUBSCRIBE
                "3205000161" + "0000", "3405000161" + "0000" // PUBLISH at QoS 1 and 2
            })
    @Proves({"MQTT311-2.3.1-1", "MQTT311-4.8.0-1"})
    void shouldCloseOnPacketIdentifierZero(String hex) {
        expectClosed(connected("client"), HexFormat.of().parseHex(hex));
    }

    @Test
    @Proves({"MQTT311-2.3.1-1", "MQTT311-2.3.1-4", "MQTT311-4.3.2-1"})
    void shouldUseEachIdentifierForOneDeliveryAtATime() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", EXACTLY_ONCE);
        RawClient publisher = connected("publisher");
        Set<Integer> inUse = new HashSet<>();

        for (int i = 1; i <= 50; i++) {
            publisher.send(publish("t", i % 2 == 0 ? AT_LEAST_ONCE : EXACTLY_ONCE, i, "x"));
            Publish delivered = subscriber.receivePublish();
            assertThat(delivered.dup()).isFalse();
            assertThat(delivered.packetId()).isPositive();
            assertThat(inUse.add(delivered.packetId())).isTrue();
        }
    }

    @Test
    @Proves({"MQTT311-2.3.1-6", "MQTT311-2.3.1-7", "MQTT311-3.8.4-2"})
    void shouldRepeatPacketIdentifiers() {
        RawClient client = connected("client");

        client.send(new Subscribe(65_535, new TopicSubscription("own", EXACTLY_ONCE)));
        assertThat(client.receive(SubAck.class).packetId()).isEqualTo(65_535);
        client.send(new Unsubscribe(256, "t"));
        assertThat(client.receive(UnsubAck.class).packetId()).isEqualTo(256);
        client.send(publish("t", AT_LEAST_ONCE, 257, "x"));
        assertThat(client.receive(PubAck.class).packetId()).isEqualTo(257);
        client.send(publish("t", EXACTLY_ONCE, 258, "x"));
        assertThat(client.receive(PubRec.class).packetId()).isEqualTo(258);
        client.send(new PubRel(258));
        assertThat(client.receive(PubComp.class).packetId()).isEqualTo(258);
        publishSafely(publish("own", AT_LEAST_ONCE, 4711, "x"));
        Publish delivered = client.receivePublish();
        client.send(new PubAck(delivered.packetId()));
        client.expectNothing();
    }
}
