package dev.avocet.mqtt.conformance.v311;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sections 3.3, 4.3 and 4.6: PUBLISH, its acknowledgements, and their order. */
class PublishTest extends V311Test {
    private static final int COUNT = 200;

    @Test
    @Proves({"MQTT311-3.3.4-1", "MQTT311-4.3.1-1", "MQTT311-4.3.2-2", "MQTT311-4.3.3-2", "MQTT311-2.3.1-6"})
    void shouldAnswerAsTheQualityOfServiceDemands() {
        RawClient publisher = connected("publisher");

        publisher.send(publish("t", AT_MOST_ONCE, 0, "x"));
        publisher.expectNothing();
        publisher.send(publish("t", AT_LEAST_ONCE, 1, "x"));
        assertThat(publisher.receive(PubAck.class).packetId()).isEqualTo(1);
        publisher.expectNothing();
        publisher.send(publish("t", EXACTLY_ONCE, 2, "x"));
        assertThat(publisher.receive(PubRec.class).packetId()).isEqualTo(2);
        publisher.expectNothing();
        publisher.send(new PubRel(2));
        assertThat(publisher.receive(PubComp.class).packetId()).isEqualTo(2);
        publisher.expectNothing();
    }

    @Test
    @Proves("MQTT311-4.3.2-2")
    void shouldTakeTheSameIdentifierAsANewMessageAfterPubAck() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", AT_MOST_ONCE);
        RawClient publisher = connected("publisher");

        publisher.send(publish("t", AT_LEAST_ONCE, 1, "first"));
        publisher.receive(PubAck.class);
        publisher.send(dup(publish("t", AT_LEAST_ONCE, 1, "second")));
        publisher.receive(PubAck.class);

