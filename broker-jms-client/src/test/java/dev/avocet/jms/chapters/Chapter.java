package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the tests of all chapters need: connections that are closed after the test, names of the test's own, and
 * patience.
 */
@ExtendWith(DifferenceCheck.class)
public abstract class Chapter {
    /** Long enough for a message that is there already to come, if it wrongly does. */
    static final long MOMENT_MS = 150;
    /** On a busy machine. */
    private static final Duration PATIENCE_OF_FETCH = Duration.ofSeconds(40);

    private final Provider provider;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private long patienceMs = 15_000;
    private boolean differs;

    Chapter(Provider provider) {
        this.provider = provider;
    }

    /** A call of the API. */
    @FunctionalInterface
    interface Call {
        void run() throws Exception;
    }

    final Provider provider() {
        return provider;
    }

    /** What is waited for may never come. */
    final void expectDifference() {
        patienceMs = 5_000;
        differs = true;
    }

    @AfterEach
    final void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    final long patienceMs() {
        return patienceMs;
    }

    final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    final Connection connectStopped() throws JMSException {
        return closing(provider.factory(null).createConnection());
    }

    final Connection connect() throws JMSException {
        Connection connection = connectStopped();
        connection.start();
        return connection;
    }

    final Connection connect(String clientId) throws JMSException {
        Connection connection = closing(provider.factory(clientId).createConnection());
        connection.start();
        return connection;
    }

    final Session session() throws JMSException {
        return connect().createSession();
    }

    final Session session(int mode) throws JMSException {
        return connect().createSession(mode);
    }

    final JMSContext context(int mode) {
        return closing(provider.factory(null).createContext(mode));
    }

    final JMSContext context() {
        return context(JMSContext.AUTO_ACKNOWLEDGE);
    }

    static String unique(String name) {
        return name + "-" + UUID.randomUUID();
    }

    static Queue queue(Session session) throws JMSException {
        return session.createQueue(unique("queue"));
    }

    static Topic topic(Session session) throws JMSException {
        return session.createTopic(unique("topic"));
    }

    /** A queue with messages of these texts in it. */
    final Queue filled(String... texts) throws JMSException {
        Session session = session();
        Queue queue = queue(session);
        send(session, queue, texts);
        return queue;
    }

    static void send(Session session, Destination to, String... texts) throws JMSException {
        try (MessageProducer producer = session.createProducer(to)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    static void send(Session session, Destination to, Message message) throws JMSException {
        try (MessageProducer producer = session.createProducer(to)) {
            producer.send(message);
        }
    }

    final Message take(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(patienceMs);
        assertThat(message).as("a message within the time").isNotNull();
        return message;
    }

    static String text(Message message) throws JMSException {
        return message.getBody(String.class);
    }

    final String takeText(MessageConsumer consumer) throws JMSException {
        return text(take(consumer));
    }

    final List<String> takeTexts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(takeText(consumer));
        }
        return texts;
    }

    /** The text of the next message of a queue, and whether it was delivered before. */
    final String left(Queue queue) throws JMSException {
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        Message message = take(session.createConsumer(queue));
        String left = text(message) + (message.getJMSRedelivered() ? " again" : "");
        session.close();
        return left;
    }

    final boolean isEmpty(Queue queue) throws JMSException {
        Session session = session(Session.CLIENT_ACKNOWLEDGE);
        boolean empty = session.createConsumer(queue).receiveNoWait() == null;
        session.close();
        return empty;
    }

    /**
     * Returns when the session's client has fetched all of a queue, where it differs by that: a browser sees nothing
     * that waits, and what the provider did before it answered the client once more has been sent.
     */
    final void awaitFetched(Session session, Queue queue) throws JMSException {
        if (differs) {
            Session browsing = session();
            Awaitility.await().pollInSameThread().atMost(PATIENCE_OF_FETCH).until(() -> seesNothing(browsing, queue));
            session.createProducer(queue).close();
        }
    }

    private static boolean seesNothing(Session session, Queue queue) throws JMSException {
        try (QueueBrowser browser = session.createBrowser(queue)) {
            return !browser.getEnumeration().hasMoreElements();
        }
    }

    /** Sends it from one session to another and returns what arrived. */
    final Message passed(Session session, Message message) throws JMSException {
        Queue queue = queue(session);
        send(session, queue, message);
        return take(session.createConsumer(queue));
    }

    static List<String> names(Enumeration<?> names) {
        return Collections.list(names).stream().map(Object::toString).toList();
    }

    final <T> T take(BlockingQueue<T> from) throws InterruptedException {
        T taken = from.poll(patienceMs, TimeUnit.MILLISECONDS);
        assertThat(taken).as("something within the time").isNotNull();
        return taken;
    }

    final void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(patienceMs, TimeUnit.MILLISECONDS))
                .as("within the time")
                .isTrue();
    }

    final <T> @Nullable T await(CompletableFuture<T> future) throws Exception {
        return future.get(patienceMs, TimeUnit.MILLISECONDS);
    }

    /** The call waits for others. */
    final void awaitHeldUp(Aside call) throws InterruptedException {
        if (differs) {
            call.join(patienceMs);
        }
        call.awaitWaiting();
    }

    /** It ends without a message, or came too late to begin. */
    final void awaitNothing(CompletableFuture<Message> receive) throws Exception {
        Boolean nothing = await(receive.handle((message, e) -> message == null));
        assertThat(nothing).isTrue();
    }

    /** Runs it on a thread of its own. */
    static <T> CompletableFuture<T> aside(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(task.call());
                    } catch (Exception e) {
                        result.completeExceptionally(e);
                    }
                },
                "aside");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    static CompletableFuture<Void> asideRun(Call call) {
        return aside(() -> {
            call.run();
            return null;
        });
    }

    /** A listener that may throw whatever the API throws. */
    static MessageListener listener(Listening listening) {
        return message -> {
            try {
                listening.on(message);
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /** See {@link #listener}. */
    @FunctionalInterface
    interface Listening {
        void on(Message message) throws JMSException, InterruptedException;
    }

    /** A call on a thread of its own, which is expected to wait for others. */
    static final class Aside {
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private final Thread thread;

        Aside(Call call) {
            thread = new Thread(
                    () -> {
                        try {
                            call.run();
                            ended.complete(null);
                        } catch (Exception | AssertionError e) {
                            ended.completeExceptionally(e);
                        }
                    },
                    "aside");
            thread.setDaemon(true);
            thread.start();
        }

        CompletableFuture<Void> ended() {
            return ended;
        }

        void join(long patienceMs) throws InterruptedException {
            thread.join(patienceMs);
        }

        /** Returns when it waits, and fails when it has ended instead. */
        void awaitWaiting() {
            while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
                assertThat(ended).isNotDone();
                Thread.onSpinWait();
            }
        }
    }
}
