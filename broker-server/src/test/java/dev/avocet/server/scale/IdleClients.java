package dev.avocet.server.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Many clients that connect, perhaps subscribe, and then do nothing. */
final class IdleClients implements AutoCloseable {
    private static final int KEEP_ALIVE_SECONDS = 600;

    private final int port;
    private final List<WireClient> clients = new ArrayList<>();
    private int subscribed;

    IdleClients(int port) {
        this.port = port;
    }

    /** Connects more clients until there are this many. */
    void connectUpTo(int count) throws IOException {
        while (clients.size() < count) {
            Connect connect = Connect.builder(clientId(clients.size()))
                    .keepAliveSeconds(KEEP_ALIVE_SECONDS)
                    .build();
            WireClient client = new WireClient(port);
            clients.add(client);
            assertThat(client.connect(connect).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        }
    }

    /** Gives further clients a subscription of their own until this many have one. */
    void subscribeUpTo(int count) throws IOException {
        for (; subscribed < count; subscribed++) {
            String filter = "devices/" + clientId(subscribed) + "/commands";
            WireClient client = clients.get(subscribed);
            client.send(new Subscribe(1, new TopicSubscription(filter, QualityOfService.AT_LEAST_ONCE)));
            assertThat(client.receive(SubAck.class).reasonCodes()).containsExactly(ReasonCode.GRANTED_QOS_1);
        }
    }

    @Override
    public void close() throws IOException {
        for (WireClient client : clients) {
            client.close();
        }
    }

    private static String clientId(int number) {
        return "client-" + (100_000 + number);
    }
}
