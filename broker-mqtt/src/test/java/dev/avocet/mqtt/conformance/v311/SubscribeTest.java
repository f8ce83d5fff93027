package dev.avocet.mqtt.conformance.v311;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.RawClient;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 3.8 to 3.12: SUBSCRIBE, UNSUBSCRIBE, PINGREQ and their answers. */
class SubscribeTest extends V311Test {
    @Test
    @Proves({
        "MQTT311-3.8.4-1",
        "MQTT311-3.8.4-2",
        "MQTT311-3.8.4-4",
        "MQTT311-3.8.4-5",
        "MQTT311-3.9.3-1",
        "MQTT311-3.9.3-2"
    })
    void shouldAnswerAllFiltersInOneSubAckInTheirOrder() {
        RawClient client = client();
        client.send(connect("client").build());
        read(client, 4);

        client.send(new Subscribe(
                300,
                new TopicSubscription("two", EXACTLY_ONCE),
                new TopicSubscription("bad/#/filter", AT_LEAST_ONCE),
                new TopicSubscription("zero", AT_MOST_ONCE),
                new TopicSubscription("one", AT_LEAST_ONCE)));

        assertThat(read(client, 8)).containsExactly(0x90, 6, 1, 44, 2, 0x80, 0, 1);
        publishSafely("one", "x");
        assertThat(client.receivePublish().topic()).isEqualTo("one");
    }

    @Test
    @Proves("MQTT311-3.8.4-4")
    void shouldHandleFiltersOneAfterTheOther() {
        RawClient client = connected("client");

        client.subscribe(new TopicSubscription("t", EXACTLY_ONCE), new TopicSubscription("t", AT_MOST_ONCE));
        publishSafely("t", "x");

        assertThat(client.receivePublish().qos()).isEqualTo(AT_MOST_ONCE);
        client.expectNothing();
    }

