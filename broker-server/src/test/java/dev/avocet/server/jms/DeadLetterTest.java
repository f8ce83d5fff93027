package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.testkit.FreePort;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why a message is in a queue for those that nobody takes, as JMS applications see it. */
final class DeadLetterTest {
    private static final long PATIENCE_MS = 20_000;

    @TempDir
    private Path data;

    private ConfigurationStore objects;
    private RunningBroker broker;
    private JMSContext context;

    @BeforeEach
    void start() throws Exception {
        int port = FreePort.next();
        objects = ConfigurationStore.open(data.resolve("config"));
        broker = OneBroker.start(
                ConfigurationFile.parse("{\"ioThreads\": 2, \"store\": {\"mode\": \"memory\"}}"), data, failure -> {});
        broker.attach(objects, true);
        objects.apply(ChangeReader.read(JsonTree.parse("test", """
                        {"Queue": {"dead": {}, "late": {},
                                   "orders": {"DeadLetterQueue": "dead", "ExpiryQueue": "late", "MaxDeliveries": 2}},
                         "Endpoint": {"mine": {"Port": %d, "Interface": "127.0.0.1", "Protocol": "JMS",
                                               "ConnectionPolicies": "DemoConnectionPolicy",
                                               "QueuePolicies": "DemoQueuePolicy", "MessageHub": "DemoHub"}}}
                        """.formatted(port))), ConfigurationStore.ANY_VERSION);
        context =
                new AvocetConnectionFactory("avocet://127.0.0.1:" + port).createContext(JMSContext.CLIENT_ACKNOWLEDGE);
    }

    @AfterEach
    void stop() throws Exception {
        context.close();
        objects.close();
        broker.close();
    }

    @Test
    void shouldTellHowOftenItWasDeliveredWhereInVain() throws JMSException {
        // given
        Queue orders = context.createQueue("orders");
        context.createProducer().setProperty("mine", "kept").send(orders, "poison");
        JMSConsumer consumer = context.createConsumer(orders);

        // when
        for (int i = 0; i < 2; i++) {
            assertThat(consumer.receive(PATIENCE_MS)).isNotNull();
            context.recover();
        }

        // then
        Message dead = received("dead");
        assertThat(dead.getStringProperty("JMS_AVOCET_DeadLetterCause")).isEqualTo("TOO_MANY_DELIVERIES");
        assertThat(dead.getStringProperty("JMS_AVOCET_DeadLetterQueue")).isEqualTo("orders");
        assertThat(dead.getIntProperty("JMS_AVOCET_DeadLetterDeliveryCount")).isEqualTo(2);
        assertThat(dead.getStringProperty("mine")).isEqualTo("kept");
        assertThat(dead.getBody(String.class)).isEqualTo("poison");
        assertThat(dead.propertyExists("JMS_AVOCET_DeadLetterDescription")).isFalse();
    }

    @Test
    void shouldTellWhatExpiredAndExpireItNoMore() throws JMSException {
        // when
        context.createProducer().setTimeToLive(1).send(context.createQueue("orders"), "slow");

        // then
        Message late = received("late");
        assertThat(late.getStringProperty("JMS_AVOCET_DeadLetterCause")).isEqualTo("EXPIRED");
        assertThat(late.getJMSExpiration()).isZero();
        assertThat(late.getLongProperty("JMS_AVOCET_DeadLetterExpiration")).isPositive();

        // when it is sent again, and dies again
        context.createProducer().send(context.createQueue("orders"), late);
        JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
        for (int i = 0; i < 2; i++) {
            assertThat(consumer.receive(PATIENCE_MS)).isNotNull();
            context.recover();
        }

        // then
        Message dead = received("dead");
        assertThat(dead.getStringProperty("JMS_AVOCET_DeadLetterCause")).isEqualTo("TOO_MANY_DELIVERIES");
        assertThat(dead.propertyExists("JMS_AVOCET_DeadLetterExpiration")).isFalse();
    }

    private Message received(String queue) {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            Message message = consumer.receive(PATIENCE_MS);
            assertThat(message).isNotNull();
            return message;
        }
    }
}
