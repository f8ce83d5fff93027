package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * JMSRedelivered and JMSXDeliveryCount of what comes again: after the broker was killed, and from one consumer of a
 * subscription to the next.
 */
@InTurn
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class RedeliveredTest {
    private static final long PATIENCE_MS = 30_000;
    /** After so long the broker has noted that a client has a message, and written it. */
    private static final long NOTED_MS = 500;

    private static KilledBroker broker;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        broker = new KilledBroker(directory);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldMarkWhatAConsumerHadWhenTheBrokerWasKilled() throws Exception {
        // given
        try (JMSContext context = context("had", JMSContext.CLIENT_ACKNOWLEDGE);
                JMSContext transacted = context(null, JMSContext.SESSION_TRANSACTED)) {
            Topic topic = context.createTopic("had");
            JMSConsumer subscriber = context.createDurableConsumer(topic, "had");
            JMSConsumer receiver = context.createConsumer(context.createQueue("had"));
            JMSConsumer inTransaction = transacted.createConsumer(context.createQueue("had-transacted"));
            for (Destination to :
                    new Destination[] {topic, context.createQueue("had"), context.createQueue("had-transacted")}) {
                context.createProducer().send(to, "done");
                context.createProducer().send(to, "seen");
            }
            assertMessage(subscriber, "done", 1).acknowledge();
            assertMessage(receiver, "done", 1).acknowledge();
            assertMessage(inTransaction, "done", 1);
            transacted.commit();
            assertMessage(subscriber, "seen", 1);
            assertMessage(receiver, "seen", 1);
            assertMessage(inTransaction, "seen", 1);
            context.createProducer().send(context.createQueue("never"), "unseen");
            assertThat(context.createConsumer(context.createQueue("empty")).receive(NOTED_MS))
                    .isNull();

            // when
            broker.kill();
        }
        broker.start();

        // then
        try (JMSContext context = context("had", JMSContext.CLIENT_ACKNOWLEDGE)) {
            JMSConsumer subscriber = context.createDurableConsumer(context.createTopic("had"), "had");
            assertMessage(subscriber, "seen", 2);
            assertMessage(context.createConsumer(context.createQueue("had")), "seen", 2);
            assertMessage(context.createConsumer(context.createQueue("had-transacted")), "seen", 2);
            assertMessage(context.createConsumer(context.createQueue("never")), "unseen", 1);
            context.acknowledge();
            subscriber.close();
            context.unsubscribe("had");
        }
    }

    @Test
    void shouldCountAcrossTheConsumersOfASubscription() throws Exception {
        for (int round = 1; round <= 3; round++) {
            try (JMSContext context = context("counting", JMSContext.CLIENT_ACKNOWLEDGE)) {
                Topic topic = context.createTopic("counting");
                JMSConsumer consumer = context.createDurableConsumer(topic, "counting");
                if (round == 1) {
                    context.createProducer().send(topic, "stored");
                    context.createProducer()
                            .setDeliveryMode(jakarta.jms.DeliveryMode.NON_PERSISTENT)
                            .send(topic, "in memory");
                    context.createProducer().send(topic, "not looked at");
                }
                assertMessage(consumer, "stored", round);
                assertMessage(consumer, "in memory", round);
            }
        }
        try (JMSContext context = context("counting", JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer consumer = context.createDurableConsumer(context.createTopic("counting"), "counting");
            for (int count = 4; count < 6; count++) {
                assertMessage(consumer, "stored", count);
                assertMessage(consumer, "in memory", count);
                context.rollback();
            }
            assertMessage(consumer, "stored", 6);
            assertMessage(consumer, "in memory", 6);
            assertMessage(consumer, "not looked at", 1);
            context.commit();
            consumer.close();
            context.unsubscribe("counting");
        }
    }

    @Test
    void shouldKeepTheCountsOfASubscriptionWhenTheBrokerIsKilled() throws Exception {
        // given
        for (int round = 1; round <= 2; round++) {
            try (JMSContext context = context("kept", JMSContext.CLIENT_ACKNOWLEDGE)) {
                Topic topic = context.createTopic("kept");
                JMSConsumer consumer = context.createDurableConsumer(topic, "kept");
                if (round == 1) {
                    context.createProducer().send(topic, "text");
                }
                assertMessage(consumer, "text", round);
            }
        }
        try (JMSContext context = context(null, JMSContext.AUTO_ACKNOWLEDGE)) {
            context.createProducer().send(context.createQueue("later"), "what came before is on the disk with it");
        }

        // when
        broker.kill();
        broker.start();

        // then
        try (JMSContext context = context("kept", JMSContext.AUTO_ACKNOWLEDGE)) {
            JMSConsumer consumer = context.createDurableConsumer(context.createTopic("kept"), "kept");
            assertMessage(consumer, "text", 3);
            consumer.close();
            context.unsubscribe("kept");
        }
    }

    private static Message assertMessage(JMSConsumer consumer, String text, int count) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        assertThat(message.getBody(String.class)).isEqualTo(text);
        assertThat(message.getIntProperty("JMSXDeliveryCount")).as(text).isEqualTo(count);
        assertThat(message.getJMSRedelivered()).as(text).isEqualTo(count > 1);
        return message;
    }

    private static JMSContext context(String clientId, int mode) throws JMSException {
        JMSContext context = new AvocetConnectionFactory(broker.url() + "?reconnect=false").createContext(mode);
        if (clientId != null) {
            context.setClientID(clientId);
        }
        return context;
    }
}
