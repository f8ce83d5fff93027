package dev.avocet.mqtt.connection;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishAndDeliverTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldDeliverAtEachQualityOfService(int loops) {
        try (TestBroker broker = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT))
                        .loops(loops)
                        .start();
                RawClient subscriber = RawClient.connected(broker.port(), "subscriber");
                RawClient publisher = RawClient.connected(broker.port(), "publisher")) {
            subscriber.subscribe("sensors/+/temperature", EXACTLY_ONCE);

            publisher.send(publish(AT_MOST_ONCE, 0, "zero"));
            assertThat(new String(subscriber.receivePublish().payload(), StandardCharsets.UTF_8))
                    .isEqualTo("zero");

            publisher.send(publish(AT_LEAST_ONCE, 7, "one"));
            assertThat(publisher.receive(PubAck.class).packetId()).isEqualTo(7);
            Publish one = subscriber.receivePublish();
            assertThat(one.qos()).isEqualTo(AT_LEAST_ONCE);
            subscriber.send(new PubAck(one.packetId()));

            publisher.send(publish(EXACTLY_ONCE, 8, "two"));
            assertThat(publisher.receive(PubRec.class).packetId()).isEqualTo(8);
            publisher.send(new PubRel(8));
            assertThat(publisher.receive(PubComp.class).packetId()).isEqualTo(8);
            Publish two = subscriber.receivePublish();
            assertThat(two.qos()).isEqualTo(EXACTLY_ONCE);
            subscriber.send(new PubRec(two.packetId()));
            subscriber.receive(PubRel.class);
            subscriber.send(new PubComp(two.packetId()));
            subscriber.expectNothing();
        }
    }

    private static Publish publish(QualityOfService qos, int packetId, String payload) {
        return new Publish(
                "sensors/kitchen/temperature", qos, false, packetId, payload.getBytes(StandardCharsets.UTF_8));
    }
}
