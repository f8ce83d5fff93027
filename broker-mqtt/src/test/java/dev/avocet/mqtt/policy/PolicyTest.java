package dev.avocet.mqtt.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectBuilder;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.PolicyFixture;
import dev.avocet.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A broker for each test, whose endpoint gets policies, and clients that are closed behind it. */
abstract class PolicyTest {
    private final List<RawClient> clients = new ArrayList<>();
    TestBroker broker;

    @BeforeEach
    void startBroker() {
        broker = newBroker();
    }

    TestBroker newBroker() {
        return MqttTestBroker.start();
    }

    @AfterEach
    void closeEverything() {
        clients.forEach(RawClient::close);
        broker.close();
    }

    /** What the wiring does when the configuration has changed. */
    void apply(PolicyFixture fixture) {
        Configuration configuration = fixture.configuration();
        broker.policies().apply(configuration, PolicyFixture.ENDPOINT);
        broker.broker().applyPolicies(configuration);
        broker.broker().administered().apply(configuration);
        broker.settle();
    }

    /** A topic policy for every client. */
    static PolicyFixture topics(String name, String pattern, String actions, Object... more) {
        return addTopics(new PolicyFixture(), name, pattern, actions, more);
    }

    static PolicyFixture addTopics(PolicyFixture fixture, String name, String pattern, String actions, Object... more) {
        Map<String, Object> properties =
                new HashMap<>(Map.of("ClientID", "*", "Topic", pattern, "ActionList", actions));
        for (int i = 0; i < more.length; i += 2) {
            properties.put((String) more[i], more[i + 1]);
        }
        return fixture.topic(name, properties);
    }

    /** Everything is allowed, to clients of this kind. */
    static PolicyFixture connections(Object... properties) {
        Map<String, Object> policy = new HashMap<>(Map.of("ClientID", "*"));
        for (int i = 0; i < properties.length; i += 2) {
            policy.put((String) properties[i], properties[i + 1]);
        }
        return topics("everything", "*", "Publish,Subscribe").connection("connections", policy);
    }

    RawClient open(ProtocolVersion version) {
        RawClient client = new RawClient(broker.port(), version);
        clients.add(client);
        return client;
    }

    RawClient connected(ProtocolVersion version, String clientId) {
        return connected(connect(version, clientId));
    }

    RawClient connected(ConnectBuilder builder) {
        Connect connect = builder.build();
        RawClient client = open(connect.version());
        assertThat(client.connect(connect).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        return client;
    }

    static ConnectBuilder connect(ProtocolVersion version, String clientId) {
        return Connect.builder(clientId).version(version);
    }

    /** With a session that outlives the connection. */
    static ConnectBuilder durable(ProtocolVersion version, String clientId) {
        ConnectBuilder builder = connect(version, clientId).cleanStart(false);
        return version == ProtocolVersion.V5 ? builder.sessionExpiryIntervalSeconds(1_000) : builder;
    }

    static Publish publish(String topic, QualityOfService qos, int packetId) {
        return new Publish(topic, qos, false, packetId, "x".getBytes(StandardCharsets.UTF_8));
    }
}
