package dev.avocet.mqtt.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.metrics.Counter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a client of MQTT 5 has to get right besides. */
abstract class Client5Scenarios extends ClientScenarios {
    private static final int NO_MATCHING_SUBSCRIBERS = 0x10;
    private static final int TOPIC_FILTER_INVALID = 0x8F;
    private static final int TOPIC_NAME_INVALID = 0x90;

    @Test
    void shouldPassUserPropertiesOn() {
        TestClient subscriber = connect(ClientOptions.clean("subscriber"));
        subscriber.subscribe("t", 2);
        Map<String, String> properties = Map.of("user.colour", "green", "user.size", "7");

        connect(ClientOptions.clean("publisher")).publish("t", 2, false, "x", properties);

        assertThat(subscriber.receive().properties()).isEqualTo(properties);
    }

    @Test
    void shouldAnswerARequest() {
        TestClient responder = connect(ClientOptions.clean("responder"));
        responder.subscribe("requests", 1);
        TestClient requester = connect(ClientOptions.clean("requester"));
        requester.subscribe("answers/requester", 1);
        requester.publish(
                "requests",
                1,
                false,
                "question",
                Map.of("responseTopic", "answers/requester", "correlationData", "c-42"));

        Received request = responder.receive();
        responder.publish(
                request.properties().get("responseTopic"),
                1,
                false,
                "answer",
                Map.of("correlationData", request.properties().get("correlationData")));

        assertThat(requester.receive())
                .isEqualTo(new Received("answers/requester", 1, false, "answer", Map.of("correlationData", "c-42")));
    }

    @Test
    void shouldUseTopicAliasesInBothDirections() {
        TestClient subscriber = connect(ClientOptions.clean("subscriber").with("topicAliasMaximum", 10));
        subscriber.subscribe("alias/#", 1);
        TestClient publisher = connect(ClientOptions.clean("publisher"));
        for (String topic : new String[] {"alias/one", "alias/two"}) {
            Map<String, String> alias = Map.of("topicAlias", topic.equals("alias/one") ? "1" : "2");
            publisher.publish(topic, 1, false, "first", alias);
            publisher.publish(setsAliasesItself() ? topic : "", 1, false, "second", alias);
        }

        for (String topic : new String[] {"alias/one", "alias/two"}) {
            assertThat(subscriber.receive()).isEqualTo(new Received(topic, 1, false, "first", Map.of()));
            assertThat(subscriber.receive()).isEqualTo(new Received(topic, 1, false, "second", Map.of()));
        }
    }

    /** True for a library that chooses topic aliases and has no call for it. */
    boolean setsAliasesItself() {
        return false;
    }

    @Test
    void shouldLoseItsSessionWhenItExpires() {
        ClientOptions minute = ClientOptions.persistent("client").with("sessionExpirySeconds", 60);
        reconnect(minute, false);
        broker.advance(Duration.ofSeconds(50));
        reconnect(minute, true);
        broker.advance(Duration.ofSeconds(70));
        reconnect(minute, false);
    }

    private void reconnect(ClientOptions options, boolean present) {
        TestClient client = connect(options);
        assertThat(client.sessionPresent()).isEqualTo(present);
        client.disconnect();
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);
    }

    @Test
    void shouldReceiveNoMoreAtATimeThanItWants() {
        TestClient subscriber = connect(ClientOptions.clean("subscriber").with("receiveMaximum", 1));
        subscriber.subscribe("t", 2);
        TestClient publisher = connect(ClientOptions.clean("publisher"));

        for (int i = 0; i < 20; i++) {
            publisher.publish("t", 1 + i % 2, "m" + i);
        }

        for (int i = 0; i < 20; i++) {
            assertThat(subscriber.receive().payload()).isEqualTo("m" + i);
        }
    }

    @Test
    void shouldHearReasonCodes() {
        TestClient client = connect(ClientOptions.clean("client"));

        assertThat(client.publish("nobody/listens", 1, "x")).isEqualTo(NO_MATCHING_SUBSCRIBERS);
        assertThat(client.publish("$broker/secret", 1, "x")).isEqualTo(TOPIC_NAME_INVALID);
        assertThat(client.publish("nobody/listens", 2, "x")).isEqualTo(hearsPubRec() ? NO_MATCHING_SUBSCRIBERS : 0);
        if (hearsPubRec()) {
            assertThat(client.publish("$broker/secret", 2, "x")).isEqualTo(TOPIC_NAME_INVALID);
        }
        // another one, as Paho for Java drops its connection after a PUBREC that refuses
        TestClient other = connect(ClientOptions.clean("other"));
        assertThat(other.subscribe("$broker/secret", 1)).isEqualTo(TOPIC_FILTER_INVALID);
        assertThat(broker.count(Counter.PROTOCOL_ERRORS)).isZero();
    }

    /** False for a library that does not pass on what PUBREC says. */
    boolean hearsPubRec() {
        return true;
    }
}
