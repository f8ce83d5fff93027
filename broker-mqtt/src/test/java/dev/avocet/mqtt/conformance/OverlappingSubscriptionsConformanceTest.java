package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.topic.OverlapDelivery;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Subscription identifiers, and several subscriptions of one client that match the same message. */
class OverlappingSubscriptionsConformanceTest extends ConformanceTest {
    @Test
    @Proves({"MQTT-3.3.4-2", "MQTT-3.3.4-3", "MQTT-3.3.4-4"})
    void shouldSendOneCopyAtTheHighestQualityOfServiceWithAllIdentifiers() {
        String root = fresh("root");
        String topic = root + "/topic";
        RawClient client = client();
        subscribe(client, topic, AT_MOST_ONCE, 1);
        subscribe(client, topic + "/#", EXACTLY_ONCE, 268_435_455);
        client.subscribe(root + "/+", AT_LEAST_ONCE);

        publish(topic, EXACTLY_ONCE, "text");

        Publish received = client.receivePublish();
        assertThat(received.qos()).isEqualTo(EXACTLY_ONCE);
        assertThat(received.subscriptionIdentifiers()).containsExactlyInAnyOrder(1, 268_435_455);
        client.expectNothing();
    }

    @Test
    @Proves({"MQTT-3.3.4-3", "MQTT-3.3.4-5"})
    void shouldSendACopyForEachSubscriptionWhereThatIsConfigured() {
        BrokerOptions each = BrokerOptions.DEFAULT.withOverlap(OverlapDelivery.EACH);
        try (TestBroker broker = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT))
                        .options(each)
                        .start();
                RawClient client = RawClient.connected(broker.port(), "client");
                RawClient publisher = RawClient.connected(broker.port(), "publisher")) {
            subscribe(client, "topic", AT_MOST_ONCE, 1);
            subscribe(client, "#", AT_LEAST_ONCE, 2);

            publishTo(publisher, message("topic", EXACTLY_ONCE, "text"));

            List<Publish> copies = List.of(client.receivePublish(), client.receivePublish());
            assertThat(copies)
                    .extracting(Publish::qos, Publish::subscriptionIdentifiers)
                    .containsExactlyInAnyOrder(tuple(AT_MOST_ONCE, List.of(1)), tuple(AT_LEAST_ONCE, List.of(2)));
            client.expectNothing();
        }
    }

    @Test
    @Proves({"MQTT-3.3.4-3", "MQTT-3.3.4-4"})
    void shouldSendTheIdentifierOnRetainedMessages() {
        String topic = fresh("topic");
        retain(topic, "kept");
        RawClient client = client();

        subscribe(client, topic, AT_LEAST_ONCE, 42);

        assertThat(client.receivePublish().subscriptionIdentifiers()).containsExactly(42);
    }

    @Test
    @Proves("MQTT-3.3.4-3")
    void shouldSendTheIdentifierAgainWithTheMessage() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        subscribe(before, topic, AT_LEAST_ONCE, 7);
        publish(topic, AT_LEAST_ONCE, "open");
        before.receivePublish();
        lose(before);
        publish(topic, AT_LEAST_ONCE, "waiting");

        RawClient after = resumed(id);

        assertThat(after.receivePublish().subscriptionIdentifiers()).containsExactly(7);
        assertThat(after.receivePublish().subscriptionIdentifiers()).containsExactly(7);
    }

    @Test
    @Proves({"MQTT-3.3.4-3", "MQTT-3.8.4-3"})
    void shouldChangeTheIdentifierWithTheSubscription() {
        String topic = fresh("topic");
        RawClient client = client();
        subscribe(client, topic, AT_MOST_ONCE, 7);
        subscribe(client, topic, AT_MOST_ONCE, 8);
        publish(topic, AT_MOST_ONCE, "text");
        assertThat(client.receivePublish().subscriptionIdentifiers()).containsExactly(8);

        client.subscribe(topic, AT_MOST_ONCE);

        publish(topic, AT_MOST_ONCE, "text");
        assertThat(client.receivePublish().subscriptionIdentifiers()).isEmpty();
    }

    @Test
    @Proves("MQTT-3.3.4-3")
    void shouldSendEachMemberOfAShareItsOwnIdentifier() {
        String topic = fresh("topic");
        RawClient one = client();
        RawClient two = client();
        subscribe(one, "$share/s/" + topic, AT_MOST_ONCE, 1);
        subscribe(two, "$share/s/" + topic, AT_MOST_ONCE, 2);

        publish(topic, AT_MOST_ONCE, "text");
        publish(topic, AT_MOST_ONCE, "text");

        assertThat(one.receivePublish().subscriptionIdentifiers()).containsExactly(1);
        assertThat(two.receivePublish().subscriptionIdentifiers()).containsExactly(2);
    }

    @Test
    @Proves({"MQTT-3.3.4-2", "MQTT-3.8.3-3"})
    void shouldLeaveOutTheSubscriptionsThatDoNotWantOwnMessages() {
        String topic = fresh("topic");
        RawClient client = client();
        client.send(new Subscribe(
                1,
                1,
                List.of(new TopicSubscription(topic, EXACTLY_ONCE, true, false, RetainHandling.SEND_AT_SUBSCRIBE)),
                List.of()));
        client.receive(SubAck.class);
        subscribe(client, topic + "/#", AT_LEAST_ONCE, 2);

        client.send(message(topic, EXACTLY_ONCE, "own"));

        Publish received = client.receivePublish();
        assertThat(received.subscriptionIdentifiers()).containsExactly(2);
        assertThat(received.qos()).isEqualTo(AT_LEAST_ONCE);
    }

    private static void subscribe(RawClient client, String filter, QualityOfService qos, int identifier) {
        client.send(new Subscribe(1, identifier, List.of(new TopicSubscription(filter, qos)), List.of()));
        client.receive(SubAck.class);
    }
}
