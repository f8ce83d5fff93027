package dev.avocet.mqtt.policy;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.RawClient;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscriptions to the messages of one class of quality of service, and what who shares must have in common. */
final class SelectionTest extends PolicyTest {
    @ParameterizedTest
    @CsvSource({"$select/QoS=0/t, true", "$select/QoS>0/t, false"})
    void shouldDeliverOnlyOneClassOfQualityOfService(String filter, boolean takesQos0) {
        // given
        RawClient subscriber = connected(ProtocolVersion.V5, "subscriber");
        assertThat(subscriber.subscribe(filter, EXACTLY_ONCE).reasonCodes()).containsExactly(ReasonCode.GRANTED_QOS_2);

        // when
        publishAtEachLevel(connected(ProtocolVersion.V5, "publisher"), false);

        // then
        if (takesQos0) {
            assertThat(subscriber.receivePublish().qos()).isEqualTo(AT_MOST_ONCE);
        } else {
            assertThat(subscriber.receivePublish().qos()).isEqualTo(AT_LEAST_ONCE);
            assertThat(subscriber.receivePublish().qos()).isEqualTo(EXACTLY_ONCE);
        }
        subscriber.expectNothing();
        subscriber.send(new Unsubscribe(9, filter));
        assertThat(subscriber.receive(UnsubAck.class).reasonCodes()).containsExactly(ReasonCode.SUCCESS);
    }

    @Test
    void shouldSelectAmongRetainedMessages() {
        // given
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        publisher.send(new Publish("t/0", AT_MOST_ONCE, true, 0, payload("0")));
        publisher.send(new Publish("t/1", AT_LEAST_ONCE, true, 1, payload("1")));
        publisher.receive(PubAck.class);

        // when
        RawClient subscriber = connected(ProtocolVersion.V5, "subscriber");
        subscriber.subscribe("$select/QoS>0/t/+", AT_LEAST_ONCE);

        // then
        assertThat(subscriber.receivePublish().topic()).isEqualTo("t/1");
        subscriber.expectNothing();
    }

    @Test
    void shouldNotLetASelectionTakeFromAnotherSubscriptionOfTheClient() {
        // given
        RawClient subscriber = connected(ProtocolVersion.V5, "subscriber");
        subscriber.subscribe("t", AT_LEAST_ONCE);
        subscriber.subscribe("$select/QoS=0/+", EXACTLY_ONCE);

        // when
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        publisher.send(publish("t", AT_LEAST_ONCE, 1));
        publisher.receive(PubAck.class);

        // then
        assertThat(subscriber.receivePublish().qos()).isEqualTo(AT_LEAST_ONCE);
        subscriber.expectNothing();
    }

    @ParameterizedTest
    @ValueSource(strings = {"$select/QoS=1/t", "$select/t", "$select/QoS=0/", "$select/QoS=0/$select/QoS=0/t"})
    void shouldRefuseASelectionThatItDoesNotKnow(String filter) {
        RawClient client = connected(ProtocolVersion.V5, "client");

        assertThat(client.subscribe(filter, AT_MOST_ONCE).reasonCodes())
                .containsExactly(ReasonCode.TOPIC_FILTER_INVALID);
    }

    @ParameterizedTest
    @CsvSource({
        "$SharedSubscription/group/t, $SharedSubscription/group/other",
        "$SharedSubscription/group/t, $select/QoS=0/$SharedSubscription/group/t",
        "$share/group/t, $select/QoS>0/$share/group/t",
        "$select/QoS=0/$share/group/t, $select/QoS>0/$share/group/t"
    })
    void shouldRefuseToShareWhatIsAnotherSubscription(String first, String second) {
        // given
        connected(ProtocolVersion.V5, "first").subscribe(first, AT_LEAST_ONCE);

        // when
        SubAck answer = connected(ProtocolVersion.V5, "second").subscribe(second, AT_LEAST_ONCE);

        // then
        assertThat(answer.reasonCodes()).containsExactly(ReasonCode.TOPIC_FILTER_INVALID);
        assertThat(answer.reasonString()).contains("all members that share");
    }

    @ParameterizedTest
    @CsvSource({
        "$share/group/t, $share/group/other",
        "$select/QoS>0/$share/group/t, $select/QoS>0/$share/group/t",
        "$SharedSubscription/group/t, $SharedSubscription/Group/other"
    })
    void shouldKeepOthersApart(String first, String second) {
        connected(ProtocolVersion.V5, "first").subscribe(first, AT_LEAST_ONCE);

        assertThat(connected(ProtocolVersion.V5, "second")
                        .subscribe(second, AT_LEAST_ONCE)
                        .reasonCodes())
                .containsExactly(ReasonCode.GRANTED_QOS_1);
    }

    private static void publishAtEachLevel(RawClient publisher, boolean retain) {
        for (QualityOfService qos : QualityOfService.values()) {
            publisher.send(new Publish("t", qos, retain, qos.level(), payload("x")));
        }
        publisher.receive(PubAck.class);
        publisher.receive(PubRec.class);
    }

    private static byte[] payload(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