        assertThat(text(subscriber.receivePublish())).isEqualTo("first");
        assertThat(text(subscriber.receivePublish())).isEqualTo("second");
    }

    @Test
    @Proves("MQTT311-4.3.3-2")
    void shouldDeliverOnceUntilReleased() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", AT_MOST_ONCE);
        RawClient publisher = connected("publisher");

        publisher.send(publish("t", EXACTLY_ONCE, 1, "first"));
        publisher.receive(PubRec.class);
        publisher.send(dup(publish("t", EXACTLY_ONCE, 1, "first")));
        publisher.receive(PubRec.class);
        publisher.send(new PubRel(1));
        publisher.receive(PubComp.class);
        publisher.send(publish("t", EXACTLY_ONCE, 1, "second"));
        publisher.receive(PubRec.class);

        assertThat(text(subscriber.receivePublish())).isEqualTo("first");
        assertThat(text(subscriber.receivePublish())).isEqualTo("second");
        subscriber.expectNothing();
    }

    @Test
    @Proves("MQTT311-4.3.3-1")
    void shouldReleaseWhatTheSubscriberHasReceived() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", EXACTLY_ONCE);
        RawClient publisher = connected("publisher");
        publisher.send(publish("t", EXACTLY_ONCE, 1, "x"));

        Publish delivered = subscriber.receivePublish();
        assertThat(delivered.qos()).isEqualTo(EXACTLY_ONCE);
        assertThat(delivered.dup()).isFalse();
        subscriber.expectNothing();
        subscriber.send(new PubRec(delivered.packetId()));
        assertThat(subscriber.receive(PubRel.class).packetId()).isEqualTo(delivered.packetId());
        subscriber.send(new PubComp(delivered.packetId()));
        subscriber.expectNothing();
    }

    @Test
    @Proves("MQTT311-3.3.1-3")
    void shouldNotPassDupOn() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", EXACTLY_ONCE);
        RawClient publisher = connected("publisher");

        publisher.send(dup(publish("t", AT_LEAST_ONCE, 1, "x")));
        publisher.send(dup(publish("t", EXACTLY_ONCE, 2, "x")));

        assertThat(subscriber.receivePublish().dup()).isFalse();
        assertThat(subscriber.receivePublish().dup()).isFalse();
    }

    @Test
    @Proves({"MQTT311-3.3.1-4", "MQTT311-4.8.0-1"})
    void shouldCloseOnQosThree() {
        RawClient publisher = connected("publisher");

        publisher.sendBytes(0x36, 6, 0, 1, 't', 0, 1, 'x');

        publisher.expectClosed();
    }

    @Test
    @Proves({"MQTT311-3.3.1-2", "MQTT311-4.8.0-1"})
    void shouldCloseOnDupAtQosZero() {
        RawClient publisher = connected("publisher");

        publisher.sendBytes(0x38, 4, 0, 1, 't', 'x');

        publisher.expectClosed();
    }

    @Test
    @Proves({"MQTT311-4.6.0-2", "MQTT311-4.6.0-3"})
    void shouldAcknowledgeInOrder() {
        RawClient publisher = connected("publisher");

        for (int i = 1; i <= COUNT; i++) {
            publisher.send(publish("t", AT_LEAST_ONCE, i, "x"), publish("t", EXACTLY_ONCE, COUNT + i, "x"));
        }

        for (int i = 1; i <= COUNT; i++) {
            assertThat(publisher.receive(PubAck.class).packetId()).isEqualTo(i);
            assertThat(publisher.receive(PubRec.class).packetId()).isEqualTo(COUNT + i);
        }
    }

    @Test
    @Proves("MQTT311-4.6.0-4")
    void shouldReleaseInTheOrderOfThePubRecs() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", EXACTLY_ONCE);
        RawClient publisher = connected("publisher");
        int[] packetIds = new int[10];
        for (int i = 0; i < packetIds.length; i++) {
            publisher.send(publish("t", EXACTLY_ONCE, i + 1, "x"));
            packetIds[i] = subscriber.receivePublish().packetId();
        }

        for (int i = packetIds.length - 1; i >= 0; i--) {
            subscriber.send(new PubRec(packetIds[i]));
        }

        for (int i = packetIds.length - 1; i >= 0; i--) {
            assertThat(subscriber.receive(PubRel.class).packetId()).isEqualTo(packetIds[i]);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Proves({"MQTT311-4.6.0-5", "MQTT311-4.6.0-6", "MQTT311-4.2.0-1"})
    void shouldKeepTheOrderOfATopic(QualityOfService qos) {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", EXACTLY_ONCE);
        RawClient publisher = connected("publisher");

        for (int i = 1; i <= COUNT; i++) {
            publisher.send(publish("t", qos, qos == AT_MOST_ONCE ? 0 : i, "m" + i));
        }

        for (int i = 1; i <= COUNT; i++) {
            assertThat(text(subscriber.receivePublish())).isEqualTo("m" + i);
        }
    }

    @Test
    @Proves({"MQTT311-4.2.0-1", "MQTT311-3.3.4-1"})
    void shouldReadPacketsHoweverTheStreamIsCut() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", AT_MOST_ONCE);
        RawClient publisher = connected("publisher");

        for (byte one : bytes(publish("t", AT_LEAST_ONCE, 1, "in pieces"))) {
            publisher.sendBytes(new byte[] {one});
        }

        publisher.receive(PubAck.class);
        assertThat(text(subscriber.receivePublish())).isEqualTo("in pieces");
    }

    @Test
    @Proves({"MQTT311-3.3.5-2", "MQTT311-4.8.0-1"})
    void shouldCloseWhenAPublishIsNotAllowed() {
        RawClient publisher = connected("publisher");

        publisher.send(publish("$broker/secret", AT_LEAST_ONCE, 1, "x"));

        publisher.expectClosed();
    }

    @Test
    @Proves({"MQTT311-4.8.0-2", "MQTT311-4.5.0-1"})
    void shouldCloseWhenAMessageFindsNoRoom() {
        QueueLimits one = new QueueLimits(1, 0, FullBehavior.REJECT_NEW_MESSAGES);
        try (TestBroker small = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT))
                        .options(BrokerOptions.DEFAULT.withSubscriptionLimits(one))
                        .start();
                RawClient subscriber = new RawClient(small.port(), ProtocolVersion.V3_1_1);
                RawClient publisher = new RawClient(small.port(), ProtocolVersion.V3_1_1)) {
            subscriber.connect(connect("subscriber").build());
            subscriber.subscribe("t", AT_LEAST_ONCE);
            publisher.connect(connect("publisher").build());
            publisher.send(publish("t", AT_LEAST_ONCE, 1, "fits"));
            publisher.receive(PubAck.class);

            publisher.send(publish("t", AT_LEAST_ONCE, 2, "does not"));

            publisher.expectClosed();
            Publish delivered = subscriber.receivePublish();
            assertThat(text(delivered)).isEqualTo("fits");
            subscriber.expectNothing();
        }
    }

    @Test
    @Proves({"MQTT311-4.5.0-1", "MQTT311-3.3.2-3"})
    void shouldDeliverToEverySessionThatMatchesAndToNoOther() {
        RawClient exact = connected("exact");
        exact.subscribe("a/b", AT_LEAST_ONCE);
        RawClient offline = resumed("offline");
        offline.subscribe("a/#", AT_LEAST_ONCE);
        offline.drop();
        RawClient other = connected("other");
        other.subscribe("a/c", AT_LEAST_ONCE);
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 2);

        publishSafely("a/b", "x");

        assertThat(exact.receivePublish().topic()).isEqualTo("a/b");
        assertThat(resumed("offline").receivePublish().topic()).isEqualTo("a/b");
        other.expectNothing();
    }
}
