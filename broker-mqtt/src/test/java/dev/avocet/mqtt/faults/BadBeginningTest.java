package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that do not begin as they should. */
class BadBeginningTest {
    private static final int ATTEMPTS = 20;

    private final Trouble trouble = new Trouble();

    @AfterEach
    void close() {
        trouble.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00", // type 0
                "20020000", // CONNACK is not for clients
                "300500016100", // PUBLISH before CONNECT
                "c000", // PINGREQ before CONNECT
                "ffffffffffffffffffffffff",
                "160301020001000001fc0303", // TLS where none is spoken
                "414d515000010000", // AMQP
                "504f5354202f20485454502f312e310d0a0d0a" // POST
            })
    void shouldCloseOnBytesThatNobodyKnows(String hex) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (RawClient client = new RawClient(trouble.port(), ProtocolVersion.V5)) {
                client.sendBytes(HexFormat.of().parseHex(hex));

                client.expectClosed();
            }
        }

        shouldCountBadConnections(ATTEMPTS);
    }

    /** The version byte tells whether and how it is answered [MQTT-3.1.2-2]. */
    @ParameterizedTest
    @CsvSource({
        "100f00044d51545405020000000003c0af61, V5, MALFORMED_PACKET", // client identifier is not UTF-8
        "101000044d5154540502000000000361006200, V5, MALFORMED_PACKET", // null in the client identifier
        "101000044d51545405030000000003616263, V5, MALFORMED_PACKET", // reserved flag [MQTT-3.1.2-3]
        "101000044d51545409020000000003616263, V5, UNSUPPORTED_PROTOCOL_VERSION",
        "100f00044d5154540602000000000361 6263, V5, UNSUPPORTED_PROTOCOL_VERSION",
        "110f00044d515454040200000003616263, V3_1_1, " // reserved flags of the fixed header, no version known
    })
    void shouldRefuseAConnectThatIsWrong(String hex, ProtocolVersion version, ReasonCode reason) {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (RawClient client = new RawClient(trouble.port(), version)) {
                client.sendBytes(HexFormat.of().parseHex(hex.replace(" ", "")));

                Packet answer = client.receiveOrEnd();
                if (reason != null) {
                    assertThat(answer).isInstanceOf(ConnAck.class);
                    assertThat(((ConnAck) answer).reasonCode()).isEqualTo(reason);
                }
                if (answer != null) {
                    client.expectClosed();
                }
            }
        }

        shouldCountBadConnections(ATTEMPTS);
    }

    @Test
    void shouldRefuseAnOversizeConnectBeforeItHasCome() {
        try (RawClient client = new RawClient(trouble.port(), ProtocolVersion.V5)) {
            client.sendBytes(0x10, 0xFF, 0xFF, 0xFF, 0x7F);

            client.expectClosed();
        }

        shouldCountBadConnections(1);
        trouble.log.shouldName("PACKET_TOO_LARGE");
    }

    @Test
    void shouldCloseThoseWhoSayNothingOrTooLittleInTime() {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            RawClient client = new RawClient(trouble.port(), ProtocolVersion.V5);
            clients.add(client);
            switch (i % 4) {
                case 0 -> {} // nothing
                case 1 -> client.sendBytes(0x10);
                case 2 -> client.sendBytes("GET / HT".getBytes(StandardCharsets.US_ASCII));
                default -> client.sendBytes(0x10, 0x20, 0x00, 0x04, 'M');
            }
        }
        trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, ATTEMPTS + 1);
        trouble.broker.settle();

        trouble.broker.advance(Duration.ofSeconds(9));
        assertThat(trouble.broker.count(Counter.CONNECTIONS_ACTIVE)).isEqualTo(ATTEMPTS + 1);
        trouble.broker.advance(Duration.ofSeconds(2));

        clients.forEach(RawClient::expectClosed);
        clients.forEach(RawClient::close);
        shouldCountBadConnections(ATTEMPTS);
    }

    /** A byte a minute does not move the deadline. */
    @Test
    void shouldNotLetAByteNowAndThenMoveTheDeadline() {
        try (RawClient client = new RawClient(trouble.port(), ProtocolVersion.V5)) {
            client.sendBytes(0x10);
            trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 2);
            trouble.broker.settle();
            trouble.broker.advance(Duration.ofSeconds(6));
            client.sendBytes(0x20);
            trouble.broker.settle();
            trouble.broker.advance(Duration.ofSeconds(6));

            client.expectClosed();
        }
        shouldCountBadConnections(1);
    }

    private void shouldCountBadConnections(int count) {
        trouble.broker.awaitCount(Counter.CONNECTIONS_BAD, count);
        trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
        assertThat(trouble.broker.guard().openCount()).isEqualTo(1);
        trouble.shouldHaveHurtNobodyElse();
    }
}
