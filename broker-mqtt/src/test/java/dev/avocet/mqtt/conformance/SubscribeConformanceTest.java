package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.RawClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SUBSCRIBE and UNSUBSCRIBE. */
class SubscribeConformanceTest extends ConformanceTest {
    @ParameterizedTest
    @ValueSource(ints = {0x80, 0x81, 0x83, 0x8A, 0xA0, 0xA1, 0xA3})
    @Proves({"MQTT-3.8.1-1", "MQTT-3.10.1-1", "MQTT-2.1.3-1"})
    void shouldRefuseWrongFlags(int header) {
        RawClient client = client();
        RawPacket packet = RawPacket.of(header).bytes(0, 1, 0).utf8("topic");

        client.sendBytes((header < 0xA0 ? packet.bytes(0) : packet).toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-3.8.3-1")
    void shouldRefuseASubscribedFilterThatIsNotUtf8() {
        RawClient client = client();

        client.sendBytes(
                RawPacket.of(0x82).bytes(0, 1, 0).illFormedText().bytes(0).toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-3.10.3-1")
    void shouldRefuseAnUnsubscribedFilterThatIsNotUtf8() {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0xA2).bytes(0, 1, 0).illFormedText().toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x82, 0xA2})
    @Proves({"MQTT-3.8.3-2", "MQTT-3.10.3-2"})
    void shouldRefuseAPacketWithoutFilters(int header) {
        RawClient client = client();

        client.sendBytes(RawPacket.of(header).bytes(0, 1, 0).toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x82, 0xA2})
    @Proves("MQTT-2.2.1-6")
    void shouldRefusePacketIdentifierZero(int header) {
        RawClient client = client();
        RawPacket packet = RawPacket.of(header).bytes(0, 0, 0).utf8("topic");

        client.sendBytes((header == 0x82 ? packet.bytes(0) : packet).toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-3.8.3-3")
    void shouldNotSendBackWhatTheClientPublishedItself() {
        String topic = fresh("topic");
        RawClient client = client();
        client.subscribe(new TopicSubscription(topic, AT_LEAST_ONCE, true, false, RetainHandling.SEND_AT_SUBSCRIBE));

        publishTo(client, message(topic, AT_LEAST_ONCE, "own"));
        publishTo(client, message(topic, AT_MOST_ONCE, "own"));
        client.expectNothing();

        publish(topic, AT_LEAST_ONCE, "another's");
        assertThat(text(client.receivePublish())).isEqualTo("another's");
    }

    @Test
    @Proves("MQTT-3.8.3-3")
    void shouldNotSendBackWhatTheClientHadRetainedItself() {
        String topic = fresh("topic");
        RawClient client = client();
        publishTo(client, new Publish(topic, AT_LEAST_ONCE, true, 1, utf8("own")));

        client.subscribe(new TopicSubscription(topic, AT_LEAST_ONCE, true, false, RetainHandling.SEND_AT_SUBSCRIBE));
        client.expectNothing();

        client.subscribe(topic, AT_LEAST_ONCE);
        assertThat(text(client.receivePublish())).isEqualTo("own");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x40, 0x80, 0xC0})
    @Proves("MQTT-3.8.3-5")
    void shouldRefuseReservedSubscriptionOptions(int options) {
        RawClient client = client();

        client.sendBytes(
                RawPacket.of(0x82).bytes(0, 1, 0).utf8("topic").bytes(options).toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x03, 0x30})
    @Proves("MQTT-4.13.1-1")
    void shouldRefuseOptionsThatMeanNothing(int options) {
        RawClient client = client();

        client.sendBytes(
                RawPacket.of(0x82).bytes(0, 1, 0).utf8("topic").bytes(options).toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves({
        "MQTT-3.8.4-1",
        "MQTT-3.8.4-2",
        "MQTT-3.8.4-5",
        "MQTT-3.8.4-6",
        "MQTT-3.8.4-7",
        "MQTT-3.9.3-1",
        "MQTT-3.9.3-2",
        "MQTT-2.2.1-6"
    })
    void shouldAnswerEachFilterInItsPlace() {
        RawClient client = client();

        client.send(new Subscribe(
                4711,
                new TopicSubscription("a", EXACTLY_ONCE),
                new TopicSubscription("b/#/c", AT_MOST_ONCE),
                new TopicSubscription("c", AT_MOST_ONCE),
                new TopicSubscription("d", AT_LEAST_ONCE)));

        SubAck answer = client.receive(SubAck.class);
        assertThat(answer.packetId()).isEqualTo(4711);
        assertThat(answer.reasonCodes())
                .containsExactly(
                        ReasonCode.GRANTED_QOS_2,
                        ReasonCode.TOPIC_FILTER_INVALID,
                        ReasonCode.GRANTED_QOS_0,
                        ReasonCode.GRANTED_QOS_1);
    }

    @Test
    @Proves({"MQTT-3.8.4-3", "MQTT-3.8.4-4"})
    void shouldReplaceASubscriptionToTheSameFilter() {
        String topic = fresh("topic");
        RawClient client = client();
        client.subscribe(topic, EXACTLY_ONCE);

        client.subscribe(topic, AT_MOST_ONCE);

        publish(topic, EXACTLY_ONCE, "text");
        assertThat(client.receivePublish().qos()).isEqualTo(AT_MOST_ONCE);
        client.expectNothing();
    }

    @Test
    @Proves("MQTT-3.8.4-4")
    void shouldLoseNothingWhenASubscriptionIsReplaced() {
        // given more waiting than a client that takes one at a time has got
        String topic = fresh("topic");
        RawClient client = connected(Connect.builder(fresh("client")).receiveMaximum(1));
        client.subscribe(topic, AT_LEAST_ONCE);
        for (int i = 0; i < 5; i++) {
            publish(topic, AT_LEAST_ONCE, "sent " + i);
        }
        int packetId = client.receivePublish().packetId();

        client.subscribe(topic, EXACTLY_ONCE);

        for (int i = 1; i < 5; i++) {
            client.send(new PubAck(packetId));
            Publish next = client.receivePublish();
            assertThat(text(next)).isEqualTo("sent " + i);
            packetId = next.packetId();
        }
    }

    @ParameterizedTest
    @CsvSource({"0,0,0", "0,2,0", "1,0,0", "1,1,1", "1,2,1", "2,0,0", "2,1,1", "2,2,2"})
    @Proves("MQTT-3.8.4-8")
    void shouldDeliverAtTheLowerQualityOfService(int published, int granted, int delivered) {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, QualityOfService.of(granted));

        publish(topic, QualityOfService.of(published), "text");

        assertThat(subscriber.receivePublish().qos()).isEqualTo(QualityOfService.of(delivered));
    }

    @Test
    @Proves({"MQTT-3.10.4-1", "MQTT-3.10.4-4"})
    void shouldEndExactlyTheSubscriptionThatIsNamed() {
        String topic = fresh("topic");
        RawClient client = client();
        client.subscribe(topic, AT_MOST_ONCE);
        client.subscribe(topic + "/#", AT_MOST_ONCE);

        client.send(new Unsubscribe(2, topic));

        assertThat(client.receive(UnsubAck.class).reasonCodes()).containsExactly(ReasonCode.SUCCESS);
        publish(topic, AT_MOST_ONCE, "by the other");
        client.receivePublish();
        client.send(new Unsubscribe(3, topic + "/#"));
        client.receive(UnsubAck.class);
        publish(topic, AT_MOST_ONCE, "by none");
        client.expectNothing();
    }

    @Test
    @Proves({"MQTT-3.10.4-1", "MQTT-3.10.4-5", "MQTT-3.10.4-6", "MQTT-3.11.3-1", "MQTT-3.11.3-2", "MQTT-2.2.1-6"})
    void shouldAnswerEachUnsubscribedFilterInItsPlace() {
        RawClient client = client();
        client.subscribe(new TopicSubscription("a", AT_MOST_ONCE), new TopicSubscription("c/+", AT_MOST_ONCE));

        client.send(new Unsubscribe(4712, "a", "never", "c/+", "c/d", "A"));

        UnsubAck answer = client.receive(UnsubAck.class);
        assertThat(answer.packetId()).isEqualTo(4712);
        assertThat(answer.reasonCodes())
                .containsExactly(
                        ReasonCode.SUCCESS,
                        ReasonCode.NO_SUBSCRIPTION_EXISTED,
                        ReasonCode.SUCCESS,
                        ReasonCode.NO_SUBSCRIPTION_EXISTED,
                        ReasonCode.NO_SUBSCRIPTION_EXISTED);
    }

    @Test
    @Proves("MQTT-3.10.4-1")
    void shouldCompleteWhatWasBegunBeforeTheUnsubscribe() {
        String topic = fresh("topic");
        RawClient client = client();
        client.subscribe(topic, EXACTLY_ONCE);
        publish(topic, EXACTLY_ONCE, "begun");
        int packetId = client.receivePublish().packetId();

        client.send(new Unsubscribe(2, topic));
        client.receive(UnsubAck.class);
        client.send(new PubRec(packetId));

        assertThat(client.receive(PubRel.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    @Proves("MQTT-3.12.4-1")
    void shouldAnswerPing() {
        RawClient client = client();

        client.send(PingReq.INSTANCE);

        client.receive(PingResp.class);
    }
}
