package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chapter 7. */
public abstract class Producers extends Chapter {
    private Connection connection;
    private Session session;
    private Queue queue;
    private MessageProducer producer;

    protected Producers(Provider provider) {
        super(provider);
    }

    @BeforeEach
    final void prepare() throws JMSException {
        connection = connect();
        session = connection.createSession();
        queue = queue(session);
        producer = session.createProducer(queue);
    }

    /** Collects what happened to asynchronous sends. */
    private static final class Completions implements CompletionListener {
        private final BlockingQueue<Message> sent = new LinkedBlockingQueue<>();
        private final BlockingQueue<Exception> failed = new LinkedBlockingQueue<>();
        private volatile Thread thread;

        @Override
        public void onCompletion(Message message) {
            thread = Thread.currentThread();
            sent.add(message);
        }

        @Override
        public void onException(Message message, Exception exception) {
            failed.add(exception);
        }
    }

    /** Calls that when the message is sent, and tells what became of it. */
    private static final class Calling implements CompletionListener {
        private final Call call;
        private final CompletableFuture<Exception> outcome = new CompletableFuture<>();

        Calling(Call call) {
            this.call = call;
        }

        @Override
        public void onCompletion(Message message) {
            try {
                call.run();
                outcome.complete(null);
            } catch (Exception e) {
                outcome.complete(e);
            }
        }

        @Override
        public void onException(Message message, Exception exception) {
            outcome.complete(exception);
        }
    }

    @Test
    @Section("7.1")
    void shouldSendWhereTheProducerOrTheSendSays() throws JMSException {
        assertThat(producer.getDestination()).isEqualTo(queue);
        MessageProducer anywhere = session.createProducer(null);
        assertThat(anywhere.getDestination()).isNull();
        anywhere.send(queue, session.createTextMessage("0"));
        anywhere.send(queue, session.createTextMessage("1"), DeliveryMode.NON_PERSISTENT, 4, 0);
        assertThat(takeTexts(session.createConsumer(queue), 2)).containsExactly("0", "1");
    }

