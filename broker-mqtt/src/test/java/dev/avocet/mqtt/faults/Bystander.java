package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.nio.ByteBuffer;

/** A client that has nothing to do with the trouble: it publishes, and receives what it publishes, all the time. */
final class Bystander implements AutoCloseable {
    private static final String TOPIC = "bystander/topic";

    private final RawClient client;
    private int count;

    Bystander(TestBroker broker) {
        client = RawClient.connected(broker.port(), "bystander");
        client.subscribe(TOPIC, QualityOfService.AT_LEAST_ONCE);
        shouldBeServed();
    }

    /** Publishes at QoS 1 and gets the acknowledgement and the message, and nothing else. */
    void shouldBeServed() {
        int packetId = 1 + count % 0xFFFF;
        byte[] payload = ByteBuffer.allocate(Integer.BYTES).putInt(count++).array();
        client.send(new Publish(TOPIC, QualityOfService.AT_LEAST_ONCE, false, packetId, payload));
        Publish received = null;
        for (int i = 0; i < 2; i++) {
            if (client.receive() instanceof Publish publish) {
                received = publish;
            }
        }
        assertThat(received).isNotNull();
        assertThat(received.payload()).isEqualTo(payload);
        client.send(new PubAck(received.packetId()));
    }

    @Override
    public void close() {
        client.close();
    }
}
