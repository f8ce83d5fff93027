package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.RawClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What travels with a message, and for how long. */
class PropertiesConformanceTest extends ConformanceTest {
    @ParameterizedTest
    @EnumSource(QualityOfService.class)
    @Proves({"MQTT-3.3.2-4", "MQTT-3.3.2-15", "MQTT-3.3.2-16", "MQTT-3.3.2-17", "MQTT-3.3.2-18", "MQTT-3.3.2-20"})
    void shouldForwardThePropertiesUnaltered(QualityOfService qos) {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, EXACTLY_ONCE);
        MessageProperties properties = MqttMessageProperties.builder()
                .payloadText(true)
                .contentType("text/plain; charset=utf-8")
                .responseTopic("answers/to me")
                .correlationData(new byte[] {0, 1, (byte) 0xFF})
                .userProperty("same", "2")
                .userProperty("other", "")
                .userProperty("same", "1")
                .userProperty("same", "2")
                .build();

        publishTo(client(), with(message(topic, qos, "text"), properties));

        MessageProperties received = subscriber.receivePublish().properties();
        assertThat(received.isPayloadText()).isTrue();
        assertThat(received.contentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(received.responseTopic()).isEqualTo("answers/to me");
        assertThat(received.correlationData()).containsExactly(0, 1, 0xFF);
        assertThat(received.userProperties())
                .containsExactly(
                        new UserProperty("same", "2"),
                        new UserProperty("other", ""),
                        new UserProperty("same", "1"),
                        new UserProperty("same", "2"));
    }

    @Test
    @Proves({"MQTT-3.3.2-4", "MQTT-3.3.2-17"})
    void shouldKeepThePropertiesOfARetainedMessage() {
        String topic = fresh("topic");
        MessageProperties properties = MqttMessageProperties.builder()
                .payloadText(true)
                .userProperty("a", "b")
                .build();
        publishTo(client(), with(new Publish(topic, AT_LEAST_ONCE, true, 1, utf8("kept")), properties));

        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_LEAST_ONCE);

