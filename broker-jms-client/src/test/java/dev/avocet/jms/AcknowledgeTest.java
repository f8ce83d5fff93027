package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AcknowledgeTest extends ServerTest {
    private static void send(final Session session, final Queue queue, final int count) throws JMSException {
        final MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage(String.valueOf(i)));
        }
        producer.close();
    }

    private static String text(final Message message) throws JMSException {
        assertThat(message).as("a message within the time").isNotNull();
        return message.getBody(String.class);
    }

    private Queue filled(final int count) throws JMSException {
        final Session session = connect().createSession();
        final Queue queue = session.createQueue(unique("queue"));
        send(session, queue, count);
        return queue;
    }

    private String firstLeft(final Queue queue) throws JMSException {
        final Message message = connect().createSession().createConsumer(queue).receive(SHORT_MS);
        return message == null ? "none" : text(message);
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void shouldAcknowledgeByItself(final int mode) throws Exception {
        final Queue queue = filled(5);
        final Connection connection = connect();
        final MessageConsumer consumer = connection.createSession(mode).createConsumer(queue);
        for (int i = 0; i < 3; i++) {
            assertThat(text(consumer.receive(WAIT_MS))).isEqualTo(String.valueOf(i));
        }

        connection.close();

        assertThat(firstLeft(queue)).isEqualTo("3");
    }

    @Test
    void shouldDeliverAgainWhatTheClientDidNotAcknowledge() throws Exception {
        final Queue queue = filled(3);
        final Connection connection = connect();
        final MessageConsumer consumer =
                connection.createSession(Session.CLIENT_ACKNOWLEDGE).createConsumer(queue);
        consumer.receive(WAIT_MS).acknowledge();
        consumer.receive(WAIT_MS);

        connection.close();

        assertThat(firstLeft(queue)).isEqualTo("1");
    }

    @Test
    void shouldAcknowledgeAllThatTheSessionConsumed() throws Exception {
        final Queue queue = filled(3);
        final Connection connection = connect();
        final MessageConsumer consumer =
                connection.createSession(Session.CLIENT_ACKNOWLEDGE).createConsumer(queue);
        consumer.receive(WAIT_MS);
        consumer.receive(WAIT_MS).acknowledge();

        connection.close();

        assertThat(firstLeft(queue)).isEqualTo("2");
    }

    @Test
    void shouldAcknowledgeTheOneMessageIndividually() throws Exception {
        final Queue queue = filled(3);
        final Connection connection = connect();
        final MessageConsumer consumer = connection
                .createSession(AvocetConnectionFactory.INDIVIDUAL_ACKNOWLEDGE)
                .createConsumer(queue);
        final Message first = consumer.receive(WAIT_MS);
        consumer.receive(WAIT_MS).acknowledge();
        assertThat(text(first)).isEqualTo("0");

        connection.close();
        final MessageConsumer left = connect().createSession().createConsumer(queue);

        assertThat(text(left.receive(WAIT_MS))).isEqualTo("0");
        assertThat(text(left.receive(WAIT_MS))).isEqualTo("2");
    }

    @Test
    void shouldRecoverInOrderAndCountTheDeliveries() throws Exception {
        final Queue queue = filled(5);
        final Session session = connect().createSession(Session.CLIENT_ACKNOWLEDGE);
        final MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(consumer.receive(WAIT_MS))).isEqualTo("0");
        assertThat(text(consumer.receive(WAIT_MS))).isEqualTo("1");

        session.recover();

        for (int i = 0; i < 5; i++) {
            final Message again = consumer.receive(WAIT_MS);
            assertThat(text(again)).isEqualTo(String.valueOf(i));
            assertThat(again.getJMSRedelivered()).isEqualTo(i < 2);
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(i < 2 ? 2 : 1);
        }
    }

    @Test
    void shouldCommitAndRollBackWhatWasSentAndReceived() throws Exception {
        // given
        final Queue in = filled(4);
        final Session session = connect().createSession(Session.SESSION_TRANSACTED);
        final Queue out = session.createQueue(unique("out"));
        final MessageConsumer consumer = session.createConsumer(in);
        final MessageProducer producer = session.createProducer(out);

        // when
        producer.send(session.createTextMessage("rolled back"));
        assertThat(text(consumer.receive(WAIT_MS))).isEqualTo("0");
        session.rollback();
        final Message again = consumer.receive(WAIT_MS);
        assertThat(text(again)).isEqualTo("0");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(text(consumer.receive(WAIT_MS))).isEqualTo("1");
        producer.send(session.createTextMessage("committed"));
        session.commit();
        assertThat(text(consumer.receive(WAIT_MS))).isEqualTo("2");
        session.close();

        // then
        final Session reader = connect().createSession();
        assertThat(text(reader.createConsumer(in).receive(WAIT_MS))).isEqualTo("2");
        final MessageConsumer committed = reader.createConsumer(out);
        assertThat(text(committed.receive(WAIT_MS))).isEqualTo("committed");
        assertThat(committed.receive(SHORT_MS)).isNull();
    }

    @Test
    void shouldKeepWhatAClosedConsumerReceivedInTheTransaction() throws Exception {
        final Queue queue = filled(2);
        final Session session = connect().createSession(Session.SESSION_TRANSACTED);
        final MessageConsumer consumer = session.createConsumer(queue);
        assertThat(text(consumer.receive(WAIT_MS))).isEqualTo("0");

        consumer.close();
        session.commit();

        assertThat(firstLeft(queue)).isEqualTo("1");
    }

    @Test
    void shouldCommitManyTransactions() throws Exception {
        final Session session = connect().createSession(Session.SESSION_TRANSACTED);
        final Queue queue = session.createQueue(unique("many"));
        final MessageProducer producer = session.createProducer(queue);
        final MessageConsumer consumer = session.createConsumer(queue);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 50; i++) {
                producer.send(session.createTextMessage(round + "/" + i));
            }
            session.commit();
            for (int i = 0; i < 50; i++) {
                assertThat(text(consumer.receive(WAIT_MS))).isEqualTo(round + "/" + i);
            }
            session.commit();
        }
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldCallAListenerForEachMessageAndAgainWhenItFails() throws Exception {
        final Queue queue = filled(3);
        final Connection connection = connect();
        final List<String> heard = new CopyOnWriteArrayList<>();
        final AtomicInteger failures = new AtomicInteger(2);
        connection.createSession().createConsumer(queue).setMessageListener(message -> {
            try {
                heard.add(message.getBody(String.class) + message.getIntProperty("JMSXDeliveryCount"));
            } catch (final JMSException e) {
                heard.add(e.toString());
            }
            if (failures.getAndDecrement() > 0) {
                throw new UnsupportedOperationException("as the test wants it");
            }
        });

        await().untilAsserted(() -> assertThat(heard).containsExactly("01", "02", "03", "11", "21"));
        connection.close();
        assertThat(firstLeft(queue)).isEqualTo("none");
    }

    @Test
    void shouldTransactInsideAListener() throws Exception {
        final Queue queue = filled(10);
        final Connection connection = connect();
        final Session session = connection.createSession(Session.SESSION_TRANSACTED);
        final Queue out = session.createQueue(unique("out"));
        final MessageProducer producer = session.createProducer(out);
        session.createConsumer(queue).setMessageListener(message -> {
            try {
                producer.send(message);
                session.commit();
            } catch (final JMSException e) {
                throw new AssertionError(e);
            }
        });

        final MessageConsumer consumer = connect().createSession().createConsumer(out);

        for (int i = 0; i < 10; i++) {
            assertThat(text(consumer.receive(WAIT_MS))).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    void shouldRefuseWhatAListenerMustNotDo() throws Exception {
        final Queue queue = filled(1);
        final Connection connection = connect();
        final Session session = connection.createSession();
        final List<Exception> refusals = new CopyOnWriteArrayList<>();
        final MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(message -> {
            for (final org.junit.jupiter.api.function.Executable call :
                    List.<org.junit.jupiter.api.function.Executable>of(
                            session::close, connection::stop, connection::close)) {
                try {
                    call.execute();
                } catch (final JMSException e) {
                    refusals.add(e);
                } catch (final Throwable e) {
                    throw new AssertionError(e);
                }
            }
        });

        await().untilAsserted(() -> assertThat(refusals).hasSize(3).allMatch(e -> e instanceof IllegalStateException));
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNotDeliverWhileStopped() throws Exception {
        final Queue queue = filled(1);
        final Connection connection = connect();
        connection.stop();
        final MessageConsumer consumer = connection.createSession().createConsumer(queue);

        assertThat(consumer.receive(SHORT_MS)).isNull();
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();

        assertThat(consumer.receive(WAIT_MS)).isNotNull();
    }

    @Test
    void shouldEndAWaitingReceiveWhenTheConsumerIsClosed() throws Exception {
        final Session session = connect().createSession();
        final MessageConsumer consumer = session.createConsumer(session.createQueue(unique("waiting")));
        final FutureTask<Message> received = new FutureTask<>(consumer::receive);
        final Thread receiver = new Thread(received);
        receiver.start();
        await().until(() -> isParkedIn(receiver, "receive"));

        consumer.close();

        assertThat(received.get(WAIT_MS, TimeUnit.MILLISECONDS)).isNull();
    }

    private static boolean isParkedIn(final Thread thread, final String method) {
        return List.of(Thread.State.WAITING, Thread.State.TIMED_WAITING).contains(thread.getState())
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals(method));
    }
}
