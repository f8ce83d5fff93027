package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectBuilder;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.testing.RawClient;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wills: when they are published, and as what. */
class WillConformanceTest extends ConformanceTest {
    private String topic = "";
    private RawClient watcher;

    @BeforeEach
    void watch() {
        topic = fresh("will");
        watcher = client();
        watcher.subscribe(new TopicSubscription(topic, EXACTLY_ONCE, false, true, RetainHandling.SEND_AT_SUBSCRIBE));
    }

    @Test
    @Proves({"MQTT-3.1.2-7", "MQTT-3.1.2-8", "MQTT-3.1.2-14"})
    void shouldPublishWhenTheConnectionIsLost() {
        RawClient client = connected(withWill(fresh("client"), 0));
        watcher.expectNothing();

        lose(client);

        Publish will = watcher.receivePublish();
        assertThat(text(will)).isEqualTo("gone");
        assertThat(will.qos()).isEqualTo(EXACTLY_ONCE);
        assertThat(will.retain()).isFalse();
        watcher.expectNothing();
        assertNotRetained();
    }

    @Test
    @Proves({"MQTT-3.1.2-8", "MQTT-3.1.2-10"})
    void shouldPublishOnce() {
        String id = fresh("client");
        RawClient client = connected(withWill(id, 0).sessionExpiryIntervalSeconds(NEVER_EXPIRES));
        lose(client);
        watcher.receivePublish();

        lose(resumed(id));

        watcher.expectNothing();
    }

    @Test
    @Proves("MQTT-3.1.2-15")
    void shouldRetainAWillThatIsToBeRetained() {
        RawClient client = connected(
                Connect.builder(fresh("client")).will(new ConnectWill(topic, utf8("gone"), AT_LEAST_ONCE, true)));

        lose(client);

        assertThat(watcher.receivePublish().retain()).isTrue();
        RawClient later = client();
        later.subscribe(topic, AT_MOST_ONCE);
        Publish retained = later.receivePublish();
        assertThat(text(retained)).isEqualTo("gone");
        assertThat(retained.retain()).isTrue();
    }

    @Test
    @Proves({"MQTT-3.14.4-3", "MQTT-3.1.2-8", "MQTT-3.1.2-10"})
    void shouldDiscardTheWillOnANormalDisconnect() {
        String id = fresh("client");
        RawClient client = connected(withWill(id, 5).sessionExpiryIntervalSeconds(60));

        leave(client);
        broker().advance(Duration.ofSeconds(61));

        watcher.expectNothing();
    }

    @ParameterizedTest
    @EnumSource(
            value = ReasonCode.class,
            names = {"DISCONNECT_WITH_WILL_MESSAGE", "UNSPECIFIED_ERROR"})
    @Proves("MQTT-3.1.2-8")
    void shouldPublishAfterAnyOtherDisconnect(ReasonCode reason) {
        RawClient client = connected(withWill(fresh("client"), 0));

        client.send(new Disconnect(reason));
        client.expectClosed();

        watcher.receivePublish();
    }

    @Test
    @Proves("MQTT-3.1.2-8")
    void shouldPublishAfterAProtocolError() {
        RawClient client = connected(withWill(fresh("client"), 0));

        client.send(Connect.builder("second").build());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
        watcher.receivePublish();
    }

    @Test
    @Proves("MQTT-3.1.2-8")
    void shouldPublishWhenTheDelayHasPassed() {
        RawClient client = connected(withWill(fresh("client"), 5).sessionExpiryIntervalSeconds(60));
        lose(client);
        broker().advance(Duration.ofMillis(4900));
        watcher.expectNothing();

        broker().advance(Duration.ofMillis(200));

        watcher.receivePublish();
        broker().advance(Duration.ofSeconds(60));
        watcher.expectNothing();
    }

    @Test
    @Proves("MQTT-3.1.2-8")
    void shouldPublishWhenTheSessionEndsBeforeTheDelay() {
        RawClient client = connected(withWill(fresh("client"), 60).sessionExpiryIntervalSeconds(5));
        lose(client);
        watcher.expectNothing();

        broker().advance(Duration.ofSeconds(6));

        watcher.receivePublish();
    }

