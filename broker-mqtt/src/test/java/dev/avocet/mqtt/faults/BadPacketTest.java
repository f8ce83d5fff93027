package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Connected clients that send what they must not. */
class BadPacketTest {
    private static final int ATTEMPTS = 10;

    private final Trouble trouble = new Trouble();

    @AfterEach
    void close() {
        trouble.close();
    }

    @ParameterizedTest
    @CsvSource({
        "0000, MALFORMED_PACKET", // type 0
        "30ffffffff01, MALFORMED_PACKET", // remaining length of five bytes
        "3006000361ff6200, MALFORMED_PACKET", // topic is not UTF-8 [MQTT-1.5.4-1]
        "30060003 610062 00, MALFORMED_PACKET", // null in the topic [MQTT-1.5.4-2]
        "3600, MALFORMED_PACKET", // QoS 3 [MQTT-3.3.1-4]
        "30040001 2b 00, TOPIC_NAME_INVALID", // wildcard in a topic name [MQTT-3.3.2-2]
        "3803 0001 61 00, MALFORMED_PACKET", // DUP with QoS 0 [MQTT-3.3.1-2], and a byte short
        "3206 0001 61 0000 00, PROTOCOL_ERROR", // packet identifier 0 [MQTT-2.2.1-3]
        "3005 0005 616161, MALFORMED_PACKET", // topic longer than the packet
        "8003 0001 00, MALFORMED_PACKET", // flags of SUBSCRIBE [MQTT-3.8.1-1]
        "8203 0001 00, PROTOCOL_ERROR", // no filter [MQTT-3.8.3-2]
        "8207 0001 00 0001 61 03, PROTOCOL_ERROR", // QoS 3
        "8209 0001 00 0003 ff6161 00, MALFORMED_PACKET", // filter is not UTF-8
        "a203 0001 00, PROTOCOL_ERROR", // UNSUBSCRIBE without filter [MQTT-3.10.3-2]
        "6002 0001, MALFORMED_PACKET", // flags of PUBREL [MQTT-3.6.1-1]
        "2002 0000, PROTOCOL_ERROR", // CONNACK
        "9004 0001 00 00, PROTOCOL_ERROR", // SUBACK
        "d000, PROTOCOL_ERROR", // PINGRESP
        "c001 00, MALFORMED_PACKET", // PINGREQ with content
        "101000044d51545405020000000003616263, PROTOCOL_ERROR", // a second CONNECT [MQTT-3.1.0-2]
        "f002 1900, PROTOCOL_ERROR", // AUTH without method [MQTT-4.12.1-1]
        "e002 0000, ", // a proper end
        "3007 0001 61 02 0102 00, PROTOCOL_ERROR" // payload format indicator 2
    })
    void shouldSayWhyAndClose(String hex, ReasonCode reason) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (RawClient client = RawClient.connected(trouble.port(), "bad")) {
                client.sendBytes(HexFormat.of().parseHex(hex.replace(" ", "")));

                if (reason != null) {
                    Disconnect answer = client.receive(Disconnect.class);
                    assertThat(answer.reasonCode()).isEqualTo(reason);
                }
                client.expectClosed();
            }
        }

        trouble.broker.awaitCount(Counter.PROTOCOL_ERRORS, reason == null ? 0 : ATTEMPTS);
        trouble.broker.awaitCount(Counter.SESSIONS_CONNECTED, 1);
        trouble.broker.awaitCount(Counter.SESSIONS, 1);
        trouble.shouldHaveHurtNobodyElse();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void shouldCloseOnGarbageAfterConnectInEachVersion(ProtocolVersion version) {
        try (RawClient client = new RawClient(trouble.port(), version)) {
            client.connect(Connect.builder("bad").version(version).build());
            client.sendBytes(0x0F, 0xFF, 0xFF, 0xFF);

            if (version.hasProperties()) {
                assertThat(client.receive(Disconnect.class).reasonCode()).isEqualTo(ReasonCode.MALFORMED_PACKET);
            }
            client.expectClosed(); // a version without DISCONNECT for servers has no word for it
        }

        trouble.broker.awaitCount(Counter.PROTOCOL_ERRORS, 1);
        trouble.shouldHaveHurtNobodyElse();
    }

    /**
     * The whole packet is sent, as clients do that write before they read: the reason has to get through all the same.
     */
    @Test
    void shouldSayThatAPacketIsTooLargeAlsoToAClientThatSendsItToItsEnd() {
        byte[] packet = new byte[8 << 20];
        packet[0] = 0x30;
        packet[1] = (byte) 0xFB; // remaining length, four bytes
        packet[2] = (byte) 0xFF;
        packet[3] = (byte) 0xFF;
        packet[4] = 0x03;
        for (int i = 0; i < ATTEMPTS; i++) {
            try (RawClient client = RawClient.connected(trouble.port(), "large")) {
                client.sendBytes(packet);

                assertThat(client.receive(Disconnect.class).reasonCode()).isEqualTo(ReasonCode.PACKET_TOO_LARGE);
                client.expectClosed();
            }
        }

        trouble.broker.awaitCount(Counter.PROTOCOL_ERRORS, ATTEMPTS);
        trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
        trouble.shouldHaveHurtNobodyElse();
        trouble.log.shouldName("PACKET_TOO_LARGE");
    }
}
