package dev.avocet.mqtt.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RefusalReasonTest {
    private static TestBroker broker;

    @BeforeAll
    static void start() {
        broker = MqttTestBroker.start();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldSayWhyAPublishWasRefused() {
        try (RawClient client = RawClient.connected(broker.port(), "publisher")) {
            client.send(new Publish("$other/topic", QualityOfService.AT_LEAST_ONCE, false, 1, new byte[0]));
            PubAck pubAck = client.receive(PubAck.class);
            assertThat(pubAck.reasonCode()).isEqualTo(ReasonCode.TOPIC_NAME_INVALID);
            assertThat(pubAck.reasonString()).contains("$");

            client.send(new Publish("$other/topic", QualityOfService.EXACTLY_ONCE, false, 2, new byte[0]));
            assertThat(client.receive(PubRec.class).reasonString()).contains("$");
        }
    }

    @Test
    void shouldSayWhyASubscriptionWasRefusedOnce() {
        try (RawClient client = RawClient.connected(broker.port(), "subscriber")) {
            SubAck refused = client.subscribe("a/#/b", QualityOfService.AT_MOST_ONCE);
            assertThat(refused.reasonString()).contains("'#' must be the last level");

            SubAck granted = client.subscribe("a/#", QualityOfService.AT_MOST_ONCE);
            assertThat(granted.reasonString()).isNull();
        }
    }

    @Test
    void shouldSayNothingToAClientThatDoesNotWantToKnow() {
        try (RawClient client = new RawClient(broker.port(), ProtocolVersion.V5)) {
            client.connect(
                    Connect.builder("silent").requestProblemInformation(false).build());
            client.send(new Publish("$other/topic", QualityOfService.AT_LEAST_ONCE, false, 1, new byte[0]));
            assertThat(client.receive(PubAck.class).reasonString()).isNull();
        }
    }
}
