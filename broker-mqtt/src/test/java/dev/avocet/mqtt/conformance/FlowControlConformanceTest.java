package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Receive maximum, in both directions. */
class FlowControlConformanceTest extends ConformanceTest {
    private static final int BROKER_MAXIMUM = 4;

    @Override
    TestBroker newBroker() {
        return TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT.withReceiveMaximum(BROKER_MAXIMUM)))
                .start();
    }

    @Test
    @Proves({"MQTT-3.3.4-7", "MQTT-3.3.4-9", "MQTT-4.9.0-1", "MQTT-4.9.0-2"})
    void shouldSendAsManyAsTheClientTakesAndNoMore() {
        String topic = fresh("topic");
        RawClient subscriber = connected(Connect.builder(fresh("client")).receiveMaximum(3));
        subscriber.subscribe(topic, EXACTLY_ONCE);
        RawClient publisher = client();
        for (int i = 0; i < 6; i++) {
            publishTo(publisher, message(topic, i % 2 == 0 ? AT_LEAST_ONCE : EXACTLY_ONCE, "sent " + i));
        }

        List<Publish> sent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sent.add(subscriber.receivePublish());
        }
        subscriber.expectNothing();

        // PUBACK makes room, and so does PUBREC with an error
        subscriber.send(new PubAck(sent.get(0).packetId()));
        assertThat(text(subscriber.receivePublish())).isEqualTo("sent 3");
        subscriber.expectNothing();
        subscriber.send(new PubRec(sent.get(1).packetId(), ReasonCode.UNSPECIFIED_ERROR));
        assertThat(text(subscriber.receivePublish())).isEqualTo("sent 4");
        subscriber.expectNothing();
    }

    @Test
    @Proves({"MQTT-3.3.4-9", "MQTT-4.9.0-2"})
    void shouldCountAQosTwoDeliveryUntilPubComp() {
        String topic = fresh("topic");
        RawClient subscriber = connected(Connect.builder(fresh("client")).receiveMaximum(1));
        subscriber.subscribe(topic, EXACTLY_ONCE);
        publish(topic, EXACTLY_ONCE, "first");
        publish(topic, EXACTLY_ONCE, "second");
        int packetId = subscriber.receivePublish().packetId();
        subscriber.send(new PubRec(packetId));
        subscriber.receive(PubRel.class);
        subscriber.expectNothing();

        subscriber.send(new PubComp(packetId));

        assertThat(text(subscriber.receivePublish())).isEqualTo("second");
    }

    @Test
    @Proves({"MQTT-3.3.4-10", "MQTT-3.3.4-8", "MQTT-4.9.0-3"})
    void shouldGoOnWithEverythingElseWhenTheClientTakesNoMore() {
        String topic = fresh("topic");
        String other = fresh("topic");
        RawClient subscriber = connected(Connect.builder(fresh("client")).receiveMaximum(1));
        subscriber.subscribe(topic, AT_LEAST_ONCE);
        publish(topic, AT_LEAST_ONCE, "first");
        publish(topic, AT_LEAST_ONCE, "second");
        subscriber.receivePublish();

        subscriber.expectNothing(); // PINGREQ is answered
        subscriber.subscribe(other, AT_LEAST_ONCE);
        publish(other, AT_MOST_ONCE, "zero");
        assertThat(text(subscriber.receivePublish())).isEqualTo("zero");
        publishTo(subscriber, message(fresh("topic"), EXACTLY_ONCE, "own"));
        subscriber.send(new Unsubscribe(3, other));
        subscriber.receive(UnsubAck.class);
    }

    @Test
    @Proves("MQTT-4.9.0-1")
    void shouldBeginWithAFullQuotaOnEachConnection() {
        String topic = fresh("topic");
        String id = fresh("client");
        RawClient before = connected(Connect.builder(id).receiveMaximum(1).sessionExpiryIntervalSeconds(60));
        before.subscribe(topic, AT_LEAST_ONCE);
        publish(topic, AT_LEAST_ONCE, "first");
        publish(topic, AT_LEAST_ONCE, "second");
        before.receivePublish();
        lose(before);

        RawClient after = open();
        after.connect(Connect.builder(id)
                .cleanStart(false)
                .receiveMaximum(2)
                .sessionExpiryIntervalSeconds(60)
                .build());

        assertThat(text(after.receivePublish())).isEqualTo("first");
        assertThat(text(after.receivePublish())).isEqualTo("second");
    }

    @Test
    @Proves({"MQTT-3.3.4-9", "MQTT-4.9.0-2"})
    void shouldKeepToASmallerMaximumWhenItSendsAgain() {
        String topic = fresh("topic");
        String id = fresh("client");
        RawClient before = persistent(id);
        before.subscribe(topic, AT_LEAST_ONCE);
        for (int i = 0; i < 3; i++) {
            publish(topic, AT_LEAST_ONCE, "sent " + i);
            before.receivePublish();
        }
        lose(before);

        RawClient after = open();
        after.connect(resuming(id).receiveMaximum(1).build());

        for (int i = 0; i < 3; i++) {
            Publish next = after.receivePublish();
            assertThat(text(next)).isEqualTo("sent " + i);
            after.expectNothing();
            after.send(new PubAck(next.packetId()));
        }
    }

    @Test
    @Proves("MQTT-3.3.4-7")
    void shouldSayHowManyItTakes() {
        ConnAck answer = open().connect(Connect.builder(fresh("client")).build());

        assertThat(answer.receiveMaximum()).isEqualTo(BROKER_MAXIMUM);
    }

    @Test
    @Proves({"MQTT-3.3.4-7", "MQTT-4.13.1-1"})
    void shouldDisconnectAClientThatSendsMoreThanTheBrokerTakes() {
        RawClient client = client();
        String topic = fresh("topic");
        for (int i = 1; i <= BROKER_MAXIMUM; i++) {
            client.send(withId(message(topic, EXACTLY_ONCE, "open"), i));
            client.receive(PubRec.class);
        }
        client.expectNothing();

        client.send(withId(message(topic, EXACTLY_ONCE, "one too many"), BROKER_MAXIMUM + 1));

        expectDisconnect(client, ReasonCode.RECEIVE_MAXIMUM_EXCEEDED);
    }

    @Test
    @Proves({"MQTT-3.3.4-7", "MQTT-4.9.0-1"})
    void shouldNotCountWhatWasOpenOnAnEarlierConnection() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        for (int i = 1; i <= BROKER_MAXIMUM; i++) {
            before.send(withId(message(topic, EXACTLY_ONCE, "open"), i));
            before.receive(PubRec.class);
        }
        lose(before);

        RawClient after = resumed(id);

        for (int i = 1; i <= BROKER_MAXIMUM; i++) {
            after.send(withId(message(topic, EXACTLY_ONCE, "new"), 10 + i));
            after.receive(PubRec.class);
        }
    }

    @Test
    @Proves("MQTT-3.3.4-7")
    void shouldNotCountWhatItHasRefused() {
        RawClient client = client();

        for (int i = 1; i <= 3 * BROKER_MAXIMUM; i++) {
            client.send(withId(message("$SYS/refused", EXACTLY_ONCE, "refused"), i));
            assertThat(client.receive(PubRec.class).reasonCode().isError()).isTrue();
        }
    }
}
