package dev.avocet.server.broker;

import static dev.avocet.server.broker.SetClients.QOS_1;
import static dev.avocet.server.broker.SetClients.connect;
import static dev.avocet.server.broker.SetClients.jms;
import static dev.avocet.server.broker.SetClients.publish;
import static dev.avocet.server.broker.SetClients.retain;
import static dev.avocet.server.broker.SetClients.subscribe;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.session.SubscriptionId;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.server.broker.content.ClientSets;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.Page;
import dev.avocet.server.broker.content.SubscriptionFacts;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.scale.WireClient;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What belongs to clients of both protocols is deleted together, and nothing else. */
final class ClientSetDeletionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private RunningBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = OneBroker.start(
                ConfigurationFile.parse("""
                        {"ioThreads": 2,
                         "endpoints": [{"port": 0, "maxMessageSizeBytes": 65536}],
                         "store": {"mode": "os", "journal": "file", "segmentBytes": 1048576}}
                        """), Files.createDirectories(directory.resolve("data")), failure -> {});
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldDeleteWhatBelongsToClientsInBothProtocolsAndNothingElse() throws Exception {
        // given
        leaveBehind("orders", "o/#");
        leaveBehind("office", "o/#");
        subscribeDurably("orders", "all");
        subscribeDurably("office", "all");
        try (JMSContext jms = jms(broker, "orders")) {
            jms.createSharedDurableConsumer(jms.createTopic("o/#"), "team").close();
        }
        shareDurably("everyone");
        publish(broker, "o/x", QOS_1, 0, 3);
        retain(broker, "o/retained", "stays");

        // when
        ClientSets.Deleted deleted = delete("^(jms:)?orders$", "", false);

        // then
        assertThat(deleted).isEqualTo(new ClientSets.Deleted(1, 2, List.of(), List.of(), 0, true));
        assertThat(subscriptions()).containsExactly("__Shared everyone", "jms:office all", "office o/#");
        assertThat(Objects.requireNonNull(broker.retained()).delete(topic -> true))
                .isEqualTo(1);

        // and: it is gone from the disk, and the others have what waits for them
        stop();
        start();
        assertThat(subscriptions()).containsExactly("__Shared everyone", "jms:office all", "office o/#");
        try (JMSContext jms = jms(broker, "office")) {
            JMSConsumer all = jms.createDurableConsumer(jms.createTopic("o/#"), "all");
            for (int i = 0; i < 3; i++) {
                assertThat(all.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("" + i);
            }
        }
        try (JMSContext jms = jms(broker, "orders")) {
            JMSConsumer all = jms.createDurableConsumer(jms.createTopic("o/#"), "all");
            assertThat(all.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldLeaveADurableSubscriptionWithAConsumerUnlessForced() throws Exception {
        // given
        String url = "avocet://127.0.0.1:" + broker.endpoints().get(0).getPort() + "?reconnect=false";
        JMSContext jms = new AvocetConnectionFactory(url).createContext();
        jms.setClientID("orders");
        JMSConsumer consumer = jms.createDurableConsumer(jms.createTopic("o/#"), "all");
        consumer.setMessageListener(message -> {});

        // when
        ClientSets.Deleted deleted = delete("^jms:orders$", "", false);

        // then
        SubscriptionId id = new SubscriptionId("jms:orders", "all");
        assertThat(deleted).isEqualTo(new ClientSets.Deleted(0, 0, List.of("jms:orders"), List.of(id), 0, true));
        assertThat(subscriptions()).containsExactly("jms:orders all");

        // when
        deleted = delete("^jms:orders$", "", true);

        // then
        assertThat(deleted.durables()).isEqualTo(1);
        assertThat(deleted.consumed()).isEmpty();
        await().atMost(PATIENCE).until(() -> subscriptions().isEmpty());
        jms.close();
    }

    @Test
    void shouldLeaveASharedSubscriptionToItsOtherMembers() throws Exception {
        // given: a JMS client without identifier and an MQTT client share one
        shareDurably("team");
        leaveBehind("member", "$SharedSubscription/team/o/#");
        publish(broker, "o/x", QOS_1, 0, 1);

        // when
        ClientSets.Deleted deleted = delete("^__Shared$", "", true);

        // then
        assertThat(deleted.durables()).isEqualTo(1);
        assertThat(subscriptions()).containsExactly("__Shared team");

        // when: it was the last member's
        deleted = delete("^member$", "", false);

        // then
        assertThat(deleted.sessions()).isEqualTo(1);
        await().atMost(PATIENCE).until(() -> subscriptions().isEmpty());
    }

    private ClientSets.Deleted delete(String clientId, String retain, boolean disconnects) {
        try {
            return Objects.requireNonNull(broker.clientSets())
                    .delete(
                            name -> Pattern.compile(clientId).matcher(name).find(),
                            topic -> !retain.isEmpty()
                                    && Pattern.compile(retain).matcher(topic).find(),
                            disconnects,
                            () -> true);
        } catch (NotInTimeException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> subscriptions() throws NotInTimeException {
        Page<SubscriptionFacts> page = new Page<>("", 100);
        Objects.requireNonNull(broker.clients()).subscriptions(facts -> true, page);
        return page.content().stream().map(facts -> facts.id().toString()).toList();
    }

    private void leaveBehind(String clientId, String filter) throws IOException {
        try (WireClient client = connect(broker, clientId, 10)) {
            subscribe(client, filter, QOS_1);
            client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        }
    }

    private void subscribeDurably(String clientId, String name) {
        try (JMSContext jms = jms(broker, clientId)) {
            jms.createDurableConsumer(jms.createTopic("o/#"), name).close();
        }
    }

    private void shareDurably(String name) {
        try (JMSContext jms = jms(broker, null)) {
            jms.createSharedDurableConsumer(jms.createTopic("o/#"), name).close();
        }
    }
}