    @Test
    @Section("7.1")
    void shouldRefuseTheOtherWayOfSaying() throws JMSException {
        Message message = session.createMessage();
        assertThatThrownBy(() -> producer.send(queue, message)).isInstanceOf(UnsupportedOperationException.class);
        MessageProducer anywhere = session.createProducer(null);
        assertThatThrownBy(() -> anywhere.send(message)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> anywhere.send((Destination) null, message))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> producer.send(null)).isInstanceOf(MessageFormatException.class);
    }

    @Test
    @Section("7.4")
    void shouldBeginWithTheDefaults() throws JMSException {
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(4);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        assertThat(producer.getDisableMessageID()).isFalse();
        assertThat(producer.getDisableMessageTimestamp()).isFalse();
        assertThatThrownBy(() -> producer.setDeliveryMode(3)).isInstanceOf(JMSException.class);
    }

    @Test
    @Section("7.1")
    void shouldRefuseUseAfterItsEnd() throws JMSException {
        Message message = session.createMessage();
        producer.close();
        producer.close();
        assertThatThrownBy(() -> producer.send(message)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(producer::getDestination).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> producer.setPriority(1)).isInstanceOf(IllegalStateException.class);
    }

    // ----- 7.3: asynchronous sends.

    @ParameterizedTest
    @Section("7.3.1")
    @ValueSource(ints = {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT})
    void shouldTellThatAMessageIsSent(int mode) throws Exception {
        Completions completions = new Completions();
        Message message = session.createTextMessage("text");
        producer.send(message, mode, 4, 0, completions);
        assertThat(take(completions.sent)).isSameAs(message);
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        assertThat(message.getJMSDestination()).isEqualTo(queue);
        assertThat(completions.thread).isNotSameAs(Thread.currentThread());
        assertThat(left(queue)).isEqualTo("text");
    }

    @Test
    @Section("7.3")
    void shouldSendAsynchronouslyToAnyDestination() throws Exception {
        Completions completions = new Completions();
        MessageProducer anywhere = session.createProducer(null);
        anywhere.send(queue, session.createTextMessage("text"), completions);
        take(completions.sent);
        anywhere.send(queue, session.createTextMessage("more"), DeliveryMode.PERSISTENT, 4, 0, completions);
        take(completions.sent);
        assertThat(takeTexts(session.createConsumer(queue), 2)).containsExactly("text", "more");
    }

    @Test
    @Section("7.3.2")
    void shouldThrowWhatCanBeThrownAndCallNobody() throws Exception {
        Completions completions = new Completions();
        Message message = session.createMessage();
        MessageProducer anywhere = session.createProducer(null);
        assertThatThrownBy(() -> anywhere.send(null, message, completions))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> anywhere.send(message, completions)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> producer.send(queue, message, completions))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> producer.send(message, (CompletionListener) null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> producer.send(message, 1, 77, 0, completions)).isInstanceOf(JMSException.class);
        producer.send(message, completions);
        assertThat(take(completions.sent)).isSameAs(message);
        session.close();
        assertThat(completions.sent).isEmpty();
        assertThat(completions.failed).isEmpty();
    }

    @Test
    @Section("7.3.3")
    void shouldKeepTheOrderOfBothKindsOfSends() throws Exception {
        Completions completions = new Completions();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            TextMessage message = session.createTextMessage("" + i);
            sent.add("" + i);
            if (i % 7 == 0) {
                producer.send(message);
            } else {
                producer.send(message, completions);
            }
        }
        assertThat(takeTexts(session.createConsumer(queue), 100)).isEqualTo(sent);
    }

    @Test
    @Section("7.3.8")
    void shouldCallInTheOrderOfTheSends() throws Exception {
        Completions completions = new Completions();
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Message message = session.createTextMessage("" + i);
            messages.add(message);
            producer.send(message, i % 2 == 0 ? 1 : 2, 4, 0, completions);
        }
        for (Message message : messages) {
            assertThat(take(completions.sent)).isSameAs(message);
        }
    }

    @ParameterizedTest
    @Section("7.3.4")
    @ValueSource(strings = {"session", "connection"})
    void shouldWaitForCompletionsBeforeItEnds(String what) throws Exception {
        endWhileACompletionListenerRuns(what);
        assertThat(left(queue)).isEqualTo("text");
    }

    @Test
    @Section("7.3.4")
    @Differs(on = Run.QPID_CLIENT, seen = "not to be done", because = "it waits for the answers only")
    void shouldWaitForCompletionsBeforeTheProducerEnds() throws Exception {
        endWhileACompletionListenerRuns("producer");
        assertThat(left(queue)).isEqualTo("text");
    }

    @Test
    @Section("7.3.4")
    @Differs(on = Run.QPID_CLIENT, seen = "not to be done", because = "it waits for the answers only")
    void shouldWaitForCompletionsBeforeItCommits() throws Exception {
        endWhileACompletionListenerRuns("commit");
        assertThat(left(queue)).isEqualTo("text");
    }

    @Test
    @Section("7.3.4")
    @Differs(on = Run.QPID_CLIENT, seen = "not to be done", because = "it waits for the answers only")
    void shouldWaitForCompletionsBeforeItRollsBack() throws Exception {
        endWhileACompletionListenerRuns("rollback");
        assertThat(isEmpty(queue)).isTrue();
    }

    private void endWhileACompletionListenerRuns(String what) throws Exception {
        Session own = sessionThat(what);
        MessageProducer sending = own.createProducer(queue);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Calling calling = new Calling(() -> {
            running.countDown();
            await(mayEnd);
        });
        sending.send(own.createTextMessage("text"), calling);
        await(running);
        Aside ending = new Aside(() -> {
            end(what, own, sending);
            assertThat(calling.outcome).isDone();
        });
        try {
            awaitHeldUp(ending);
        } finally {
            mayEnd.countDown();
        }
        await(ending.ended());
        assertThat(await(calling.outcome)).isNull();
    }

    private Session sessionThat(String ends) throws JMSException {
        return connection.createSession(
                ends.equals("commit") || ends.equals("rollback")
                        ? Session.SESSION_TRANSACTED
                        : Session.AUTO_ACKNOWLEDGE);
    }

    private void end(String what, Session own, MessageProducer sending) throws JMSException {
        switch (what) {
            case "producer" -> sending.close();
            case "session" -> own.close();
            case "connection" -> connection.close();
            case "commit" -> own.commit();
            default -> own.rollback();
        }
    }

    @ParameterizedTest
    @Section("7.3.4")
    @ValueSource(strings = {"producer", "session", "connection", "commit", "rollback"})
    void shouldRefuseToEndFromACompletionListener(String what) throws Exception {
        Session own = sessionThat(what);
        MessageProducer sending = own.createProducer(queue);
        Calling calling = new Calling(() -> end(what, own, sending));
        sending.send(own.createTextMessage("text"), calling);
        assertThat(await(calling.outcome)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Section("7.3.8")
    void shouldCallOneCompletionListenerAtATime() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Calling first = new Calling(() -> {
            running.countDown();
            await(mayEnd);
        });
        MessageProducer other = session.createProducer(queue);
        Calling second = new Calling(() -> {});
        producer.send(session.createTextMessage("0"), first);
        await(running);
        other.send(session.createTextMessage("1"), second);
        assertThat(left(queue)).isEqualTo("0");
        assertThat(second.outcome).isNotDone();
        mayEnd.countDown();
        assertThat(await(second.outcome)).isNull();
        assertThat(first.outcome).isDone();
    }

    @Test
    @Section("7.3.4")
    void shouldCommitWhatWasSentAsynchronously() throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        Completions completions = new Completions();
        MessageProducer sending = transacted.createProducer(queue);
        sending.send(transacted.createTextMessage("0"), completions);
        sending.send(transacted.createTextMessage("1"), completions);
        transacted.commit();
        assertThat(takeTexts(session.createConsumer(queue), 2)).containsExactly("0", "1");
        assertThat(take(completions.sent)).isNotNull();
        assertThat(take(completions.sent)).isNotNull();
    }

    // ----- 7.8 and 7.9: time.

    private static void passAfter(long timeMs) {
        while (System.currentTimeMillis() <= timeMs) {
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    @Section("7.8")
    void shouldNotDeliverWhatHasExpired() throws JMSException {
        producer.setTimeToLive(50);
        Message message = session.createTextMessage("expired");
        producer.send(message);
        producer.send(session.createTextMessage("kept"), DeliveryMode.PERSISTENT, 4, 600_000);
        passAfter(System.currentTimeMillis() + 100); // the server may count from the arrival
        assertThat(takeText(session.createConsumer(queue))).isEqualTo("kept");
    }

    @Test
    @Section("7.8")
    void shouldNotDeliverToADurableSubscriptionWhatHasExpired() throws JMSException {
        Topic topic = topic(session);
        String name = unique("shared");
        session.createSharedDurableConsumer(topic, name).close();
        MessageProducer publisher = session.createProducer(topic);
        Message message = session.createTextMessage("expired");
        publisher.send(message, DeliveryMode.PERSISTENT, 4, 50);
        publisher.send(session.createTextMessage("kept"));
        passAfter(System.currentTimeMillis() + 100); // the server may count from the arrival
        MessageConsumer consumer = session.createSharedDurableConsumer(topic, name);
        assertThat(takeText(consumer)).isEqualTo("kept");
        consumer.close();
        session.unsubscribe(name);
    }

    @Test
    @Section("7.9")
    void shouldDeliverNotBeforeTheDeliveryTime() throws JMSException {
        producer.setDeliveryDelay(300);
        assertThat(producer.getDeliveryDelay()).isEqualTo(300);
        MessageConsumer consumer = session.createConsumer(queue);
        producer.send(session.createTextMessage("later"));
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("now"));
        assertThat(takeText(consumer)).isEqualTo("now");
        Message later = take(consumer);
        assertThat(text(later)).isEqualTo("later");
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(later.getJMSDeliveryTime());
    }

    @Test
    @Section("7.9")
    void shouldPublishNotBeforeTheDeliveryTime() throws JMSException {
        Topic topic = topic(session);
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer publisher = session.createProducer(topic);
        publisher.setDeliveryDelay(300);
        publisher.send(session.createTextMessage("later"));
        publisher.setDeliveryDelay(0);
        publisher.send(session.createTextMessage("now"));
        assertThat(takeText(consumer)).isEqualTo("now");
        Message later = take(consumer);
        assertThat(text(later)).isEqualTo("later");
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(later.getJMSDeliveryTime());
    }

    @Test
    @Section("7.9")
    void shouldPublishToTheSubscriptionsOfTheTimeOfTheSend() throws JMSException {
        Topic topic = topic(session);
        MessageConsumer early = session.createConsumer(topic);
        MessageProducer publisher = session.createProducer(topic);
        publisher.setDeliveryDelay(200);
        publisher.send(session.createTextMessage("delayed"));
        MessageConsumer late = session().createConsumer(topic);
        assertThat(takeText(early)).isEqualTo("delayed");
        assertThat(late.receiveNoWait()).isNull();
    }

    @Test
    @Section("7.9")
    void shouldDelayWhatATransactionSendsFromTheSend() throws JMSException {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer sending = transacted.createProducer(queue);
        sending.setDeliveryDelay(200);
        Message message = transacted.createTextMessage("later");
        sending.send(message);
        transacted.commit();
        Message later = take(session.createConsumer(queue));
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(message.getJMSDeliveryTime());
        assertThat(later.getJMSDeliveryTime()).isEqualTo(message.getJMSDeliveryTime());
    }
}
