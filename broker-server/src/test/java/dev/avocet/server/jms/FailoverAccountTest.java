package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.jms.InDoubtException;
import dev.avocet.server.jms.FrameProxy.Kind;
import dev.avocet.server.jms.FrameProxy.Place;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The line is cut, or the broker killed, at each place of sending, receiving, acknowledging and committing: not by
 * chance, but at the frame. What the client was told is held against what there is: nothing that was acknowledged is
 * lost, nothing is there twice, what comes again says so (but after a kill), and what the client was told to be in
 * doubt is the only thing that may be either way.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class FailoverAccountTest {
    private static final long PATIENCE_MS = 60_000;
    private static final long MOMENT_MS = 200;
    private static final int COUNT = 10;

    private KilledBroker broker;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        broker = new KilledBroker(directory);
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    /** The places, by what is done and where. */
    @InTurn
    @ParameterizedTest
    @CsvSource({
        "send, true, MESSAGE, 5, true",
        "send, true, MESSAGE, 5, false",
        "send, false, DISPOSITION, 5, true",
        "send, false, DISPOSITION, 5, false",
        "send asynchronously, true, MESSAGE, 5, true",
        "send asynchronously, true, MESSAGE, 5, false",
        "send asynchronously, false, DISPOSITION, 1, true",
        "send asynchronously, false, DISPOSITION, 1, false",
        "send and commit, true, MESSAGE, 3, false",
        "send and commit, true, DISCHARGE, 2, true",
        "send and commit, true, DISCHARGE, 2, false",
        "send and commit, false, DISCHARGED, 2, true",
        "receive automatically, false, MESSAGE, 5, true",
        "receive automatically, false, MESSAGE, 5, false",
        "receive automatically, true, DISPOSITION, 1, true",
        "receive automatically, true, DISPOSITION, 1, false",
        "receive lazily, true, DISPOSITION, 1, true",
        "receive lazily, true, DISPOSITION, 1, false",
        "receive and acknowledge, true, DISPOSITION, 1, true",
        "receive and acknowledge, true, DISPOSITION, 1, false",
        "receive and commit, true, DISCHARGE, 2, true",
        "receive and commit, true, DISCHARGE, 2, false",
        "receive and commit, false, DISCHARGED, 2, true",
        "receive and commit, false, DISCHARGED, 2, false"
    })
    void shouldKeepTheAccountWhenTheLineIsCut(String what, boolean fromClient, Kind kind, int number, boolean before)
            throws Exception {
        keepTheAccount(what, new Place(fromClient, kind, number, before), false);
    }

    @ParameterizedTest
    @CsvSource({
        "send, false, DISPOSITION, 5, true",
        "send and commit, true, DISCHARGE, 2, false",
        "receive and acknowledge, true, DISPOSITION, 1, false",
        "receive and commit, false, DISCHARGED, 2, true",
    })
    void shouldKeepTheAccountWhenTheBrokerIsKilled(
            String what, boolean fromClient, Kind kind, int number, boolean before) throws Exception {
        keepTheAccount(what, new Place(fromClient, kind, number, before), true);
    }

    /** Every place, and more than once, as what the disk has then is chance. */
    @ParameterizedTest
    @Tag("fault")
    @CsvSource({
        "send, true, MESSAGE",
        "send, false, DISPOSITION",
        "send asynchronously, true, MESSAGE",
        "send asynchronously, false, DISPOSITION",
        "send and commit, true, DISCHARGE",
        "send and commit, false, DISCHARGED",
        "receive automatically, false, MESSAGE",
        "receive automatically, true, DISPOSITION",
        "receive lazily, true, DISPOSITION",
        "receive and acknowledge, true, DISPOSITION",
        "receive and commit, true, DISCHARGE",
        "receive and commit, false, DISCHARGED",
    })
    void shouldKeepTheAccountInManyKills(String what, boolean fromClient, Kind kind) throws Exception {
        for (int round = 0; round < 10; round++) {
            int number = what.contains("commit") ? 1 + round % 3 : 1;
            keepTheAccount(what, new Place(fromClient, kind, number, round % 2 == 0), true);
        }
    }

    private void killAndStart() {
        broker.kill();
        broker.start();
    }

    private void keepTheAccount(String what, Place place, boolean kill) throws Exception {
        try (FrameProxy proxy = new FrameProxy(broker.port(), place, kill ? this::killAndStart : () -> {});
                Connection direct = new AvocetConnectionFactory(broker.url()).createConnection();
                Connection connection = new AvocetConnectionFactory(
                                "avocet://127.0.0.1:" + proxy.port() + "?reconnectDelay=20&reconnectDelayMax=200")
                        .createConnection()) {
            direct.start();
            connection.start();
            Account account = new Account(
                    connection, direct.createSession().createQueue("account-" + UUID.randomUUID()), direct, kill);
            switch (what) {
                case "send" -> account.send();
                case "send asynchronously" -> account.sendAsynchronously();
                case "send and commit" -> account.sendAndCommit();
                case "receive automatically" -> account.receive(Session.AUTO_ACKNOWLEDGE);
                case "receive lazily" -> account.receive(Session.DUPS_OK_ACKNOWLEDGE);
                case "receive and acknowledge" -> account.receive(Session.CLIENT_ACKNOWLEDGE);
                default -> account.receiveAndCommit();
            }
            assertThat(proxy.isCut()).as("the place was reached").isTrue();
        }
    }

    /** What was done, what the client was told of it, and what there is. */
    private record Account(Connection connection, Queue queue, Connection direct, boolean killed) {
        void send() throws JMSException {
            Set<String> sure = new HashSet<>();
            Set<String> doubtful = new HashSet<>();
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(queue);
            for (String text : texts()) {
                try {
                    producer.send(session.createTextMessage(text));
                    sure.add(text);
                } catch (InDoubtException e) {
                    doubtful.add(text);
                }
            }
            assertThat(sure).hasSizeGreaterThanOrEqualTo(COUNT - 1);
            compare(sure, doubtful);
        }

        void sendAsynchronously() throws JMSException {
            Set<String> sure = ConcurrentHashMap.newKeySet();
            Set<String> doubtful = ConcurrentHashMap.newKeySet();
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(queue);
            for (String text : texts()) {
                producer.send(session.createTextMessage(text), new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        sure.add(text);
                    }

                    @Override
                    public void onException(Message message, Exception exception) {
                        doubtful.add(text);
                    }
                });
            }
            producer.close();
            assertThat(sure.size() + doubtful.size()).isEqualTo(COUNT);
            compare(sure, doubtful);
        }

        void sendAndCommit() throws JMSException {
            Set<String> sure = new HashSet<>();
            Set<String> doubtful = new HashSet<>();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < COUNT; i += 2) {
                List<String> pair = texts().subList(i, i + 2);
                for (String text : pair) {
                    producer.send(session.createTextMessage(text));
                }
                if (commits(session, pair, doubtful)) {
                    sure.addAll(pair);
                }
            }
            List<String> found = compare(sure, doubtful);
            for (int i = 0; i < COUNT; i += 2) {
                assertThat(found.contains("" + i)).as("all or nothing").isEqualTo(found.contains("" + (i + 1)));
            }
        }

        private static boolean commits(Session session, List<String> what, Set<String> doubtful) throws JMSException {
            try {
                session.commit();
                return true;
            } catch (InDoubtException e) {
                doubtful.addAll(what);
            } catch (TransactionRolledBackException e) {
                return false; // as if it had not been
            }
            return false;
        }

        /** What there is: all that is sure, each once, and nothing but that and what is in doubt. */
        private List<String> compare(Set<String> sure, Set<String> doubtful) throws JMSException {
            List<String> found = new ArrayList<>();
            MessageConsumer consumer = directSession().createConsumer(queue);
            while (!found.containsAll(sure)) {
                found.add(text(take(consumer)));
            }
            for (Message more = consumer.receive(MOMENT_MS); more != null; more = consumer.receive(MOMENT_MS)) {
                found.add(text(more));
            }
            Set<String> allowed = new HashSet<>(sure);
            allowed.addAll(doubtful);
            assertThat(found).doesNotHaveDuplicates().isSubsetOf(allowed);
            return found;
        }

        void receive(int mode) throws JMSException {
            fill();
            Set<String> seen = new HashSet<>();
            Session session = connection.createSession(mode);
            MessageConsumer consumer = session.createConsumer(queue);
            for (int i = 1; seen.size() < COUNT; i++) {
                Message message = take(consumer);
                if (!seen.add(text(message))) {
                    assertMarked(message);
                }
                if (mode == Session.CLIENT_ACKNOWLEDGE && i % 2 == 0) {
                    message.acknowledge();
                }
            }
            session.close();
            MessageConsumer left = directSession().createConsumer(queue);
            for (Message more = left.receive(MOMENT_MS); more != null; more = left.receive(MOMENT_MS)) {
                assertMarked(more);
            }
        }

        void receiveAndCommit() throws JMSException {
            fill();
            Set<String> sure = new HashSet<>();
            Set<String> doubtful = new HashSet<>();
            Set<String> rolledBack = new HashSet<>();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(queue);
            while (sure.size() + doubtful.size() < COUNT) {
                List<String> pair = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    Message message = take(consumer);
                    assertThat(sure).as("what is committed does not come again").doesNotContain(text(message));
                    if (rolledBack.contains(text(message)) || doubtful.contains(text(message))) {
                        assertMarked(message);
                    }
                    pair.add(text(message));
                }
                if (commits(session, pair, doubtful)) {
                    sure.addAll(pair);
                    doubtful.removeAll(pair);
                } else {
                    rolledBack.addAll(pair);
                }
            }
            session.close();
            MessageConsumer left = directSession().createConsumer(queue);
            for (Message more = left.receive(MOMENT_MS); more != null; more = left.receive(MOMENT_MS)) {
                assertThat(doubtful).contains(text(more));
            }
        }

        /** What was delivered before the broker was killed is not on its disk. */
        private void assertMarked(Message message) throws JMSException {
            if (!killed) {
                assertThat(message.getJMSRedelivered())
                        .as(text(message) + " comes again")
                        .isTrue();
            }
        }

        private void fill() throws JMSException {
            Session session = directSession();
            MessageProducer producer = session.createProducer(queue);
            for (String text : texts()) {
                producer.send(session.createTextMessage(text));
            }
        }

        private Session directSession() throws JMSException {
            return direct.createSession();
        }

        private static List<String> texts() {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                texts.add("" + i);
            }
            return texts;
        }

        private static Message take(MessageConsumer consumer) throws JMSException {
            Message message = consumer.receive(PATIENCE_MS);
            assertThat(message).as("a message within the time").isNotNull();
            return message;
        }

        private static String text(Message message) throws JMSException {
            return message.getBody(String.class);
        }
    }
}
