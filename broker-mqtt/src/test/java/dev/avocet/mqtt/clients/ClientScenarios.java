package dev.avocet.mqtt.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.frontend.WebSocketOptions;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.testkit.FaultyNetwork;
import dev.avocet.testkit.TestBroker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every client has to get right with the broker, in any version of MQTT. */
abstract class ClientScenarios {
    private final List<TestClient> clients = new ArrayList<>();
    TestBroker broker;

    @BeforeEach
    void startBroker() {
        broker = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT))
                .and(MqttTestBroker.webSocket(WebSocketOptions.DEFAULT))
                .loops(2)
                .start();
    }

    @AfterEach
    void closeEverything() {
        clients.forEach(TestClient::close);
        broker.close();
    }

    /** Connects a client of the kind under test. */
    abstract TestClient open(int port, ClientOptions options);

    TestClient connect(ClientOptions options) {
        return connect(broker.port(), options);
    }

    private TestClient connect(int port, ClientOptions options) {
        TestClient client = open(port, options);
        clients.add(client);
        return client;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldDeliverAtEachQualityOfService(int qos) {
        TestClient subscriber = connect(ClientOptions.clean("subscriber"));
        TestClient publisher = connect(ClientOptions.clean("publisher"));
        assertThat(subscriber.subscribe("sensors/+/temperature", qos)).isEqualTo(qos);

        for (int i = 0; i < 20; i++) {
            assertThat(publisher.publish("sensors/kitchen/temperature", qos, "m" + i))
                    .isZero();
        }

        for (int i = 0; i < 20; i++) {
            assertThat(subscriber.receive())
                    .isEqualTo(new Received("sensors/kitchen/temperature", qos, false, "m" + i, Map.of()));
        }
        assertThat(subscriber.isIdle()).isTrue();
    }

    @Test
    void shouldGetRetainedMessages() {
        TestClient publisher = connect(ClientOptions.clean("publisher"));
        publisher.publish("state", 1, true, "old", Map.of());
        publisher.publish("state", 1, true, "new", Map.of());
        TestClient subscriber = connect(ClientOptions.clean("subscriber"));

        subscriber.subscribe("state", 1);

        assertThat(subscriber.receive()).isEqualTo(new Received("state", 1, true, "new", Map.of()));
    }

    @Test
    void shouldPublishTheWillOfAClientThatIsCutOff() {
        TestClient watcher = connect(ClientOptions.clean("watcher"));
        watcher.subscribe("wills/#", 1);
        try (FaultyNetwork network = FaultyNetwork.to(broker.port())) {
            connect(network.port(), ClientOptions.clean("mortal").withWill("wills/mortal"));

            network.cut();

            assertThat(watcher.receive()).isEqualTo(new Received("wills/mortal", 1, false, "gone", Map.of()));
        }
    }

    @Test
    void shouldForgetTheWillOfAClientThatDisconnects() {
        TestClient client = connect(ClientOptions.clean("polite").withWill("wills/polite"));

        client.disconnect();

        broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);
        assertThat(broker.count(Counter.WILLS_PUBLISHED)).isZero();
    }

    @Test
    void shouldGetWhatCameWhileItWasAway() {
        TestClient first = connect(ClientOptions.persistent("traveller"));
        assertThat(first.sessionPresent()).isFalse();
        first.subscribe("news/#", 2);
        first.disconnect();
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);
        TestClient publisher = connect(ClientOptions.clean("publisher"));
        publisher.publish("news/1", 1, "one");
        publisher.publish("news/2", 2, "two");

        TestClient second = connect(ClientOptions.persistent("traveller"));

        assertThat(second.sessionPresent()).isEqualTo(hearsSessionPresent());
        assertThat(second.receive()).isEqualTo(new Received("news/1", 1, false, "one", Map.of()));
        assertThat(second.receive()).isEqualTo(new Received("news/2", 2, false, "two", Map.of()));
        publisher.publish("news/3", 1, "three");
        assertThat(second.receive().payload()).isEqualTo("three");
    }

    /** False in MQTT 3.1, where CONNACK does not say it, and where a library keeps it to itself. */
    boolean hearsSessionPresent() {
        return true;
    }

    @Test
    void shouldShareASubscription() {
        TestClient one = connect(ClientOptions.clean("worker-1"));
        TestClient other = connect(ClientOptions.clean("worker-2"));
        one.subscribe("$share/workers/jobs/#", 1);
        other.subscribe("$share/workers/jobs/#", 1);
        TestClient watcher = connect(ClientOptions.clean("watcher"));
        watcher.subscribe("jobs/#", 1);
        TestClient publisher = connect(ClientOptions.clean("publisher"));

        Set<String> sent = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            publisher.publish("jobs/" + i, 1, "job-" + i);
            sent.add("job-" + i);
        }

        broker.awaitCount(Counter.MESSAGES_DELIVERED, 100);
        Set<String> watched = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            watched.add(watcher.receive().payload());
        }
        assertThat(watched).isEqualTo(sent);
        assertThat(takeShared(one, other)).isEqualTo(sent);
        assertThat(one.isIdle() && other.isIdle()).isTrue();
    }

    private static Set<String> takeShared(TestClient one, TestClient other) {
        List<String> shared = new ArrayList<>();
        while (shared.size() < 50) {
            await().until(() -> !(one.isIdle() && other.isIdle())); // a client hands over later than the broker counts
            shared.add((one.isIdle() ? other : one).receive().payload());
        }
        assertThat(shared).doesNotHaveDuplicates();
        return new HashSet<>(shared);
    }
}
