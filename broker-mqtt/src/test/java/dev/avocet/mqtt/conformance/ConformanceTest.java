package dev.avocet.mqtt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectBuilder;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** One broker for a class of tests, and for each test clients and topics that no other test knows. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ConformanceTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    static final long NEVER_EXPIRES = 0xFFFF_FFFFL;

    private final List<RawClient> clients = new ArrayList<>();
    private int serial;
    private TestBroker broker;

    @BeforeAll
    void startBroker() {
        broker = newBroker();
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    @AfterEach
    void closeClients() {
        clients.forEach(RawClient::close);
        clients.clear();
        awaitConnected(0);
    }

    TestBroker newBroker() {
        return MqttTestBroker.start();
    }

    TestBroker broker() {
        return broker;
    }

    /** A client identifier, topic or share name that has not been used. */
    String fresh(String kind) {
        return kind + '-' + ++serial;
    }

    /** A client that has said nothing yet. */
    RawClient open() {
        RawClient client = new RawClient(broker.port(), ProtocolVersion.V5);
        clients.add(client);
        return client;
    }

    /** A connected client with a clean start. */
    RawClient client() {
        return connected(Connect.builder(fresh("client")));
    }

    RawClient connected(ConnectBuilder connect) {
        RawClient client = open();
        ConnAck answer = client.connect(connect.build());
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        return client;
    }

    /** A client whose session outlives its connection, with a clean start. */
    RawClient persistent(String clientId) {
        return connected(Connect.builder(clientId).sessionExpiryIntervalSeconds(NEVER_EXPIRES));
    }

    /** The same client again, on what it left behind. */
    RawClient resumed(String clientId) {
        RawClient client = open();
        ConnAck answer = client.connect(resuming(clientId).build());
        assertThat(answer.sessionPresent()).as("session present").isTrue();
        return client;
    }

    static ConnectBuilder resuming(String clientId) {
        return Connect.builder(clientId).cleanStart(false).sessionExpiryIntervalSeconds(NEVER_EXPIRES);
    }

    /** Says good-bye and waits until the broker has heard it. */
    void leave(RawClient client) {
        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        client.expectClosed();
    }

    /** Cuts the connection and waits until the broker has noticed. */
    void lose(RawClient client) {
        long connected = broker.count(Counter.SESSIONS_CONNECTED);
        try {
            client.socket().shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Packet last;
        do {
            last = client.receiveOrEnd(); // what was sent before is lost with the connection
        } while (last != null);
        awaitConnected(connected - 1);
    }

    private void awaitConnected(long count) {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (broker.count(Counter.SESSIONS_CONNECTED) != count) {
            assertThat(System.nanoTime())
                    .as("%d clients should be connected", count)
                    .isLessThan(deadlineNs);
            broker.settle();
        }
    }

    /** Publishes and waits until the broker has taken the message. */
    static void publishTo(RawClient publisher, Publish publish) {
        publisher.send(publish);
        switch (publish.qos()) {
            case AT_MOST_ONCE -> publisher.expectNothing();
            case AT_LEAST_ONCE ->
                assertThat(publisher.receive(PubAck.class).reasonCode().isError())
                        .isFalse();
            case EXACTLY_ONCE -> {
                assertThat(publisher.receive(PubRec.class).reasonCode().isError())
                        .isFalse();
                publisher.send(new PubRel(publish.packetId()));
                publisher.receive(PubComp.class);
            }
        }
    }

    void publish(String topic, QualityOfService qos, String text) {
        publishTo(client(), message(topic, qos, text));
    }

    void retain(String topic, String text) {
        publishTo(client(), new Publish(topic, QualityOfService.AT_LEAST_ONCE, true, 1, utf8(text)));
    }

    /** A PUBLISH; its packet identifier is 1 above QoS 0. */
    static Publish message(String topic, QualityOfService qos, String text) {
        return new Publish(topic, qos, false, qos == QualityOfService.AT_MOST_ONCE ? 0 : 1, utf8(text));
    }

    static Publish withId(Publish publish, int packetId) {
        return new Publish(
                publish.dup(),
                publish.qos(),
                publish.retain(),
                publish.topic(),
                packetId,
                publish.topicAlias(),
                publish.messageExpiryIntervalSeconds(),
                publish.properties(),
                publish.subscriptionIdentifiers(),
                publish.payload());
    }

    static Publish again(Publish publish) {
        return new Publish(
                true,
                publish.qos(),
                publish.retain(),
                publish.topic(),
                publish.packetId(),
                publish.topicAlias(),
                publish.messageExpiryIntervalSeconds(),
                publish.properties(),
                publish.subscriptionIdentifiers(),
                publish.payload());
    }

    static Publish expiring(Publish publish, long seconds) {
        return new Publish(
                publish.dup(),
                publish.qos(),
                publish.retain(),
                publish.topic(),
                publish.packetId(),
                publish.topicAlias(),
                seconds,
                publish.properties(),
                publish.subscriptionIdentifiers(),
                publish.payload());
    }

    static Publish aliased(Publish publish, String topic, int alias) {
        return new Publish(
                publish.dup(),
                publish.qos(),
                publish.retain(),
                topic,
                publish.packetId(),
                alias,
                publish.messageExpiryIntervalSeconds(),
                publish.properties(),
                publish.subscriptionIdentifiers(),
                publish.payload());
    }

    static void expectDisconnect(RawClient client, ReasonCode reason) {
        assertThat(client.receive(Disconnect.class).reasonCode()).isEqualTo(reason);
        client.expectClosed();
    }

    static void expectRefusal(RawClient client, ReasonCode reason) {
        ConnAck answer = client.receive(ConnAck.class);
        assertThat(answer.reasonCode()).isEqualTo(reason);
        assertThat(answer.sessionPresent()).isFalse();
        client.expectClosed();
    }

    static String text(Publish publish) {
        return new String(publish.payload(), StandardCharsets.UTF_8);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
