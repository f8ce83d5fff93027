package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Section 6.1. */
public abstract class Connections extends Chapter {
    protected Connections(Provider provider) {
        super(provider);
    }

    @Test
    @Section("6.1.2")
    void shouldSetTheClientIdentifierAtOnce() throws JMSException {
        Connection connection = connectStopped();
        assertThat(connection.getClientID()).isNull();
        String id = unique("client");
        connection.setClientID(id);
        assertThat(connection.getClientID()).isEqualTo(id);
        assertThatThrownBy(() -> connection.setClientID("other")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("6.1.2")
    void shouldNotSetTheClientIdentifierAfterAnyUse() throws JMSException {
        Connection withSession = connectStopped();
        withSession.createSession();
        assertThatThrownBy(() -> withSession.setClientID("late")).isInstanceOf(IllegalStateException.class);
        Connection started = connectStopped();
        started.start();
        assertThatThrownBy(() -> started.setClientID("late")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("6.1.2")
    void shouldNotOverrideTheClientIdentifierOfTheFactory() throws JMSException {
        String id = unique("client");
        Connection connection = connect(id);
        assertThat(connection.getClientID()).isEqualTo(id);
        assertThatThrownBy(() -> connection.setClientID("other")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("6.1.2")
    void shouldGiveAClientIdentifierToOneConnectionAtATime() throws JMSException {
        String id = unique("client");
        Connection first = connect(id);
        assertThatThrownBy(() -> connect(id)).isInstanceOf(InvalidClientIDException.class);
        Connection second = connectStopped();
        assertThatThrownBy(() -> second.setClientID(id)).isInstanceOf(InvalidClientIDException.class);
        first.createSession();
        first.close();
        connect(id).createSession();
    }

    @Test
    @Section("6.1.4")
    void shouldDeliverNothingUntilItIsStarted() throws JMSException {
        Queue queue = filled("text");
        Connection connection = connectStopped();
        MessageConsumer consumer = connection.createSession().createConsumer(queue);
        assertThat(consumer.receive(MOMENT_MS)).isNull();
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();
        assertThat(takeText(consumer)).isEqualTo("text");
    }

    @Test
    @Section("6.1.4")
    void shouldDeliverNothingToListenersUntilItIsStarted() throws Exception {
        Queue queue = filled("text");
        Connection connection = connectStopped();
        AtomicBoolean started = new AtomicBoolean();
        CompletableFuture<Boolean> afterStart = new CompletableFuture<>();
        connection
                .createSession()
                .createConsumer(queue)
                .setMessageListener(message -> afterStart.complete(started.get()));
        assertThat(left(filled("something else"))).isEqualTo("something else");
        started.set(true);
        connection.start();
        assertThat(await(afterStart)).isTrue();
    }

    @Test
    @Section("6.1.4")
    void shouldSendWithoutBeingStarted() throws JMSException {
        Session stopped = connectStopped().createSession();
        Queue queue = queue(stopped);
        send(stopped, queue, "text");
        assertThat(left(queue)).isEqualTo("text");
    }

    @Test
    @Section("6.1.5")
    void shouldPause() throws JMSException {
        Connection connection = connect();
        connection.start();
        Session session = connection.createSession();
        Queue queue = queue(session);
        MessageConsumer consumer = session.createConsumer(queue);
        send(session, queue, "0", "1");
        assertThat(takeText(consumer)).isEqualTo("0");
        connection.stop();
        connection.stop();
        assertThat(consumer.receive(MOMENT_MS)).isNull();
        assertThat(consumer.receiveNoWait()).isNull();
        send(session, queue, "2");
        connection.start();
        assertThat(takeTexts(consumer, 2)).containsExactly("1", "2");
    }

    @Test
    @Section("6.1.5")
    void shouldGoOnWithAReceiveThatWasPaused() throws Exception {
        Connection connection = connectStopped();
        MessageConsumer consumer = connection.createSession().createConsumer(filled("text"));
        CompletableFuture<String> received = aside(() -> takeText(consumer));
        assertThat(received).isNotDone();
        connection.start();
        assertThat(await(received)).isEqualTo("text");
    }

    @Test
    @Section("6.1.5")
    void shouldWaitForRunningListenersBeforeItPauses() throws Exception {
        Queue queue = filled("0", "1");
        Connection connection = connect();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        BlockingQueue<String> done = new LinkedBlockingQueue<>();
        connection.createSession().createConsumer(queue).setMessageListener(listener(message -> {
            running.countDown();
            await(mayEnd);
            done.add(text(message));
        }));
        await(running);
        AtomicInteger doneAtStop = new AtomicInteger();
        Aside stopping = new Aside(() -> {
            connection.stop();
            doneAtStop.set(done.size());
        });
        awaitHeldUp(stopping);
        mayEnd.countDown();
        await(stopping.ended());
        assertThat(doneAtStop).hasValue(1);
        assertThat(done).hasSize(1);
        connection.start();
        assertThat(take(done)).isEqualTo("0");
        assertThat(take(done)).isEqualTo("1");
    }

    @Test
    @Section("6.1.5")
    void shouldRefuseOrSucceedToPauseFromItsListener() throws Exception {
        Connection connection = connect();
        CompletableFuture<Exception> outcome = new CompletableFuture<>();
        connection.createSession().createConsumer(filled("text")).setMessageListener(message -> {
            try {
                connection.stop();
                outcome.complete(null);
            } catch (JMSException e) {
                outcome.complete(e);
            }
        });
        assertThat(await(outcome))
                .satisfiesAnyOf(
                        e -> assertThat(e).isNull(), e -> assertThat(e).isInstanceOf(IllegalStateException.class));
    }

    @Test
    @Section("6.1.6")
    void shouldSayWhatItIs() throws JMSException {
        ConnectionMetaData metaData = connect().getMetaData();
        assertThat(metaData.getJMSMajorVersion()).isEqualTo(3);
        assertThat(metaData.getJMSVersion())
                .isEqualTo(metaData.getJMSMajorVersion() + "." + metaData.getJMSMinorVersion());
        assertThat(metaData.getJMSProviderName()).isNotBlank();
        assertThat(metaData.getProviderVersion()).isNotBlank();
        assertThat(metaData.getProviderMajorVersion()).isNotNegative();
        assertThat(metaData.getProviderMinorVersion()).isNotNegative();
        assertThat(names(metaData.getJMSXPropertyNames())).contains("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");
    }

    @Test
    @Section("6.1.7")
    void shouldKnowItsExceptionListener() throws JMSException {
        Connection connection = connect();
        assertThat(connection.getExceptionListener()).isNull();
        ExceptionListener listener = e -> {};
        connection.setExceptionListener(listener);
        assertThat(connection.getExceptionListener()).isSameAs(listener);
        connection.setExceptionListener(null);
        assertThat(connection.getExceptionListener()).isNull();
    }

    @Test
    @Section("6.1.8")
    void shouldRefuseUseAfterItsEnd() throws JMSException {
        Connection connection = connect();
        Session session = connection.createSession();
        Queue queue = queue(session);
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        Message message = session.createTextMessage("text");
        connection.close();
        connection.close();
        session.close();
        producer.close();
        consumer.close();
        assertThatThrownBy(connection::start).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::stop).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::createSession).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::getMetaData).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::getClientID).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.setClientID("id")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(connection::getExceptionListener).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.setExceptionListener(e -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(session::createTextMessage).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.send(message)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThat(text(message)).isEqualTo("text");
    }

    @Test
    @Section("6.1.8")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "but was true",
            because =
                    "it settles nothing when it closes: what it had fetched counts as delivered, as the broker cannot know")
    void shouldNotAcknowledgeWhenItEnds() throws JMSException {
        Queue queue = filled("0", "1", "2");
        Connection connection = connect();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        take(consumer).acknowledge();
        Message second = take(consumer);
        connection.close();
        assertThatThrownBy(second::acknowledge).isInstanceOf(IllegalStateException.class);
        assertThat(text(second)).isEqualTo("1");
        MessageConsumer next = session().createConsumer(queue);
        Message again = take(next);
        assertThat(text(again)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
        Message never = take(next);
        assertThat(text(never)).isEqualTo("2");
        assertThat(never.getJMSRedelivered()).isFalse();
    }

    @Test
    @Section("6.1.8")
    void shouldRollBackWhenItEnds() throws JMSException {
        Queue queue = filled("0");
        Connection connection = connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        take(session.createConsumer(queue));
        send(session, queue, "1");
        connection.close();
        MessageConsumer next = session().createConsumer(queue);
        assertThat(takeText(next)).isEqualTo("0");
        assertThat(next.receiveNoWait()).isNull();
    }

    @Test
    @Section("6.1.8")
    void shouldEndReceivesWhenItEnds() throws Exception {
        Connection connection = connect();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(queue(session));
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Message> received = aside(() -> {
            begun.countDown();
            return consumer.receive();
        });
        await(begun);
        assertThat(received).isNotDone();
        connection.close();
        awaitNothing(received);
    }

    @Test
    @Section("6.1.8")
    void shouldLetRunningListenersUseItBeforeItEnds() throws Exception {
        Queue queue = filled("text");
        Connection connection = connect();
        Session session = connection.createSession();
        Queue answers = queue(session);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        session.createConsumer(queue).setMessageListener(listener(message -> {
            running.countDown();
            await(mayEnd);
            send(session, answers, text(message));
        }));
        await(running);
        Aside closing = new Aside(connection::close);
        awaitHeldUp(closing);
        mayEnd.countDown();
        await(closing.ended());
        assertThat(left(answers)).isEqualTo("text");
        assertThat(isEmpty(queue)).isTrue();
    }

    @Test
    @Section("6.1.8")
    void shouldRefuseOrSucceedToEndFromItsListener() throws Exception {
        Queue queue = filled("text");
        Connection connection = connect();
        CompletableFuture<Exception> outcome = new CompletableFuture<>();
        connection.createSession().createConsumer(queue).setMessageListener(message -> {
            try {
                connection.close();
                outcome.complete(null);
            } catch (JMSException e) {
                outcome.complete(e);
            }
        });
        assertThat(await(outcome))
                .satisfiesAnyOf(
                        e -> assertThat(e).isNull(), e -> assertThat(e).isInstanceOf(IllegalStateException.class));
    }
}
