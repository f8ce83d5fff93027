package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keep alive: how long the broker bears silence. */
class KeepAliveConformanceTest extends ConformanceTest {
    @Test
    @Proves({"MQTT-3.1.2-22", "MQTT-3.2.2-22"})
    void shouldCloseAfterOneAndAHalfKeepAliveIntervalsOfSilence() {
        RawClient client = connected(Connect.builder(fresh("client")).keepAliveSeconds(10));
        broker().advance(Duration.ofMillis(14_900));
        client.expectNothing();
        broker().advance(Duration.ofMillis(14_900));
        client.expectNothing();

        broker().advance(Duration.ofMillis(15_100));

        expectDisconnect(client, ReasonCode.KEEP_ALIVE_TIMEOUT);
    }

    @Test
    @Proves("MQTT-3.1.2-22")
    void shouldTakeAnyPacketForASignOfLife() {
        RawClient client = connected(Connect.builder(fresh("client")).keepAliveSeconds(10));

        for (int i = 0; i < 5; i++) {
            broker().advance(Duration.ofSeconds(10));
            publishTo(client, message("topic", AT_LEAST_ONCE, "alive"));
        }

        client.expectNothing();
    }

    @Test
    @Proves("MQTT-3.1.2-22")
    void shouldBearAnySilenceWithoutKeepAlive() {
        RawClient client = connected(Connect.builder(fresh("client")).keepAliveSeconds(0));

        broker().advance(Duration.ofDays(1));

        client.expectNothing();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 21, 65_535})
    @Proves("MQTT-3.1.2-21")
    void shouldUseTheKeepAliveThatItNamesItself(int wanted) {
        try (TestBroker strict = TestBroker.with(MqttTestBroker.mqtt(TestOptions.keepAliveMax(20)))
                        .start();
                RawClient client = new RawClient(strict.port(), ProtocolVersion.V5)) {
            ConnAck answer = client.connect(
                    Connect.builder("client").keepAliveSeconds(wanted).build());
            assertThat(answer.serverKeepAliveSeconds()).isEqualTo(20);
            strict.advance(Duration.ofSeconds(29));
            client.expectNothing();

            strict.advance(Duration.ofSeconds(31));

            expectDisconnect(client, ReasonCode.KEEP_ALIVE_TIMEOUT);
        }
    }

    @Test
    @Proves("MQTT-3.2.2-22")
    void shouldUseTheClientsKeepAliveWhereItNamesNone() {
        try (TestBroker strict = TestBroker.with(MqttTestBroker.mqtt(TestOptions.keepAliveMax(20)))
                        .start();
                RawClient client = new RawClient(strict.port(), ProtocolVersion.V5)) {
            ConnAck answer =
                    client.connect(Connect.builder("client").keepAliveSeconds(4).build());
            assertThat(answer.serverKeepAliveSeconds()).isEqualTo(ConnAck.AS_REQUESTED);

            strict.advance(Duration.ofSeconds(7));

            expectDisconnect(client, ReasonCode.KEEP_ALIVE_TIMEOUT);
        }
    }
}
