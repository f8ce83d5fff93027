package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Delivery at each quality of service, in both directions and across connections. */
class QosConformanceTest extends ConformanceTest {
    @Test
    @Proves({"MQTT-2.2.1-4", "MQTT-4.3.2-1", "MQTT-4.3.3-1"})
    void shouldGiveEachDeliveryAPacketIdentifierThatIsNotInUse() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, EXACTLY_ONCE);
        RawClient publisher = client();
        Set<Integer> inUse = new TreeSet<>();

        for (int i = 0; i < 100; i++) {
            publishTo(publisher, message(topic, i % 2 == 0 ? AT_LEAST_ONCE : EXACTLY_ONCE, "text"));
            assertThat(inUse.add(subscriber.receivePublish().packetId())).isTrue();
        }

        assertThat(inUse).hasSize(100).doesNotContain(0);
    }

    @Test
    @Proves({"MQTT-2.2.1-4", "MQTT-4.3.2-1"})
    void shouldPassOverAPacketIdentifierInUseWhenTheNumbersHaveGoneRound() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_LEAST_ONCE);
        RawClient publisher = client();
        publishTo(publisher, message(topic, AT_LEAST_ONCE, "kept"));
        int kept = subscriber.receivePublish().packetId();

        int batch = 200;
        for (int sent = 0; sent < 66_000; sent += batch) {
            Publish[] publishes = new Publish[batch];
            for (int i = 0; i < batch; i++) {
                publishes[i] = withId(message(topic, AT_LEAST_ONCE, ""), i + 1);
            }
            publisher.send(publishes);
            PubAck[] answers = new PubAck[batch];
            for (int i = 0; i < batch; i++) {
                publisher.receive(PubAck.class);
                answers[i] = new PubAck(subscriber.receivePublish().packetId());
                assertThat(answers[i].packetId()).isNotEqualTo(kept);
            }
            subscriber.send(answers);
        }
    }

    @Test
    @Proves({"MQTT-3.3.1-1", "MQTT-4.4.0-1", "MQTT-4.3.2-3", "MQTT-4.1.0-1"})
    void shouldSendAgainWhatWasNotAcknowledged() {
        // given two deliveries, one of them acknowledged
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, AT_LEAST_ONCE);
        publish(topic, AT_LEAST_ONCE, "acknowledged");
        publish(topic, AT_LEAST_ONCE, "open");
        before.send(new PubAck(before.receivePublish().packetId()));
        Publish open = before.receivePublish();
        before.expectNothing();
        lose(before);

        RawClient after = resumed(id);

        Publish repeated = after.receivePublish();
        assertThat(repeated.dup()).isTrue();
        assertThat(repeated.packetId()).isEqualTo(open.packetId());
        assertThat(text(repeated)).isEqualTo("open");
        after.expectNothing();
    }

    @Test
    @Proves({"MQTT-3.3.1-1", "MQTT-4.4.0-1", "MQTT-4.3.3-3"})
    void shouldSendAQosTwoMessageAgainUntilItIsReceived() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        publish(topic, EXACTLY_ONCE, "text");
        Publish first = before.receivePublish();
        lose(before);

        Publish repeated = resumed(id).receivePublish();

        assertThat(repeated.dup()).isTrue();
        assertThat(repeated.qos()).isEqualTo(EXACTLY_ONCE);
        assertThat(repeated.packetId()).isEqualTo(first.packetId());
    }

    @Test
    @Proves({"MQTT-4.3.3-4", "MQTT-4.3.3-5", "MQTT-4.3.3-6", "MQTT-4.4.0-1"})
    void shouldSendPubRelAgainAndNotThePublish() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        publish(topic, EXACTLY_ONCE, "text");
        int packetId = before.receivePublish().packetId();
        before.send(new PubRec(packetId));
        assertThat(before.receive(PubRel.class).packetId()).isEqualTo(packetId);
        lose(before);

        RawClient after = resumed(id);

        assertThat(after.receive(PubRel.class).packetId()).isEqualTo(packetId);
        after.send(new PubComp(packetId));
        after.expectNothing();
        lose(after);
        resumed(id).expectNothing();
    }

    @Test
    @Proves("MQTT-4.4.0-1")
    void shouldSendNothingAgainWhileTheConnectionLasts() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_LEAST_ONCE);
        publish(topic, AT_LEAST_ONCE, "text");
        subscriber.receivePublish();

        broker().advance(Duration.ofHours(1));

        subscriber.expectNothing();
    }

    @Test
    @Proves({"MQTT-4.4.0-1", "MQTT-4.6.0-5", "MQTT-4.6.0-6"})
    void shouldKeepTheOrderAcrossConnections() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        RawClient publisher = client();
        for (int i = 0; i < 10; i++) {
            publishTo(publisher, message(topic, i % 2 == 0 ? AT_LEAST_ONCE : EXACTLY_ONCE, "sent " + i));
            before.receivePublish();
        }
        lose(before);
        for (int i = 10; i < 20; i++) {
            publishTo(publisher, message(topic, i % 2 == 0 ? AT_LEAST_ONCE : EXACTLY_ONCE, "sent " + i));
        }

        RawClient after = resumed(id);

        for (int i = 0; i < 20; i++) {
            Publish next = after.receivePublish();
            assertThat(text(next)).isEqualTo("sent " + i);
            assertThat(next.dup()).isEqualTo(i < 10);
        }
    }

    @Test
    @Proves({"MQTT-4.6.0-5", "MQTT-4.6.0-6"})
    void shouldDeliverInTheOrderOfPublication() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_LEAST_ONCE);
        RawClient publisher = client();
        for (int i = 0; i < 200; i++) {
            publisher.send(withId(message(topic, AT_LEAST_ONCE, "sent " + i), i + 1));
        }

        for (int i = 0; i < 200; i++) {
            Publish next = subscriber.receivePublish();
            assertThat(text(next)).isEqualTo("sent " + i);
            subscriber.send(new PubAck(next.packetId()));
        }
    }

    @Test
    @Proves({"MQTT-4.3.2-4", "MQTT-4.3.2-5"})
    void shouldTakeTheSameIdentifierForANewMessageAfterPubAck() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_LEAST_ONCE);
        RawClient publisher = client();
        Publish publish = withId(message(topic, AT_LEAST_ONCE, "text"), 9);

        publishTo(publisher, publish);
        publishTo(publisher, again(publish));

        subscriber.receivePublish();
        subscriber.receivePublish();
        subscriber.expectNothing();
    }

    @Test
    @Proves({"MQTT-4.3.3-8", "MQTT-4.3.3-10", "MQTT-4.3.3-11"})
    void shouldDeliverAQosTwoMessageOnceHoweverOftenItComes() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, EXACTLY_ONCE);
        Publish publish = withId(message(topic, EXACTLY_ONCE, "text"), 9);
        RawClient publisher = persistent(id);

        publisher.send(publish, again(publish));
        assertThat(publisher.receive(PubRec.class).packetId()).isEqualTo(9);
        assertThat(publisher.receive(PubRec.class).packetId()).isEqualTo(9);
        lose(publisher);
        RawClient later = resumed(id);
        later.send(again(publish));
        assertThat(later.receive(PubRec.class).packetId()).isEqualTo(9);
        later.send(new PubRel(9));
        assertThat(later.receive(PubComp.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);

        subscriber.receivePublish();
        subscriber.expectNothing();
    }

    @Test
    @Proves("MQTT-4.3.3-12")
    void shouldTakeTheSameIdentifierForANewMessageAfterPubComp() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, EXACTLY_ONCE);
        RawClient publisher = client();

        publishTo(publisher, withId(message(topic, EXACTLY_ONCE, "first"), 9));
        publishTo(publisher, again(withId(message(topic, EXACTLY_ONCE, "second"), 9)));

        assertThat(text(subscriber.receivePublish())).isEqualTo("first");
        assertThat(text(subscriber.receivePublish())).isEqualTo("second");
    }

    @Test
    @Proves("MQTT-4.3.3-9")
    void shouldTakeTheSameIdentifierForANewMessageAfterARefusal() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, EXACTLY_ONCE);
        RawClient publisher = client();
        publisher.send(withId(message("$SYS/refused", EXACTLY_ONCE, "refused"), 9));
        assertThat(publisher.receive(PubRec.class).reasonCode()).isEqualTo(ReasonCode.TOPIC_NAME_INVALID);

        publishTo(publisher, withId(message(topic, EXACTLY_ONCE, "taken"), 9));

        assertThat(text(subscriber.receivePublish())).isEqualTo("taken");
    }

    @Test
    @Proves("MQTT-4.3.3-7")
    void shouldNotApplyExpiryToWhatHasBeenSent() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        publishTo(client(), expiring(message(topic, EXACTLY_ONCE, "text"), 5));
        before.receivePublish();
        lose(before);

        broker().advance(Duration.ofSeconds(10));

        RawClient after = resumed(id);
        Publish repeated = after.receivePublish();
        assertThat(text(repeated)).isEqualTo("text");
        after.send(new PubRec(repeated.packetId()));
        after.receive(PubRel.class);
    }

    @Test
    @Proves("MQTT-4.3.3-13")
    void shouldGoOnWithTheExchangeOfAMessageThatHasExpired() {
        RawClient publisher = client();
        publisher.send(expiring(withId(message(fresh("topic"), EXACTLY_ONCE, "text"), 9), 1));
        publisher.receive(PubRec.class);

        broker().advance(Duration.ofSeconds(5));
        publisher.send(new PubRel(9));

        PubComp answer = publisher.receive(PubComp.class);
        assertThat(answer.packetId()).isEqualTo(9);
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    @Proves({"MQTT-4.4.0-2", "MQTT-4.3.3-4"})
    void shouldTakeARefusalForTheEndOfADelivery() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        publish(topic, AT_LEAST_ONCE, "one");
        publish(topic, EXACTLY_ONCE, "two");

        before.send(new PubAck(before.receivePublish().packetId(), ReasonCode.UNSPECIFIED_ERROR));
        before.send(new PubRec(before.receivePublish().packetId(), ReasonCode.UNSPECIFIED_ERROR));

        before.expectNothing(); // no PUBREL either
        lose(before);
        resumed(id).expectNothing();
    }

    @Test
    @Proves({"MQTT-3.6.2-1", "MQTT-3.7.2-1", "MQTT-2.2.1-5"})
    void shouldSayThatAPacketIdentifierIsUnknown() {
        RawClient client = client();

        client.send(new PubRec(7));
        PubRel released = client.receive(PubRel.class);
        assertThat(released.packetId()).isEqualTo(7);
        assertThat(released.reasonCode()).isEqualTo(ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);

        client.send(new PubRel(8));
        PubComp completed = client.receive(PubComp.class);
        assertThat(completed.packetId()).isEqualTo(8);
        assertThat(completed.reasonCode()).isEqualTo(ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);
    }

    @Test
    @Proves("MQTT-2.2.1-5")
    void shouldPassOverAcknowledgementsOfNothing() {
        RawClient client = client();

        client.send(new PubAck(7), new PubComp(8));

        client.expectNothing();
    }

    @Test
    @Proves({"MQTT-4.3.2-3", "MQTT-4.3.3-3"})
    void shouldNotTakeTheWrongAcknowledgementForTheRightOne() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        publish(topic, EXACTLY_ONCE, "two");
        int packetId = before.receivePublish().packetId();
        before.send(new PubAck(packetId));
        expectDisconnect(before, ReasonCode.PROTOCOL_ERROR);

        assertThat(resumed(id).receivePublish().packetId()).isEqualTo(packetId);
    }

    @Test
    @Proves({"MQTT-4.3.2-3", "MQTT-4.3.3-3"})
    void shouldGiveThePlacesBackThatWrongAcknowledgementsHaveHeld() {
        for (Wrong wrong : Wrong.values()) {
            String topic = fresh("topic");
            String id = fresh("client");
            RawClient client = connected(Connect.builder(id)
                    .sessionExpiryIntervalSeconds(NEVER_EXPIRES)
                    .receiveMaximum(1));
            client.subscribe(topic, wrong.qos);
            publish(topic, wrong.qos, "first");
            publish(topic, wrong.qos, "second");
            int packetId = client.receivePublish().packetId();

            client.send(wrong.answer.apply(packetId));
            expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);

            RawClient again = open();
            again.connect(resuming(id).receiveMaximum(1).build());
            assertThat(text(again.receivePublish())).as("after %s", wrong).isEqualTo("first");
            complete(again, wrong.qos, packetId);
            assertThat(text(again.receivePublish())).as("after %s", wrong).isEqualTo("second");
        }
    }

    /** A delivery, and an answer to it that belongs to another one. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    private enum Wrong {
        PUBREC_FOR_QOS_1(AT_LEAST_ONCE, PubRec::new),
        PUBCOMP_FOR_QOS_1(AT_LEAST_ONCE, PubComp::new),
        PUBACK_FOR_QOS_2(EXACTLY_ONCE, PubAck::new),
        PUBCOMP_FOR_QOS_2(EXACTLY_ONCE, PubComp::new);

        private final QualityOfService qos;

        @SuppressWarnings("ImmutableEnumChecker") // constructors hold nothing
        private final IntFunction<Packet> answer;

        Wrong(QualityOfService qos, IntFunction<Packet> answer) {
            this.qos = qos;
            this.answer = answer;
        }
    }

    private static void complete(RawClient client, QualityOfService qos, int packetId) {
        if (qos == AT_LEAST_ONCE) {
            client.send(new PubAck(packetId));
        } else {
            client.send(new PubRec(packetId));
            client.receive(PubRel.class);
            client.send(new PubComp(packetId));
        }
    }

    @Test
    @Proves("MQTT-4.3.3-3")
    void shouldTreatPubAckAfterPubRecAsProtocolError() {
        RawClient client = client();
        String topic = fresh("topic");
        client.subscribe(topic, EXACTLY_ONCE);
        publish(topic, EXACTLY_ONCE, "text");
        int packetId = client.receivePublish().packetId();
        client.send(new PubRec(packetId));
        client.receive(PubRel.class);

        client.send(new PubAck(packetId));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }
}
