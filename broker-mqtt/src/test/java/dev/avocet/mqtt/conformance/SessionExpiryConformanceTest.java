package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a session outlives its connection. */
class SessionExpiryConformanceTest extends ConformanceTest {
    @Test
    @Proves("MQTT-4.1.0-2")
    void shouldEndASessionWithoutExpiryIntervalWithItsConnection() {
        String id = fresh("client");
        leave(connected(Connect.builder(id)));

        assertThat(open().connect(resuming(id).build()).sessionPresent()).isFalse();
    }

    @Test
    @Proves({"MQTT-3.1.2-23", "MQTT-4.1.0-2"})
    void shouldKeepASessionUntilItsIntervalHasPassed() {
        String id = fresh("client");
        leave(connected(Connect.builder(id).sessionExpiryIntervalSeconds(10)));
        broker().advance(Duration.ofSeconds(9));
        RawClient back = open();
        assertThat(back.connect(Connect.builder(id)
                                .cleanStart(false)
                                .sessionExpiryIntervalSeconds(10)
                                .build())
                        .sessionPresent())
                .isTrue();
        leave(back);

        broker().advance(Duration.ofSeconds(11));

        assertThat(open().connect(resuming(id).build()).sessionPresent()).isFalse();
    }

    @Test
    @Proves("MQTT-3.1.2-23")
    void shouldNeverEndASessionThatIsToBeKeptForEver() {
        String id = fresh("client");
        leave(persistent(id));

        broker().advance(Duration.ofDays(365 * 200));

        resumed(id).expectNothing();
    }

    @Test
    @Proves("MQTT-4.1.0-1")
    void shouldNotDiscardTheSessionWhileTheClientIsConnected() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient client = connected(Connect.builder(id).sessionExpiryIntervalSeconds(1));
        client.subscribe(topic, AT_LEAST_ONCE);

        broker().advance(Duration.ofHours(1));

        publish(topic, AT_LEAST_ONCE, "text");
        client.receivePublish();
    }

    @Test
    @Proves({"MQTT-4.1.0-2", "MQTT-3.1.2-23"})
    void shouldTakeANewIntervalFromDisconnect() {
        String shortened = fresh("client");
        String lengthened = fresh("client");
        disconnect(connected(Connect.builder(shortened).sessionExpiryIntervalSeconds(100)), 0);
        disconnect(connected(Connect.builder(lengthened).sessionExpiryIntervalSeconds(1)), 100);

        broker().advance(Duration.ofSeconds(50));

        assertThat(open().connect(resuming(shortened).build()).sessionPresent()).isFalse();
        assertThat(open().connect(resuming(lengthened).build()).sessionPresent())
                .isTrue();
    }

    @Test
    @Proves("MQTT-4.13.1-1")
    void shouldTakeAnIntervalInDisconnectAfterNoneInConnectForAProtocolError() {
        String id = fresh("client");
        RawClient client = connected(Connect.builder(id));

        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION, 10, null, List.of(), null));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
        assertThat(open().connect(resuming(id).build()).sessionPresent()).isFalse();
    }

    @Test
    @Proves("MQTT-4.1.0-2")
    void shouldTakeTheIntervalOfTheLastConnect() {
        String id = fresh("client");
        leave(persistent(id));
        RawClient back = open();
        back.connect(Connect.builder(id).cleanStart(false).build());
        leave(back);

        assertThat(open().connect(resuming(id).build()).sessionPresent()).isFalse();
    }

    @Test
    @Proves("MQTT-4.1.0-2")
    void shouldSayWhenItKeepsSessionsForAShorterTime() {
        try (TestBroker capped = TestBroker.with(MqttTestBroker.mqtt(TestOptions.sessionExpiryMax(60)))
                        .start();
                RawClient client = new RawClient(capped.port(), ProtocolVersion.V5)) {
            ConnAck answer = client.connect(resuming("client").build());
            assertThat(answer.sessionExpiryIntervalSeconds()).isEqualTo(60);
            leave(client);

            capped.advance(Duration.ofSeconds(61));

            try (RawClient back = new RawClient(capped.port(), ProtocolVersion.V5)) {
                assertThat(back.connect(resuming("client").build()).sessionPresent())
                        .isFalse();
            }
        }
    }

    @Test
    @Proves("MQTT-3.1.2-23")
    void shouldKeepQosOneAndTwoAndNotQosZeroForAClientThatIsAway() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        lose(before);
        publish(topic, AT_MOST_ONCE, "zero");
        publish(topic, AT_LEAST_ONCE, "one");
        publish(topic, EXACTLY_ONCE, "two");

        RawClient after = resumed(id);

        assertThat(text(after.receivePublish())).isEqualTo("one");
        assertThat(text(after.receivePublish())).isEqualTo("two");
        after.expectNothing();
    }

    private static void disconnect(RawClient client, long expirySeconds) {
        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION, expirySeconds, null, List.of(), null));
        client.expectClosed();
    }
}