    @ParameterizedTest
    @ValueSource(strings = {"82020001", "a2020001"})
    @Proves({"MQTT311-3.8.3-3", "MQTT311-3.10.3-2", "MQTT311-4.8.0-1"})
    void shouldCloseWhenThereIsNoFilter(String hex) {
        RawClient client = connected("client");

        client.sendBytes(HexFormat.of().parseHex(hex));

        client.expectClosed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x03, 0x04, 0x10, 0x80, 0xFC})
    @Proves({"MQTT311-3.8.3-4", "MQTT311-4.8.0-1"})
    void shouldCloseOnReservedBitsOfTheRequestedQos(int requestedQos) {
        RawClient client = connected("client");

        client.sendBytes(0x82, 6, 0, 1, 0, 1, 't', requestedQos);

        client.expectClosed();
    }

    @Test
    @Proves({"MQTT311-3.8.3-2", "MQTT311-3.3.2-3"})
    void shouldSupportWildcards() {
        RawClient client = connected("client");
        client.subscribe(new TopicSubscription("a/+/c", AT_MOST_ONCE), new TopicSubscription("x/#", AT_MOST_ONCE));

        publishSafely("a/b/c", "1");
        publishSafely("a/b/d", "2");
        publishSafely("x/y/z", "3");

        assertThat(client.receivePublish().topic()).isEqualTo("a/b/c");
        assertThat(client.receivePublish().topic()).isEqualTo("x/y/z");
        client.expectNothing();
    }

    @Test
    @Proves("MQTT311-3.8.4-3")
    void shouldReplaceASubscriptionToTheSameFilter() {
        publishSafely(retained("t", AT_LEAST_ONCE, 1, "retained"));
        RawClient client = connected("client");
        client.subscribe("t", AT_LEAST_ONCE);
        assertThat(text(client.receivePublish())).isEqualTo("retained");
        publishSafely("t", "before");

        client.send(new Subscribe(2, new TopicSubscription("t", AT_MOST_ONCE)));
        publishSafely("t", "after");

        assertThat(text(client.receivePublish())).isEqualTo("before");
        client.receive(SubAck.class);
        Publish again = client.receivePublish();
        assertThat(text(again)).isEqualTo("retained");
        assertThat(again.retain()).isTrue();
        Publish after = client.receivePublish();
        assertThat(text(after)).isEqualTo("after");
        assertThat(after.qos()).isEqualTo(AT_MOST_ONCE);
        client.expectNothing();
    }

    @ParameterizedTest
    @CsvSource({"0,0,0", "0,1,0", "0,2,0", "1,0,0", "1,1,1", "1,2,1", "2,0,0", "2,1,1", "2,2,2"})
    @Proves("MQTT311-3.8.4-6")
    void shouldDeliverAtTheLesserQos(int granted, int published, int delivered) {
        RawClient subscriber = connected("subscriber");
        assertThat(subscriber.subscribe("t", QualityOfService.of(granted)).reasonCodes())
                .singleElement()
                .matches(code -> code.number() == granted);

        connected("publisher").send(publish("t", QualityOfService.of(published), published == 0 ? 0 : 1, "x"));

        assertThat(subscriber.receivePublish().qos()).isEqualTo(QualityOfService.of(delivered));
    }

    @Test
    @Proves("MQTT311-3.3.5-1")
    void shouldDeliverAtTheGreatestQosOfOverlappingSubscriptions() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe(
                new TopicSubscription("a/#", AT_MOST_ONCE),
                new TopicSubscription("a/+", EXACTLY_ONCE),
                new TopicSubscription("a/b", AT_LEAST_ONCE));

        connected("publisher").send(publish("a/b", EXACTLY_ONCE, 1, "x"));

        assertThat(subscriber.receivePublish().qos()).isEqualTo(EXACTLY_ONCE);
        subscriber.expectNothing();
    }

    @Test
    @Proves({"MQTT311-3.10.4-4", "MQTT311-3.10.4-5", "MQTT311-3.10.4-6", "MQTT311-2.3.1-7"})
    void shouldAnswerUnsubscribeWithOneUnsubAck() {
        RawClient client = client();
        client.send(connect("client").build());
        read(client, 4);

        client.send(new Unsubscribe(258, "never", "subscribed"));

        assertThat(read(client, 4)).containsExactly(0xB0, 2, 1, 2);
        client.expectNothing();
    }

    @Test
    @Proves({"MQTT311-3.10.4-2", "MQTT311-3.10.4-6"})
    void shouldDeliverNothingNewAfterUnsubscribe() {
        RawClient client = connected("client");
        client.subscribe(new TopicSubscription("a", AT_LEAST_ONCE), new TopicSubscription("b", AT_LEAST_ONCE));

        client.send(new Unsubscribe(2, "a", "b"));
        client.receive(UnsubAck.class);
        publishSafely("a", "x");
        publishSafely("b", "x");

        client.expectNothing();
    }

    @Test
    @Proves({"MQTT311-3.10.4-1", "MQTT311-4.7.3-4"})
    void shouldCompareFiltersCharacterByCharacter() {
        RawClient client = connected("client");
        client.subscribe("a/+", AT_MOST_ONCE);

        client.send(new Unsubscribe(2, "a/b", "A/+", "a/+/", "a/#", "#"));
        client.receive(UnsubAck.class);
        publishSafely("a/b", "still");
        assertThat(text(client.receivePublish())).isEqualTo("still");

        client.send(new Unsubscribe(3, "a/+"));
        client.receive(UnsubAck.class);
        publishSafely("a/b", "no more");
        client.expectNothing();
    }

    @Test
    @Proves("MQTT311-3.10.4-3")
    void shouldCompleteWhatHasBegunAfterUnsubscribe() {
        RawClient client = resumed("client");
        client.subscribe("t", EXACTLY_ONCE);
        RawClient publisher = connected("publisher");
        publisher.send(publish("t", EXACTLY_ONCE, 1, "exactly once"), publish("t", AT_LEAST_ONCE, 2, "at least once"));
        int exactly = client.receivePublish().packetId();
        int atLeast = client.receivePublish().packetId();

        client.send(new Unsubscribe(2, "t"));
        client.receive(UnsubAck.class);
        client.send(new PubRec(exactly));
        assertThat(client.receive(PubRel.class).packetId()).isEqualTo(exactly);
        client.drop();

        RawClient again = resumed("client");
        assertThat(again.receive(PubRel.class).packetId()).isEqualTo(exactly);
        Publish resent = again.receivePublish();
        assertThat(text(resent)).isEqualTo("at least once");
        assertThat(resent.packetId()).isEqualTo(atLeast);
        again.send(new PubAck(atLeast));
        again.expectNothing();
    }

    @Test
    @Proves("MQTT311-3.12.4-1")
    void shouldAnswerEachPingReq() {
        RawClient client = connected("client");

        client.sendBytes(0xC0, 0, 0xC0, 0);

        assertThat(read(client, 4)).containsExactly(0xD0, 0, 0xD0, 0);
        client.expectNothing();
    }
}
