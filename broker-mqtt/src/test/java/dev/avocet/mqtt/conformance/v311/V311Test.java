package dev.avocet.mqtt.conformance.v311;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectBuilder;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A broker for each test, and MQTT 3.1.1 clients that are closed behind it. */
abstract class V311Test {
    /** Where the flags stand in an encoded CONNECT packet of less than 128 bytes. */
    static final int CONNECT_FLAGS = 9;

    private final List<RawClient> clients = new ArrayList<>();
    TestBroker broker;

    @BeforeEach
    void startBroker() {
        broker = MqttTestBroker.start();
    }

    @AfterEach
    void closeEverything() {
        clients.forEach(RawClient::close);
        broker.close();
    }

    /** A client that has sent nothing yet. */
    RawClient client() {
        return client(ProtocolVersion.V3_1_1);
    }

    RawClient client(ProtocolVersion version) {
        RawClient client = new RawClient(broker.port(), version);
        clients.add(client);
        return client;
    }

    /** A connected client with a clean session. */
    RawClient connected(String clientId) {
        return connected(connect(clientId).build());
    }

    /** A connected client with clean session 0. */
    RawClient resumed(String clientId) {
        return connected(connect(clientId).cleanStart(false).build());
    }

    RawClient connected(Connect connect) {
        RawClient client = client(connect.version());
        assertAccepted(client.connect(connect));
        return client;
    }

    static void assertAccepted(ConnAck answer) {
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
    }

    static ConnectBuilder connect(String clientId) {
        return Connect.builder(clientId).version(ProtocolVersion.V3_1_1);
    }

    static ConnectWill will(String topic, QualityOfService qos, boolean retain) {
        return new ConnectWill(topic, utf8("gone"), qos, retain);
    }

    static Publish publish(String topic, QualityOfService qos, int packetId, String payload) {
        return new Publish(topic, qos, false, packetId, utf8(payload));
    }

    static Publish retained(String topic, QualityOfService qos, int packetId, String payload) {
        return new Publish(topic, qos, true, packetId, utf8(payload));
    }

    /** The same packet as a client sends it for the second time. */
    static Publish dup(Publish first) {
        return new Publish(
                true,
                first.qos(),
                first.retain(),
                first.topic(),
                first.packetId(),
                Publish.NO_ALIAS,
                Publish.NO_EXPIRY,
                first.properties(),
                List.of(),
                first.payload());
    }

    /** Publishes at QoS 1 and returns when the broker has the message. */
    void publishSafely(String topic, String payload) {
        publishSafely(publish(topic, QualityOfService.AT_LEAST_ONCE, 1, payload));
    }

    void publishSafely(Publish packet) {
        try (RawClient publisher = new RawClient(broker.port(), ProtocolVersion.V3_1_1)) {
            assertAccepted(publisher.connect(connect("safe-publisher").build()));
            publisher.send(packet);
            publisher.receive(PubAck.class);
        }
    }

    static String text(Publish packet) {
        return new String(packet.payload(), StandardCharsets.UTF_8);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes of a packet, for a test to spoil. */
    static byte[] bytes(Packet packet) {
        PacketWriter writer = new PacketWriter(64, 1 << 20);
        PacketEncoder.encode(ProtocolVersion.V3_1_1, packet, writer);
        return writer.toByteArray();
    }

    /** The next bytes as they are on the wire. The client must have received everything before. */
    static byte[] read(RawClient client, int count) {
        try {
            return client.socket().getInputStream().readNBytes(count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