        assertThat(subscriber.receivePublish().properties()).isEqualTo(properties);
    }

    @ParameterizedTest
    @ValueSource(strings = {"answers/#", "answers/+", "+", "a+b"})
    @Proves("MQTT-3.3.2-14")
    void shouldRefuseAResponseTopicWithAWildcard(String responseTopic) {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x30)
                .utf8("topic")
                .bytes(3 + responseTopic.length(), 0x08)
                .utf8(responseTopic)
                .toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x08, 0x03})
    @Proves({"MQTT-3.3.2-13", "MQTT-3.3.2-19"})
    void shouldRefuseTextThatIsNotUtf8(int property) {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x30)
                .utf8("topic")
                .bytes(5, property)
                .illFormedText()
                .toBytes());

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-3.3.2-4")
    void shouldRefuseAPayloadThatIsNotTheTextItClaimsToBe() {
        RawClient client = client();

        client.sendBytes(
                RawPacket.of(0x30).utf8("topic").bytes(2, 0x01, 1, 0xC3, 0x28).toBytes());

        expectDisconnect(client, ReasonCode.PAYLOAD_FORMAT_INVALID);
    }

    @Test
    @Proves("MQTT-3.3.2-6")
    void shouldLowerTheExpiryIntervalByTheTimeThatAMessageHasWaited() {
        String topic = fresh("topic");
        String id = fresh("client");
        RawClient before = persistent(id);
        before.subscribe(topic, AT_LEAST_ONCE);
        lose(before);
        publishTo(client(), expiring(message(topic, AT_LEAST_ONCE, "text"), 100));

        broker().advance(Duration.ofSeconds(30));

        assertThat(resumed(id).receivePublish().messageExpiryIntervalSeconds()).isEqualTo(70);
    }

    @Test
    @Proves("MQTT-3.3.2-6")
    void shouldLowerTheExpiryIntervalOfARetainedMessage() {
        String topic = fresh("topic");
        publishTo(client(), expiring(new Publish(topic, AT_LEAST_ONCE, true, 1, utf8("kept")), 100));
        broker().advance(Duration.ofSeconds(30));
        RawClient first = client();
        first.subscribe(topic, AT_LEAST_ONCE);
        assertThat(first.receivePublish().messageExpiryIntervalSeconds()).isEqualTo(70);

        broker().advance(Duration.ofSeconds(30));

        RawClient second = client();
        second.subscribe(topic, AT_MOST_ONCE);
        assertThat(second.receivePublish().messageExpiryIntervalSeconds()).isEqualTo(40);
    }

    @Test
    @Proves("MQTT-3.3.2-6")
    void shouldForwardTheExpiryIntervalAsItCameWhenNothingWaits() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_MOST_ONCE);

        publishTo(client(), expiring(message(topic, AT_MOST_ONCE, "text"), 4_294_967_295L));
        publishTo(client(), message(topic, AT_MOST_ONCE, "text"));

        assertThat(subscriber.receivePublish().messageExpiryIntervalSeconds()).isEqualTo(4_294_967_295L);
        assertThat(subscriber.receivePublish().messageExpiryIntervalSeconds()).isEqualTo(Publish.NO_EXPIRY);
    }

    @Test
    @Proves("MQTT-3.3.2-5")
    void shouldDeleteTheCopyThatHasExpiredBeforeItsDelivery() {
        String topic = fresh("topic");
        String id = fresh("client");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        lose(before);
        publishTo(client(), expiring(message(topic, AT_LEAST_ONCE, "short"), 10));
        publishTo(client(), expiring(message(topic, EXACTLY_ONCE, "long"), 100));

        broker().advance(Duration.ofSeconds(11));

        RawClient after = resumed(id);
        assertThat(text(after.receivePublish())).isEqualTo("long");
        after.expectNothing();
    }

    @Test
    @Proves("MQTT-3.3.2-5")
    void shouldDeleteWhatExpiresBehindAFullWindow() {
        String topic = fresh("topic");
        RawClient subscriber = connected(Connect.builder(fresh("client")).receiveMaximum(1));
        subscriber.subscribe(topic, AT_LEAST_ONCE);
        publish(topic, AT_LEAST_ONCE, "first");
        publishTo(client(), expiring(message(topic, AT_LEAST_ONCE, "short"), 10));
        publish(topic, AT_LEAST_ONCE, "last");
        int packetId = subscriber.receivePublish().packetId();

        broker().advance(Duration.ofSeconds(11));
        subscriber.send(new PubAck(packetId));

        assertThat(text(subscriber.receivePublish())).isEqualTo("last");
    }

    @Test
    @Proves("MQTT-3.3.2-5")
    void shouldSendNoRetainedMessageThatHasExpired() {
        String topic = fresh("topic");
        publishTo(client(), expiring(new Publish(topic, AT_LEAST_ONCE, true, 1, utf8("kept")), 10));

        broker().advance(Duration.ofSeconds(11));

        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_LEAST_ONCE);
        subscriber.expectNothing();
    }

    @Test
    @Proves("MQTT-3.1.2-29")
    void shouldExplainNothingToAClientThatDoesNotWantToKnow() {
        RawClient client = connected(Connect.builder(fresh("client")).requestProblemInformation(false));
        String topic = fresh("topic");

        SubAck subscribed = client.subscribe("not/#/valid", AT_MOST_ONCE);
        assertThat(subscribed.reasonString()).isNull();
        assertThat(subscribed.userProperties()).isEmpty();
        client.send(new Unsubscribe(2, "never"));
        assertThat(client.receive(UnsubAck.class).reasonString()).isNull();
        client.send(message("$SYS/refused", AT_LEAST_ONCE, ""));
        assertThat(client.receive(PubAck.class).reasonString()).isNull();
        client.send(message("$SYS/refused", EXACTLY_ONCE, ""));
        assertThat(client.receive(PubRec.class).reasonString()).isNull();
        client.send(new PubRel(77));
        assertThat(client.receive(PubComp.class).reasonString()).isNull();
        client.send(new PubRec(78));
        assertThat(client.receive(PubRel.class).reasonString()).isNull();

        // the properties of messages are none of this
        client.subscribe(topic, AT_MOST_ONCE);
        publishTo(
                client(),
                with(
                        message(topic, AT_MOST_ONCE, ""),
                        MqttMessageProperties.builder().userProperty("a", "b").build()));
        assertThat(client.receivePublish().properties().userProperties()).containsExactly(new UserProperty("a", "b"));
    }

    private static Publish with(Publish publish, MessageProperties properties) {
        return new Publish(
                publish.dup(),
                publish.qos(),
                publish.retain(),
                publish.topic(),
                publish.packetId(),
                publish.topicAlias(),
                publish.messageExpiryIntervalSeconds(),
                properties,
                publish.subscriptionIdentifiers(),
                publish.payload());
    }
}
