package dev.avocet.server.broker;

import static dev.avocet.server.broker.SetClients.QOS_1;
import static dev.avocet.server.broker.SetClients.connect;
import static dev.avocet.server.broker.SetClients.subscribe;
import static dev.avocet.server.broker.SetClients.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.server.scale.WireClient;
import dev.avocet.server.transfer.TransferStatus.State;
import dev.avocet.testkit.LivingFiles;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker takes sessions in while others of its messages come and go so fast that segments of its journal are
 * emptied, moved and deleted all the time: nothing is lost, and nothing comes twice.
 */
@InTurn
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ImportBesideReclaimTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SETS = 4;
    private static final int CLIENTS = 4;
    private static final int MESSAGES = 150;
    private static final int TOGETHER = 50;
    private static final String PADDING = "x".repeat(2_000);

    @TempDir
    private Path directory;

    @Test
    void shouldLoseNothingWhileSegmentsAreReclaimed() throws Exception {
        try (TransferPair pair = new TransferPair(directory)) {
            // given
            fillSource(pair);
            Set<String> gone = new HashSet<>();
            int staying;

            // when
            try (Churn churn = new Churn(pair.target())) {
                for (int set = 0; set < SETS; set++) {
                    Set<String> before = segments(pair.storeOfTarget());
                    pair.file(directory.resolve("set-" + set));
                    assertThat(pair.imported(TransferPair.PASSWORD).state()).isEqualTo(State.COMPLETED);
                    await().atMost(PATIENCE).until(() -> {
                        churn.expectGoing();
                        before.removeAll(segments(pair.storeOfTarget()));
                        return !before.isEmpty();
                    });
                    gone.addAll(before);
                }
                staying = churn.stop();
            }
            assertThat(gone).hasSizeGreaterThanOrEqualTo(SETS);
            pair.restartTarget();

            // then
            for (int client = 0; client < SETS * CLIENTS; client++) {
                try (WireClient reader = connect(pair.target(), clientId(client), TOGETHER)) {
                    expect(reader, MESSAGES, clientId(client) + " ");
                }
            }
            try (WireClient reader = connect(pair.target(), "staying", TOGETHER)) {
                expect(reader, staying, "");
            }
        }
    }

    private void fillSource(TransferPair pair) throws IOException {
        try (WireClient publisher = connect(pair.source(), "publisher", 10)) {
            for (int client = 0; client < SETS * CLIENTS; client++) {
                try (WireClient reader = connect(pair.source(), clientId(client), 10)) {
                    subscribe(reader, clientId(client), QOS_1);
                    reader.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
                }
                for (int from = 0; from < MESSAGES; from += TOGETHER) {
                    List<String> texts = new ArrayList<>();
                    for (int i = from; i < from + TOGETHER; i++) {
                        texts.add(clientId(client) + " " + i + " " + PADDING);
                    }
                    publish(publisher, clientId(client), texts);
                }
            }
        }
        for (int set = 0; set < SETS; set++) {
            pair.file(directory.resolve("set-" + set));
            assertThat(pair.export("^c" + set + "-", "", true).state()).isEqualTo(State.COMPLETED);
        }
    }

    private static String clientId(int client) {
        return "c" + client / CLIENTS + "-" + client % CLIENTS;
    }

    /** Publishes messages and waits until the broker has all of them. */
    private static void publish(WireClient publisher, String topic, List<String> texts) throws IOException {
        for (int i = 0; i < texts.size(); i++) {
            publisher.send(new Publish(topic, QOS_1, false, i + 1, texts.get(i).getBytes(UTF_8)));
        }
        for (int i = 0; i < texts.size(); i++) {
            publisher.receive(PubAck.class);
        }
    }

    private static void expect(WireClient reader, int count, String prefix) throws IOException {
        for (int i = 0; i < count; i++) {
            Publish publish = reader.receive(Publish.class);
            assertThat(text(publish)).startsWith(prefix + i + " ");
            reader.send(new PubAck(publish.packetId()));
        }
        reader.send(new Publish("end/" + prefix.trim(), QOS_1, false, 1, new byte[0]));
        reader.receive(PubAck.class); // and nothing more comes before
    }

    private static Set<String> segments(Path store) throws IOException {
        return LivingFiles.below(store).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".seg"))
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** Messages that come and are acknowledged at once, and a few among them that stay and have to be moved. */
    private static final class Churn implements AutoCloseable {
        private final AtomicBoolean ends = new AtomicBoolean();
        private final CompletableFuture<Integer> publishing;

        Churn(RunningBroker broker) throws IOException {
            try (WireClient staying = connect(broker, "staying", 10)) {
                subscribe(staying, "stays", QOS_1);
                staying.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
            }
            publishing = CompletableFuture.supplyAsync(() -> publish(broker), task -> {
                Thread thread = new Thread(task, "churn");
                thread.setDaemon(true);
                thread.start();
            });
        }

        private int publish(RunningBroker broker) {
            int staying = 0;
            try (WireClient client = connect(broker, "coming-and-going", 1_000)) {
                subscribe(client, "goes", QOS_1);
                while (!ends.get()) {
                    for (int i = 1; i <= TOGETHER; i++) {
                        client.send(new Publish("goes", QOS_1, false, i, PADDING.getBytes(UTF_8)));
                    }
                    String stays = staying++ + " " + PADDING;
                    client.send(new Publish("stays", QOS_1, false, TOGETHER + 1, stays.getBytes(UTF_8)));
                    for (int answers = 0; answers < 2 * TOGETHER + 1; answers++) {
                        if (client.receive(Packet.class) instanceof Publish publish) {
                            client.send(new PubAck(publish.packetId()));
                        }
                    }
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return staying;
        }

        void expectGoing() {
            assertThat(publishing).isNotCompletedExceptionally();
        }

        int stop() {
            ends.set(true);
            return publishing.join();
        }

        @Override
        public void close() {
            ends.set(true);
        }
    }
}
