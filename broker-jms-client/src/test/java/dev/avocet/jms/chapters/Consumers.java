package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 8.1, 8.2 and 8.4 to 8.8. */
public abstract class Consumers extends Chapter {
    protected Consumers(Provider provider) {
        super(provider);
    }

    @Test
    @Section("8.2")
    void shouldNeedADestination() throws JMSException {
        Session session = session();
        assertThatThrownBy(() -> session.createConsumer(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createBrowser(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(null, "name"))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    @Section("8.5")
    void shouldReturnNothingWhenThereIsNothing() throws JMSException {
        Session session = session();
        MessageConsumer consumer = session.createConsumer(queue(session));
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(consumer.receive(1)).isNull();
        long before = System.nanoTime();
        assertThat(consumer.receive(MOMENT_MS)).isNull();
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo((MOMENT_MS - 10) * 1_000_000);
    }

    @Test
    @Section("8.5")
    void shouldReturnAtOnceWhatIsThere() throws JMSException {
        MessageConsumer consumer = session().createConsumer(filled("0", "1", "2"));
        for (int i = 0; i < 3; i++) {
            Message message = consumer.receiveNoWait();
            assertThat(message).isNotNull();
            assertThat(text(message)).isEqualTo("" + i);
        }
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Section("8.5")
    void shouldReturnWhatComesLater() throws Exception {
        Session session = session();
        Queue queue = queue(session);
        MessageConsumer consumer = session().createConsumer(queue);
        CompletableFuture<Message> received = aside(consumer::receive);
        send(session, queue, "text");
        assertThat(text(await(received))).isEqualTo("text");
    }

    @Test
    @Section("8.5")
    void shouldRefuseToReceiveWhereAListenerDoes() throws JMSException {
        Session session = session();
        MessageConsumer consumer = session.createConsumer(queue(session));
        MessageListener listener = message -> {};
        assertThat(consumer.getMessageListener()).isNull();
        consumer.setMessageListener(listener);
        assertThat(consumer.getMessageListener()).isSameAs(listener);
        assertThatThrownBy(consumer::receive).isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(JMSException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(JMSException.class);
        consumer.setMessageListener(null);
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    @Section("8.7")
    void shouldCallTheListenerInOrder() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        session()
                .createConsumer(filled("0", "1", "2", "3"))
                .setMessageListener(listener(message -> seen.add(text(message))));
        for (int i = 0; i < 4; i++) {
            assertThat(take(seen)).isEqualTo("" + i);
        }
    }

    @ParameterizedTest
    @Section("8.7")
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    @Differs(on = Run.QPID_CLIENT, seen = "but was: \"11false\"", because = "it delivers the next message first")
    void shouldDeliverAgainAtOnceWhatAListenerFailedOn(int mode) throws Exception {
        Queue queue = filled("0", "1");
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        Session session = session(mode);
        session.createConsumer(queue).setMessageListener(listener(message -> {
            seen.add(text(message) + message.getIntProperty("JMSXDeliveryCount") + message.getJMSRedelivered());
            if (text(message).equals("0") && message.getIntProperty("JMSXDeliveryCount") < 3) {
                throw new UnsupportedOperationException("failed on purpose");
            }
        }));
        assertThat(take(seen)).isEqualTo("01false");
        assertThat(take(seen)).isEqualTo("02true");
        assertThat(take(seen)).isEqualTo("03true");
        assertThat(take(seen)).isEqualTo("11false");
        session.close();
        assertThat(isEmpty(queue)).isTrue();
    }

    @ParameterizedTest
    @Section("8.7")
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldGoOnAfterAListenerFailedWhereTheClientDecides(int mode) throws Exception {
        Queue queue = filled("0", "1");
        Session session = session(mode);
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        session.createConsumer(queue).setMessageListener(listener(message -> {
            seen.add(text(message));
            throw new UnsupportedOperationException("failed on purpose");
        }));
        assertThat(take(seen)).isEqualTo("0");
        assertThat(take(seen)).isEqualTo("1");
        session.close();
        assertThat(seen).isEmpty();
        assertThat(left(queue)).isEqualTo("0 again");
    }

    @ParameterizedTest
    @Section("8.7")
    @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void shouldRecoverOrRollBackFromAListener(int mode) throws Exception {
        Session session = session(mode);
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        session.createConsumer(filled("0", "1")).setMessageListener(listener(message -> {
            seen.add(text(message) + message.getIntProperty("JMSXDeliveryCount"));
            if (text(message).equals("1") && !message.getJMSRedelivered()) {
                if (mode == Session.CLIENT_ACKNOWLEDGE) {
                    session.recover();
                } else {
                    session.rollback();
                }
            }
        }));
        assertThat(take(seen)).isEqualTo("01");
        assertThat(take(seen)).isEqualTo("11");
        assertThat(take(seen)).isEqualTo("02");
        assertThat(take(seen)).isEqualTo("12");
    }

    @Test
    @Section("8.7")
    void shouldChangeTheListener() throws Exception {
        Session session = session();
        Queue queue = queue(session);
        MessageConsumer consumer = session().createConsumer(queue);
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        consumer.setMessageListener(listener(message -> seen.add("first " + text(message))));
        send(session, queue, "0");
        assertThat(take(seen)).isEqualTo("first 0");
        consumer.setMessageListener(listener(message -> seen.add("second " + text(message))));
        send(session, queue, "1");
        assertThat(take(seen)).isEqualTo("second 1");
        consumer.setMessageListener(null);
        send(session, queue, "2");
        assertThat(takeText(consumer)).isEqualTo("2");
    }

    @Test
    @Section("8.8")
    void shouldRefuseUseAfterItsEnd() throws JMSException {
        Session session = session();
        MessageConsumer consumer = session.createConsumer(queue(session), "TRUE");
        consumer.close();
        consumer.close();
        assertThatThrownBy(consumer::receive).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(consumer::getMessageSelector).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.setMessageListener(message -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("8.8")
    void shouldEndAReceiveWithNothing() throws Exception {
        Session session = session();
        MessageConsumer consumer = session.createConsumer(queue(session));
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Message> received = aside(() -> {
            begun.countDown();
            return consumer.receive();
        });
        await(begun);
        assertThat(received).isNotDone();
        consumer.close();
        awaitNothing(received);
    }

    @Test
    @Section("8.8")
    void shouldWaitForItsListenerBeforeItEnds() throws Exception {
        MessageConsumer consumer = session().createConsumer(filled("0", "1"));
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        BlockingQueue<String> done = new LinkedBlockingQueue<>();
        consumer.setMessageListener(listener(message -> {
            running.countDown();
            await(mayEnd);
            done.add(text(message));
        }));
        await(running);
        Aside closing = new Aside(() -> {
            consumer.close();
            assertThat(done).isNotEmpty();
        });
        awaitHeldUp(closing);
        mayEnd.countDown();
        await(closing.ended());
    }

    @Test
    @Section("8.8")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "0 again",
            because = "the end of the session may overtake the acknowledgement of what the listener had",
            always = false)
    void shouldEndFromItsListenerWhichGoesOn() throws Exception {
        Queue queue = filled("0", "1");
        Queue later = filled("later");
        Session session = session();
        MessageConsumer consumer = session.createConsumer(queue);
        MessageConsumer next = session.createConsumer(later);
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        consumer.setMessageListener(listener(message -> {
            consumer.close();
            seen.add(text(message));
            next.setMessageListener(listener(other -> seen.add(text(other))));
        }));
        assertThat(take(seen)).isEqualTo("0");
        // A session calls one listener at a time: when it calls this one, the first message is acknowledged.
        assertThat(take(seen)).isEqualTo("later");
        session.close();
        assertThat(seen).isEmpty();
        assertThat(left(queue)).isEqualTo("1");
    }

    @Test
    @Section("8.8")
    void shouldAcknowledgeAfterTheConsumersEnd() throws JMSException {
        Queue queue = filled("0", "1");
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        Message message = take(consumer);
        consumer.close();
        message.acknowledge();
        session.close();
        assertThat(left(queue)).isEqualTo("1");
    }

    @Test
    @Section("8.8")
    void shouldCommitOrRollBackAfterTheConsumersEnd() throws JMSException {
        Queue queue = filled("0", "1");
        Session session = session(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(queue);
        take(consumer);
        consumer.close();
        session.rollback();
        MessageConsumer second = session.createConsumer(queue);
        Message again = take(second);
        assertThat(text(again)).isEqualTo("0");
        assertThat(again.getJMSRedelivered()).isTrue();
        second.close();
        session.commit();
        assertThat(left(queue)).isEqualTo("1");
    }

    @Test
    @Section("8.8")
    void shouldRecoverAfterTheConsumersEnd() throws JMSException {
        Queue queue = filled("0");
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        take(consumer);
        consumer.close();
        session.recover();
        Message again = take(session.createConsumer(queue));
        assertThat(text(again)).isEqualTo("0");
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    @Section("8.8")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "but was true",
            because =
                    "it settles nothing when it closes: what it had fetched counts as delivered, as the broker cannot know")
    void shouldLeaveInOrderWhatItDidNotDeliver() throws JMSException {
        Queue queue = filled("0", "1", "2", "3");
        Session session = session();
        MessageConsumer consumer = session.createConsumer(queue);
        take(consumer);
        consumer.close();
        MessageConsumer next = session.createConsumer(queue);
        for (int i = 1; i < 4; i++) {
            Message message = take(next);
            assertThat(text(message)).isEqualTo("" + i);
            assertThat(message.getJMSRedelivered()).isFalse();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        }
    }

    @Test
    @Section("8.4")
    void shouldReceiveNothingWhileTheConnectionIsStopped() throws JMSException {
        Connection connection = connectStopped();
        Session session = connection.createSession();
        Queue queue = queue(session);
        MessageConsumer consumer = session.createConsumer(queue);
        send(session, queue, "text");
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();
        assertThat(takeText(consumer)).isEqualTo("text");
    }
}
