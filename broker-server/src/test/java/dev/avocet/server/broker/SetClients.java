package dev.avocet.server.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.server.scale.WireClient;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Clients of both protocols whose sessions outlive their connections. */
final class SetClients {
    static final QualityOfService QOS_1 = QualityOfService.AT_LEAST_ONCE;
    static final QualityOfService QOS_2 = QualityOfService.EXACTLY_ONCE;

    private SetClients() {}

    static WireClient connect(RunningBroker broker, String clientId, int receiveMaximum) throws IOException {
        WireClient client = new WireClient(broker.endpoints().get(0).getPort());
        ConnAck answer = client.connect(Connect.builder(clientId)
                .cleanStart(false)
                .sessionExpiryIntervalSeconds(100_000)
                .receiveMaximum(receiveMaximum)
                .build());
        assertThat(answer.reasonCode().isError()).isFalse();
        return client;
    }

    static void subscribe(WireClient client, String filter, QualityOfService qos) throws IOException {
        client.send(new Subscribe(1, new TopicSubscription(filter, qos)));
        client.receive(SubAck.class);
    }

    /** Completes the next deliveries at QoS 2, which come as they like. */
    static List<Publish> complete(WireClient client, int count) throws IOException {
        List<Publish> received = new ArrayList<>();
        for (int completed = 0; completed < count; ) {
            Packet packet = client.receive(Packet.class);
            if (packet instanceof Publish publish) {
                received.add(publish);
                client.send(new PubRec(publish.packetId()));
            } else {
                client.send(new PubComp(((PubRel) packet).packetId()));
                completed++;
            }
        }
        return received;
    }

    static void publish(RunningBroker broker, String topic, QualityOfService qos, int from, int to) throws IOException {
        try (WireClient publisher = connect(broker, "publisher", 10)) {
            for (int i = from; i < to; i++) {
                publisher.send(new Publish(topic, qos, false, i + 1, ("" + i).getBytes(UTF_8)));
                if (qos == QOS_2) {
                    publisher.receive(PubRec.class);
                    publisher.send(new PubRel(i + 1));
                    publisher.receive(PubComp.class);
                } else {
                    publisher.receive(PubAck.class);
                }
            }
        }
    }

    static void retain(RunningBroker broker, String topic, String text) throws IOException {
        try (WireClient publisher = connect(broker, "publisher", 10)) {
            publisher.send(new Publish(topic, QOS_1, true, 1, text.getBytes(UTF_8)));
            publisher.receive(PubAck.class);
        }
    }

    static JMSContext jms(RunningBroker broker, String clientId) {
        JMSContext context = new AvocetConnectionFactory(
                        "avocet://127.0.0.1:" + broker.endpoints().get(0).getPort())
                .createContext();
        if (clientId != null) {
            context.setClientID(clientId);
        }
        return context;
    }

    static String text(Publish publish) {
        return new String(publish.payload(), UTF_8);
    }
}
