package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.pair.SendAccount.Received;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.jms.InDoubtException;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Persistent messages of a JMS client without transactions at a pair whose active node is killed; {@link PairFaultTest}
 * has those with transactions.
 */
@InTurn
@Timeout(180)
class JmsPairTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SOME = 200;
    private static final int RECEIVE_MS = 100;
    private static final int KILLS = 2;
    private static final int UNDER_WAY = 5;

    @TempDir
    private Path folder;

    private final SendAccount account = new SendAccount();
    private volatile boolean finishing;
    private volatile boolean stopped;

    @Test
    void shouldLoseNoPersistentMessageWhenTheActiveNodeIsKilled() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("shared"))) {
            // given
            pair.start("a");
            pair.start("b");
            pair.of("a").awaitLine("ready");
            pair.of("b").awaitLine("ready");
            pair.admin(pair.activeBesideOneInSync(), "queue", "create", "work");
            AvocetConnectionFactory factory = new AvocetConnectionFactory("avocet:(127.0.0.1:" + pair.port("a")
                    + ",127.0.0.1:" + pair.port("b")
                    + ")?reconnectDelay=20&reconnectDelayMax=200&initialConnectAttempts=0");
            Thread producer = start("producer", () -> produce(factory));
            Thread consumer = start("consumer", () -> consume(factory));
            awaitSome();

            // when
            String first = pair.activeBesideOneInSync();
            String second = PairUnderTest.other(first);
            int epoch = pair.epoch(first);
            pair.kill(first);

            // then both go on at the other node
            pair.awaitActive(second, epoch);
            awaitSome();

            // when
            pair.start(first).awaitLine("role standby in-sync");
            String active = pair.activeBesideOneInSync();
            epoch = pair.epoch(active);
            pair.kill(active);

            // then
            pair.awaitActive(PairUnderTest.other(active), epoch);
            awaitSome();
            finishing = true;
            producer.join();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(account.missing().stream()).isEmpty());
            stopped = true;
            consumer.join();

            // and what came again is what was received just before a kill: its acknowledgement was under way
            assertThat(account.problems()).isEmpty();
            assertThat(account.received()).filteredOn(Received::again).hasSizeLessThanOrEqualTo(KILLS * UNDER_WAY);
            System.out.println(account.summary());
        }
    }

    private void awaitSome() {
        int sent = account.acknowledgedCount();
        int received = account.receivedCount();
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(account.problems()).isEmpty();
            assertThat(account.acknowledgedCount()).isGreaterThan(sent + SOME);
            assertThat(account.receivedCount()).isGreaterThan(received + SOME);
        });
    }

    private void produce(AvocetConnectionFactory factory) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue("work"))) {
            for (int number = 0; !finishing; number++) {
                Message message = session.createMessage();
                message.setIntProperty("number", number);
                try {
                    producer.send(message);
                    account.acknowledged(number);
                } catch (InDoubtException e) {
                    account.inDoubt(number); // and is not sent again
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    private void consume(AvocetConnectionFactory factory) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(session.createQueue("work"))) {
            connection.start();
            while (!stopped) {
                Message message = consumer.receive(RECEIVE_MS);
                if (message != null) {
                    account.received(message.getIntProperty("number"), message.getJMSRedelivered());
                }
            }
        }
    }

    private Thread start(String name, Transactions.Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (JMSException | RuntimeException e) {
                        account.problem(name + ": " + e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
