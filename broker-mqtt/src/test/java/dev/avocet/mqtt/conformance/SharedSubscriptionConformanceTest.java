package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.RawClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shared subscriptions. */
class SharedSubscriptionConformanceTest extends ConformanceTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$share//topic",
                "$share/name",
                "$share/na+me/topic",
                "$share/na#me/topic",
                "$share/name/",
                "$SharedSubscription/na+me/topic",
                "$select/QoS=0/$share/na#me/topic"
            })
    @Proves({"MQTT-4.8.2-1", "MQTT-4.8.2-2"})
    void shouldTreatAShareThatIsNotWellFormedAsProtocolError(String filter) {
        RawClient client = client();

        client.send(new Subscribe(
                1, new TopicSubscription(fresh("topic"), AT_MOST_ONCE), new TopicSubscription(filter, AT_MOST_ONCE)));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-4.8.2-2")
    void shouldTreatAnUnsubscribedShareThatIsNotWellFormedAsProtocolError() {
        RawClient client = client();

        client.send(new Unsubscribe(1, "$share/na+me/topic"));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves({"MQTT-4.8.2-1", "MQTT-4.8.2-2"})
    void shouldDivideMessagesAmongTheMembersOfAShare() {
        String topic = fresh("topic");
        RawClient one = client();
        RawClient two = client();
        one.subscribe("$share/s/" + topic, AT_MOST_ONCE);
        two.subscribe("$share/s/" + topic, AT_MOST_ONCE);
        RawClient other = client();
        other.subscribe("$share/t/" + topic, AT_MOST_ONCE);

        RawClient publisher = client();
        for (int i = 0; i < 10; i++) {
            publishTo(publisher, message(topic, AT_MOST_ONCE, "sent " + i));
        }

        int toOne = count(one);
        int toTwo = count(two);
        assertThat(toOne).isPositive();
        assertThat(toTwo).isPositive();
        assertThat(toOne + toTwo).isEqualTo(10);
        assertThat(count(other)).isEqualTo(10);
    }

    @Test
    @Proves("MQTT-3.8.3-4")
    void shouldTakeNoLocalOnAShareForAProtocolError() {
        RawClient client = client();

        client.send(new Subscribe(
                1,
                new TopicSubscription(
                        "$share/s/" + fresh("topic"), AT_MOST_ONCE, true, false, RetainHandling.SEND_AT_SUBSCRIBE)));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-4.8.2-3")
    void shouldRespectEachMembersQualityOfService() {
        String topic = fresh("topic");
        RawClient one = client();
        RawClient two = client();
        one.subscribe("$share/s/" + topic, AT_MOST_ONCE);
        two.subscribe("$share/s/" + topic, AT_LEAST_ONCE);

        RawClient publisher = client();
        for (int i = 0; i < 4; i++) {
            publishTo(publisher, message(topic, EXACTLY_ONCE, "text"));
        }

        assertThat(one.receivePublish().qos()).isEqualTo(AT_MOST_ONCE);
        assertThat(two.receivePublish().qos()).isEqualTo(AT_LEAST_ONCE);
    }

    @Test
    @Proves("MQTT-4.8.2-4")
    void shouldCompleteAQosTwoDeliveryWithTheMemberItBeganWith() {
        String topic = fresh("topic");
        String id = fresh("client");
        RawClient first = persistent(id);
        first.subscribe("$share/s/" + topic, EXACTLY_ONCE);
        publish(topic, EXACTLY_ONCE, "text");
        int packetId = first.receivePublish().packetId();
        RawClient second = client();
        second.subscribe("$share/s/" + topic, EXACTLY_ONCE);

        lose(first);

        second.expectNothing();
        Publish repeated = resumed(id).receivePublish();
        assertThat(repeated.packetId()).isEqualTo(packetId);
        assertThat(repeated.dup()).isTrue();
        second.expectNothing();
    }

    @Test
    @Proves("MQTT-4.8.2-5")
    void shouldGiveABegunQosTwoMessageToNobodyElseWhenItsSessionEnds() {
        String topic = fresh("topic");
        RawClient first = client();
        first.subscribe("$share/s/" + topic, EXACTLY_ONCE);
        publish(topic, EXACTLY_ONCE, "text");
        first.receivePublish();
        RawClient second = client();
        second.subscribe("$share/s/" + topic, EXACTLY_ONCE);

        lose(first);

        second.expectNothing();
    }

    @Test
    @Proves("MQTT-4.8.2-4")
    void shouldGiveAnOpenQosOneMessageToAnotherMember() {
        String topic = fresh("topic");
        RawClient first = client();
        first.subscribe("$share/s/" + topic, AT_LEAST_ONCE);
        publish(topic, AT_LEAST_ONCE, "text");
        first.receivePublish();
        RawClient second = client();
        second.subscribe("$share/s/" + topic, AT_LEAST_ONCE);

        lose(first);

        assertThat(text(second.receivePublish())).isEqualTo("text");
    }

    @Test
    @Proves("MQTT-4.8.2-6")
    void shouldDiscardWhatAMemberRefuses() {
        String topic = fresh("topic");
        RawClient first = client();
        first.subscribe("$share/s/" + topic, EXACTLY_ONCE);
        publish(topic, AT_LEAST_ONCE, "one");
        publish(topic, EXACTLY_ONCE, "two");
        int one = first.receivePublish().packetId();
        int two = first.receivePublish().packetId();
        RawClient second = client();
        second.subscribe("$share/s/" + topic, EXACTLY_ONCE);

        first.send(new PubAck(one, ReasonCode.QUOTA_EXCEEDED), new PubRec(two, ReasonCode.QUOTA_EXCEEDED));

        first.expectNothing();
        second.expectNothing();
        lose(first);
        second.expectNothing();
    }

    @Test
    @Proves("MQTT-3.3.1-9")
    void shouldSendNoRetainedMessagesToAShare() {
        String topic = fresh("topic");
        retain(topic, "kept");
        RawClient member = client();

        member.subscribe("$share/s/" + topic, AT_LEAST_ONCE);

        member.expectNothing();
    }

    @Test
    @Proves("MQTT-3.10.4-1")
    void shouldLeaveAShareByItsWholeFilter() {
        String topic = fresh("topic");
        RawClient member = client();
        member.subscribe("$share/s/" + topic, AT_LEAST_ONCE);

        member.send(new Unsubscribe(2, topic, "$share/s/" + topic));

        assertThat(member.receive(UnsubAck.class).reasonCodes())
                .containsExactly(ReasonCode.NO_SUBSCRIPTION_EXISTED, ReasonCode.SUCCESS);
        publish(topic, AT_LEAST_ONCE, "text");
        member.expectNothing();
    }

    private static int count(RawClient client) {
        client.send(PingReq.INSTANCE);
        int count = 0;
        while (client.receive() instanceof Publish) {
            count++;
        }
        return count;
    }
}