    @Test
    @Proves("MQTT-3.1.3-9")
    void shouldNotPublishWhenTheClientIsBackInTime() {
        String id = fresh("client");
        RawClient client = connected(withWill(id, 5).sessionExpiryIntervalSeconds(60));
        lose(client);
        broker().advance(Duration.ofSeconds(3));

        resumed(id);
        broker().advance(Duration.ofSeconds(60));

        watcher.expectNothing();
    }

    @Test
    @Proves("MQTT-3.1.3-9")
    void shouldNotPublishADelayedWillWhenTheClientTakesItsSessionOver() {
        String id = fresh("client");
        connected(withWill(id, 5).sessionExpiryIntervalSeconds(60));

        resumed(id);
        broker().advance(Duration.ofSeconds(60));

        watcher.expectNothing();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Proves({"MQTT-3.1.2-8", "MQTT-3.1.4-3"})
    void shouldPublishWhenTheClientIsTakenOverAndNothingHoldsTheWillBack(boolean cleanStart) {
        String id = fresh("client");
        connected(withWill(id, cleanStart ? 5 : 0).sessionExpiryIntervalSeconds(60));

        connected(Connect.builder(id).cleanStart(cleanStart).sessionExpiryIntervalSeconds(60));

        watcher.receivePublish();
        broker().advance(Duration.ofSeconds(60));
        watcher.expectNothing();
    }

    @Test
    @Proves("MQTT-3.1.2-8")
    void shouldPublishWhenTheKeepAliveIsOver() {
        RawClient client = connected(withWill(fresh("client"), 0).keepAliveSeconds(10));

        broker().advance(Duration.ofSeconds(16));

        expectDisconnect(client, ReasonCode.KEEP_ALIVE_TIMEOUT);
        watcher.receivePublish();
    }

    @Test
    @Proves({"MQTT-3.1.3-10", "MQTT-3.3.2-18", "MQTT-3.3.2-20"})
    void shouldPublishTheWillWithItsPropertiesInTheirOrder() {
        var properties = MqttMessageProperties.builder()
                .payloadText(true)
                .contentType("text/plain")
                .responseTopic("answers")
                .correlationData(new byte[] {1, 2})
                .userProperty("b", "1")
                .userProperty("a", "2")
                .userProperty("b", "3")
                .build();
        RawClient client = connected(Connect.builder(fresh("client"))
                .will(new ConnectWill(topic, utf8("gone"), AT_LEAST_ONCE, false)
                        .withProperties(properties)
                        .withMessageExpiryIntervalSeconds(30)));

        lose(client);

        Publish will = watcher.receivePublish();
        assertThat(will.properties()).isEqualTo(properties);
        assertThat(will.messageExpiryIntervalSeconds()).isEqualTo(30);
    }

    @Test
    @Proves("MQTT-3.3.2-5")
    void shouldCountTheExpiryOfAWillFromItsPublication() {
        String id = fresh("client");
        RawClient subscriber = persistent(id);
        subscriber.subscribe(topic, AT_LEAST_ONCE);
        lose(subscriber);
        RawClient client = connected(Connect.builder(fresh("client"))
                .sessionExpiryIntervalSeconds(60)
                .will(new ConnectWill(topic, utf8("gone"), AT_LEAST_ONCE, false)
                        .withDelayIntervalSeconds(20)
                        .withMessageExpiryIntervalSeconds(10)));
        lose(client);

        broker().advance(Duration.ofSeconds(20));
        broker().advance(Duration.ofSeconds(4));

        assertThat(resumed(id).receivePublish().messageExpiryIntervalSeconds()).isEqualTo(6);
    }

    private ConnectBuilder withWill(String id, long delaySeconds) {
        return Connect.builder(id)
                .will(new ConnectWill(topic, utf8("gone"), EXACTLY_ONCE, false).withDelayIntervalSeconds(delaySeconds));
    }

    private void assertNotRetained() {
        RawClient later = client();
        later.subscribe(topic, AT_MOST_ONCE);
        later.expectNothing();
    }
}
