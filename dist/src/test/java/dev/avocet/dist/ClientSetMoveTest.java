package dev.avocet.dist;

import static dev.avocet.dist.fault.WireClient.MQTT_5;
import static dev.avocet.dist.fault.WireClient.PUBACK;
import static dev.avocet.dist.fault.WireClient.PUBCOMP;
import static dev.avocet.dist.fault.WireClient.PUBLISH;
import static dev.avocet.dist.fault.WireClient.PUBREC;
import static dev.avocet.dist.fault.WireClient.PUBREL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.Administered.Outcome;
import dev.avocet.dist.fault.WireClient;
import dev.avocet.dist.fault.WireClient.Received;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker as it is shipped: clients move to another broker with what waits for them and what is in flight, and a
 * kill of that broker changes nothing.
 */
@InTurn
@Timeout(240)
class ClientSetMoveTest {
    private static final int PATIENCE_MS = 60_000;
    private static final int MESSAGES = 20;

    @TempDir
    private Path directory;

    @Test
    void shouldMoveClientsWithoutLossOrDoubles() throws Exception {
        // given
        Path password = Files.writeString(directory.resolve("password"), "a long password\n");
        Path from = directory.resolve("from");
        Path to = directory.resolve("to");
        int released;
        try (Administered source = Administered.start(from, Map.of())) {
            int port = source.process().port();
            try (JMSContext jms = jms(port, "orders")) {
                jms.createDurableConsumer(jms.createTopic("move/#"), "all").close();
            }
            try (WireClient client = new WireClient(port, "move-1", MQTT_5)) {
                client.subscribe("move/1", 1);
                client.read();
            }
            try (WireClient client = new WireClient(port, "move-2", MQTT_5)) {
                client.subscribe("move/2", 2);
                client.read();
                publish(port);
                released = client.read().packetId();
                client.acknowledge(PUBREC, released);
                client.flush();
                assertThat(readPast(client, PUBLISH).type()).isEqualTo(PUBREL);
            }

            // when
            assertThat(export(source, password).output()).contains("Force");
            source.adminDoneHere(
                    "client-set",
                    "export",
                    "moved",
                    "--client-id",
                    "^move-|^jms:orders$",
                    "--force",
                    "--export-password-file",
                    password.toString());
            assertThat(source.adminDoneHere("client-set", "delete", "--client-id", "^move-|^jms:orders$"))
                    .isEqualTo("2 sessions, 1 durable JMS subscriptions and 0 retained messages are gone");
        }
        Files.createDirectories(to.resolve("export"));
        Files.copy(from.resolve("export/moved"), to.resolve("export/moved"));
        try (Administered target = Administered.start(to, Map.of())) {
            Path wrong = Files.writeString(directory.resolve("wrong"), "another password\n");
            Outcome refused =
                    target.adminHere("client-set", "import", "moved", "--export-password-file", wrong.toString());
            assertThat(refused.output()).contains("the password is wrong");
            assertThat(refused.exitCode()).isEqualTo(7);
            assertThat(target.adminDoneHere(
                            "client-set", "import", "moved", "--export-password-file", password.toString()))
                    .contains("Imported 3 sessions with 3 subscriptions");
        } // killed

        // then
        try (Administered target = Administered.start(to, Map.of())) {
            int port = target.process().port();
            try (WireClient client = new WireClient(port, "move-1", MQTT_5)) {
                assertThat(client.sessionPresent()).isTrue();
                assertThat(receive(client, MESSAGES)).containsExactlyElementsOf(numbers(0));
            }
            try (WireClient client = new WireClient(port, "move-2", MQTT_5)) {
                Received first = client.read();
                assertThat(first.type()).isEqualTo(PUBREL);
                assertThat(first.packetId()).isEqualTo(released);
                client.acknowledge(PUBCOMP, released);
                assertThat(receive(client, MESSAGES - 1)).containsExactlyElementsOf(numbers(1));
            }
            try (JMSContext jms = jms(port, "orders")) {
                var consumer = jms.createDurableConsumer(jms.createTopic("move/#"), "all");
                for (int i = 0; i < 2 * MESSAGES; i++) {
                    assertThat(number(consumer.receive(PATIENCE_MS))).isEqualTo(i / 2);
                }
                assertThat(consumer.receiveNoWait()).isNull();
            }
        }
    }

    /** Of a client that is connected. */
    private static Outcome export(Administered source, Path password) throws IOException {
        try (WireClient client = new WireClient(source.process().port(), "move-1", MQTT_5)) {
            client.flush();
            return source.adminHere(
                    "client-set",
                    "export",
                    "moved",
                    "--client-id",
                    "^move-",
                    "--export-password-file",
                    password.toString());
        }
    }

    private static void publish(int port) throws IOException {
        try (WireClient publisher = new WireClient(port, "publisher", MQTT_5)) {
            for (int i = 0; i < MESSAGES; i++) {
                publisher.publish("move/1", 1, false, 2 * i + 1, i);
                publisher.publish("move/2", 2, false, 2 * i + 2, i);
                publisher.flush();
                for (int answers = 0; answers < 2; answers++) {
                    assertThat(publisher.read().type()).isIn(PUBACK, PUBREC);
                }
                publisher.acknowledge(PUBREL, 2 * i + 2);
                publisher.flush();
                assertThat(publisher.read().type()).isEqualTo(PUBCOMP);
            }
        }
    }

    /** The numbers of the next messages, each of which is completed. */
    private static List<Integer> receive(WireClient client, int count) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (int completed = 0; completed < count; ) {
            client.flush();
            Received packet = client.read();
            if (packet.type() == PUBREL) {
                client.acknowledge(PUBCOMP, packet.packetId());
                completed++;
            } else {
                assertThat(packet.type()).isEqualTo(PUBLISH);
                numbers.add(packet.number());
                client.acknowledge(packet.qos() == 1 ? PUBACK : PUBREC, packet.packetId());
                completed += packet.qos() == 1 ? 1 : 0;
            }
        }
        client.flush();
        return numbers;
    }

    private static Received readPast(WireClient client, int type) throws IOException {
        Received packet;
        do {
            packet = client.read();
        } while (packet.type() == type);
        return packet;
    }

    private static List<Integer> numbers(int from) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = from; i < MESSAGES; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    private static int number(Message message) throws JMSException {
        byte[] body = message.getBody(byte[].class);
        return body[3];
    }

    private static JMSContext jms(int port, String clientId) {
        JMSContext context = new AvocetConnectionFactory("avocet://127.0.0.1:" + port).createContext();
        context.setClientID(clientId);
        return context;
    }
}
