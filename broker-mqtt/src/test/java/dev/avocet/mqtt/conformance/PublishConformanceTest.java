package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.testing.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PUBLISH towards the broker, and retained messages. */
class PublishConformanceTest extends ConformanceTest {
    @Test
    @Proves("MQTT-3.3.1-2")
    void shouldRefuseDupAtQosZero() {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x38).utf8("topic").bytes(0).toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @EnumSource(
            value = QualityOfService.class,
            names = {"AT_LEAST_ONCE", "EXACTLY_ONCE"})
    @Proves({"MQTT-3.3.1-3", "MQTT-4.3.2-2", "MQTT-4.3.3-2"})
    void shouldDeliverWithoutDupWhateverThePublisherSet(QualityOfService qos) {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, EXACTLY_ONCE);

        publishTo(client(), again(message(topic, qos, "text")));

        assertThat(subscriber.receivePublish().dup()).isFalse();
    }

    @Test
    @Proves("MQTT-3.3.1-4")
    void shouldRefuseQosThree() {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x36).utf8("topic").bytes(0, 1, 0).toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves({"MQTT-2.2.1-2", "MQTT-4.3.1-1"})
    void shouldWriteNoPacketIdentifierAtQosZero() throws IOException {
        RawClient subscriber = client();
        subscriber.subscribe("t", EXACTLY_ONCE);

        publish("t", AT_MOST_ONCE, "x");

        // QoS 0 without DUP and RETAIN, remaining length, topic name, no properties, payload
        assertThat(subscriber.socket().getInputStream().readNBytes(7)).containsExactly(0x30, 5, 0, 1, 't', 0, 'x');
    }

    @Test
    @Proves("MQTT-2.2.1-2")
    void shouldTakeWhatFollowsTheTopicForPropertiesAtQosZero() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, EXACTLY_ONCE);

        client().sendBytes(RawPacket.of(0x30).utf8(topic).bytes(0, 'h', 'i').toBytes());

        assertThat(text(subscriber.receivePublish())).isEqualTo("hi");
    }

    @Test
    @Proves({"MQTT-3.3.2-1", "MQTT-4.7.3-1"})
    void shouldRefuseAPublishWithoutTopicNameAndAlias() {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x30).utf8("").bytes(0).toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-3.3.2-1")
    void shouldRefuseATopicNameThatIsNotUtf8() {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x30).illFormedText().bytes(0).toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"#", "+", "a/#", "a/+/b", "a+b", "a#"})
    @Proves({"MQTT-3.3.2-2", "MQTT-4.7.0-1"})
    void shouldRefuseATopicNameWithAWildcard(String topic) {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x30).utf8(topic).bytes(0).toBytes());

        expectDisconnect(client, ReasonCode.TOPIC_NAME_INVALID);
    }

    @Test
    @Proves({"MQTT-3.3.4-1", "MQTT-2.2.1-5"})
    void shouldAnswerAsTheQualityOfServiceSays() {
        RawClient client = client();

        client.send(message("topic", AT_MOST_ONCE, "none"));
        client.expectNothing();

        client.send(withId(message("topic", AT_LEAST_ONCE, "one"), 41));
        assertThat(client.receive(PubAck.class).packetId()).isEqualTo(41);

        client.send(withId(message("topic", EXACTLY_ONCE, "two"), 42));
        assertThat(client.receive(PubRec.class).packetId()).isEqualTo(42);
        client.send(new PubRel(42));
        assertThat(client.receive(PubComp.class).packetId()).isEqualTo(42);
    }

    @Test
    @Proves({"MQTT-3.4.2-1", "MQTT-3.5.2-1"})
    void shouldSayThatNobodySubscribes() {
        RawClient client = client();

        client.send(message(fresh("topic"), AT_LEAST_ONCE, "unheard"));
        assertThat(client.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.NO_MATCHING_SUBSCRIBERS);

        client.send(message(fresh("topic"), EXACTLY_ONCE, "unheard"));
        assertThat(client.receive(PubRec.class).reasonCode()).isEqualTo(ReasonCode.NO_MATCHING_SUBSCRIBERS);
    }

    @Test
    @Proves({"MQTT-3.4.2-1", "MQTT-3.5.2-1"})
    void shouldRefuseReservedTopicsWithTheReason() {
        RawClient client = client();

        client.send(message("$SYS/topic", AT_LEAST_ONCE, "unwanted"));
        assertThat(client.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.TOPIC_NAME_INVALID);

        client.send(message("$SYS/topic", EXACTLY_ONCE, "unwanted"));
        assertThat(client.receive(PubRec.class).reasonCode()).isEqualTo(ReasonCode.TOPIC_NAME_INVALID);
    }

    @Test
    @Proves({"MQTT-3.3.1-5", "MQTT-3.3.1-9"})
    void shouldReplaceTheRetainedMessage() {
        String topic = fresh("topic");
        retain(topic, "old");
        retain(topic, "new");

        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_LEAST_ONCE);

        Publish retained = subscriber.receivePublish();
        assertThat(text(retained)).isEqualTo("new");
        assertThat(retained.retain()).isTrue();
        subscriber.expectNothing();
    }

    @Test
    @Proves({"MQTT-3.3.1-6", "MQTT-3.3.1-7"})
    void shouldForgetTheRetainedMessageAtAnEmptyOne() {
        String topic = fresh("topic");
        retain(topic, "old");
        RawClient present = client();
        present.subscribe(new TopicSubscription(topic, AT_LEAST_ONCE, false, true, RetainHandling.DO_NOT_SEND));

        retain(topic, "");

        Publish forwarded = present.receivePublish();
        assertThat(forwarded.payload()).isEmpty();
        assertThat(forwarded.retain()).isTrue();
        RawClient later = client();
        later.subscribe(topic, AT_LEAST_ONCE);
        later.expectNothing();
    }

    @Test
    @Proves("MQTT-3.3.1-8")
    void shouldLeaveTheRetainedMessageAloneWithoutTheFlag() {
        String topic = fresh("topic");
        retain(topic, "kept");
        publish(topic, AT_LEAST_ONCE, "passing");
        publish(topic, AT_LEAST_ONCE, "");

        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_LEAST_ONCE);

        assertThat(text(subscriber.receivePublish())).isEqualTo("kept");
        subscriber.expectNothing();
    }

    @ParameterizedTest
    @EnumSource(RetainHandling.class)
    @Proves({"MQTT-3.3.1-9", "MQTT-3.3.1-10", "MQTT-3.3.1-11", "MQTT-3.8.4-4"})
    void shouldSendRetainedMessagesAsTheSubscriptionSays(RetainHandling handling) {
        String topic = fresh("topic");
        retain(topic, "kept");
        RawClient subscriber = client();
        TopicSubscription subscription = new TopicSubscription(topic, AT_MOST_ONCE, false, false, handling);

        subscriber.subscribe(subscription);
        if (handling != RetainHandling.DO_NOT_SEND) {
            assertThat(text(subscriber.receivePublish())).isEqualTo("kept");
        }
        subscriber.expectNothing();

        subscriber.subscribe(subscription);
        if (handling == RetainHandling.SEND_AT_SUBSCRIBE) {
            assertThat(text(subscriber.receivePublish())).isEqualTo("kept");
        }
        subscriber.expectNothing();
    }

    @Test
    @Proves("MQTT-3.3.1-9")
    void shouldSendEveryRetainedMessageThatAWildcardMatches() {
        String root = fresh("root");
        retain(root, "root");
        retain(root + "/a", "a");
        retain(root + "/a/b", "b");
        retain(fresh("other"), "other");
        RawClient subscriber = client();

        subscriber.subscribe(root + "/#", AT_MOST_ONCE);

        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            texts.add(text(subscriber.receivePublish()));
        }
        assertThat(texts).containsExactlyInAnyOrder("root", "a", "b");
        subscriber.expectNothing();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Proves({"MQTT-3.3.1-12", "MQTT-3.3.1-13"})
    void shouldForwardTheRetainFlagOnlyWhereItIsWanted(boolean retain) {
        String topic = fresh("topic");
        RawClient plain = client();
        plain.subscribe(topic, AT_LEAST_ONCE);
        RawClient asPublished = client();
        asPublished.subscribe(
                new TopicSubscription(topic, AT_LEAST_ONCE, false, true, RetainHandling.SEND_AT_SUBSCRIBE));

        publishTo(client(), new Publish(topic, AT_LEAST_ONCE, retain, 1, utf8("text")));

        assertThat(plain.receivePublish().retain()).isFalse();
        assertThat(asPublished.receivePublish().retain()).isEqualTo(retain);
    }

    @Test
    @Proves("MQTT-3.3.1-12")
    void shouldMarkWhatWasRetainedAndNotWhatIsForwardedLater() {
        String topic = fresh("topic");
        retain(topic, "kept");
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_MOST_ONCE);
        assertThat(subscriber.receivePublish().retain()).isTrue();

        retain(topic, "fresh");

        Publish forwarded = subscriber.receivePublish();
        assertThat(text(forwarded)).isEqualTo("fresh");
        assertThat(forwarded.retain()).isFalse();
    }
}
