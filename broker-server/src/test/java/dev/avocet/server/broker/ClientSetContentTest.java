package dev.avocet.server.broker;

import static dev.avocet.server.broker.SetClients.QOS_1;
import static dev.avocet.server.broker.SetClients.connect;
import static dev.avocet.server.broker.SetClients.jms;
import static dev.avocet.server.broker.SetClients.subscribe;
import static dev.avocet.server.broker.SetClients.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.transaction.BranchId;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.server.broker.content.TransactionAdministration;
import dev.avocet.server.jms.BranchName;
import dev.avocet.server.scale.WireClient;
import dev.avocet.server.transfer.TransferStatus;
import dev.avocet.server.transfer.TransferStatus.State;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import jakarta.jms.XAJMSContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a set of clients travels that lies in no store, and what does not travel. */
@InTurn
final class ClientSetContentTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private TransferPair pair;

    @BeforeEach
    void startBoth() throws Exception {
        pair = new TransferPair(directory);
    }

    @AfterEach
    void stopBoth() {
        pair.close();
    }

    @Test
    void shouldMoveMessagesInMemoryAloneAtTheirPlacesAmongTheOthers() throws Exception {
        // given
        leaveBehind("c-1");
        leaveBehind("orders", "all");
        List<String> sent = new ArrayList<>();
        try (JMSContext jms = jms(pair.source(), null)) {
            JMSProducer producer = jms.createProducer();
            for (int i = 0; i < 10; i++) {
                sent.add("m" + i);
                producer.setDeliveryMode(i % 3 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT)
                        .send(jms.createTopic("o/x"), sent.get(i));
            }
        }

        // when
        TransferStatus imported = pair.move("^c-1$|^jms:orders$", "");

        // then
        assertThat(imported.counts().messages()).isEqualTo(20);
        try (WireClient client = connect(pair.target(), "c-1", 100)) {
            for (String expected : sent) {
                Publish publish = client.receive(Publish.class);
                assertThat(text(publish)).isEqualTo(expected);
                client.send(new PubAck(publish.packetId()));
            }
        }
        try (JMSContext jms = jms(pair.target(), "orders")) {
            JMSConsumer all = jms.createDurableConsumer(jms.createTopic("o/#"), "all");
            for (int i = 0; i < sent.size(); i++) {
                Message message = all.receive(PATIENCE.toMillis());
                assertThat(message.getBody(String.class)).isEqualTo(sent.get(i));
                assertThat(message.getJMSDeliveryMode())
                        .isEqualTo(i % 3 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            }
            assertThat(all.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldLoseNothingButWhatIsInMemoryAloneWhenTheOtherBrokerStartsAnew() throws Exception {
        // given
        leaveBehind("orders", "all");
        try (JMSContext jms = jms(pair.source(), null)) {
            Topic topic = jms.createTopic("o/x");
            jms.createProducer().setDeliveryMode(DeliveryMode.NON_PERSISTENT).send(topic, "in memory");
            jms.createProducer().setDeliveryDelay(100).send(topic, "delayed");
            jms.createProducer().send(topic, "stored");
        }
        pair.move("^jms:orders$", "");

        // when
        pair.restartTarget();

        // then
        try (JMSContext jms = jms(pair.target(), "orders")) {
            JMSConsumer all = jms.createDurableConsumer(jms.createTopic("o/#"), "all");
            assertThat(List.of(
                            all.receiveBody(String.class, PATIENCE.toMillis()),
                            all.receiveBody(String.class, PATIENCE.toMillis())))
                    .containsExactlyInAnyOrder("stored", "delayed");
            assertThat(all.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldMoveDelayedMessagesInMemoryAlone() throws Exception {
        // given
        leaveBehind("orders", "all");
        try (JMSContext jms = jms(pair.source(), null)) {
            Topic topic = jms.createTopic("o/x");
            JMSProducer producer = jms.createProducer().setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            producer.setDeliveryDelay(1_000).send(topic, "first");
            producer.send(topic, "second");
            jms.createProducer().send(topic, "stored");
        }

        // when
        pair.move("^jms:orders$", "");

        // then
        try (JMSContext jms = jms(pair.target(), "orders")) {
            JMSConsumer all = jms.createDurableConsumer(jms.createTopic("o/#"), "all");
            List<String> received = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Message message = all.receive(PATIENCE.toMillis());
                assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(message.getJMSDeliveryTime());
                received.add(message.getBody(String.class));
            }
            assertThat(received).contains("stored").containsSubsequence("first", "second");
        }
    }

    @Test
    void shouldSayHowManyMessagesInMemoryAloneAreInFlightAndStay() throws Exception {
        // given
        try (WireClient client = connect(pair.source(), "c-1", 2)) {
            subscribe(client, "o/#", QOS_1);
            try (JMSContext jms = jms(pair.source(), null)) {
                for (int i = 0; i < 3; i++) {
                    jms.createProducer()
                            .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                            .send(jms.createTopic("o/x"), "m" + i);
                }
                jms.createProducer().send(jms.createTopic("o/x"), "stored");
            }
            client.receive(Publish.class);
            client.receive(Publish.class);
        }

        // when
        TransferStatus exported = pair.export("^c-1$", "", true);

        // then
        assertThat(exported.state()).isEqualTo(State.COMPLETED);
        assertThat(exported.counts().messages()).isEqualTo(2);
        assertThat(exported.diagnostics())
                .singleElement()
                .asString()
                .startsWith("2 messages that are not persistent are in flight");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldExportNothingOfWhatATransactionInDoubtHolds(boolean publishes) throws Exception {
        // given
        leaveBehind("c-1");
        leaveBehind("orders", "all");
        try (JMSContext jms = jms(pair.source(), null)) {
            jms.createProducer().send(jms.createTopic("o/orders"), "waits");
        }
        prepare(publishes);
        TransactionAdministration transactions =
                Objects.requireNonNull(pair.source().transactions());
        String branch = transactions.list().get(0).branch();

        // when
        TransferStatus refused = pair.export("^jms:orders$", "", true);

        // then
        assertThat(refused.state()).isEqualTo(State.FAILED);
        assertThat(refused.message()).startsWith("1 transactions in doubt").contains(branch);
        assertThat(pair.file()).doesNotExist();

        // when: it is over
        transactions.commit(BranchId.parse(branch));

        // then
        TransferStatus imported = pair.move("^jms:orders$", "");
        assertThat(imported.counts().messages()).isEqualTo(publishes ? 2 : 0);
    }

    @Test
    void shouldExportWhatNoTransactionInDoubtHolds() throws Exception {
        leaveBehind("orders", "all");
        try (JMSContext jms = jms(pair.source(), null)) {
            jms.createProducer().send(jms.createTopic("o/orders"), "waits");
        }
        try (WireClient client = connect(pair.source(), "other", 10)) {
            subscribe(client, "other/#", QOS_1);
            client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        }
        prepare(true);

        assertThat(pair.move("^other$", "").counts().sessions()).isEqualTo(1);
    }

    /** A transaction in doubt that publishes to the subscription of "orders", or takes a message from it. */
    private void prepare(boolean publishes) throws Exception {
        int port = pair.source().endpoints().get(0).getPort();
        try (XAJMSContext jms = new AvocetConnectionFactory("avocet://127.0.0.1:" + port).createXAContext()) {
            if (!publishes) {
                jms.setClientID("orders");
            }
            XAResource resource = jms.getXAResource();
            BranchName branch = new BranchName(1);
            resource.start(branch, XAResource.TMNOFLAGS);
            if (publishes) {
                jms.createProducer().send(jms.createTopic("o/orders"), "published");
            } else {
                JMSConsumer all = jms.createDurableConsumer(jms.createTopic("o/#"), "all");
                assertThat(all.receiveBody(String.class, PATIENCE.toMillis())).isEqualTo("waits");
            }
            resource.end(branch, XAResource.TMSUCCESS);
            resource.prepare(branch);
        }
    }

    private void leaveBehind(String clientId) throws IOException {
        try (WireClient client = connect(pair.source(), clientId, 10)) {
            subscribe(client, "o/#", QOS_1);
            client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        }
    }

    private void leaveBehind(String clientId, String subscription) {
        try (JMSContext jms = jms(pair.source(), clientId)) {
            jms.createDurableConsumer(jms.createTopic("o/#"), subscription).close();
        }
    }
}
