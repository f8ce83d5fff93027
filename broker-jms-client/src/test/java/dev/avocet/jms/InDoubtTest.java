package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The server has it, and its answer is lost with the line. */
final class InDoubtTest extends ServerTest {
    /** A call of JMS. */
    @FunctionalInterface
    private interface Call {
        void run() throws JMSException;
    }

    private static CompletableFuture<JMSException> failureOf(final Call call) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                call.run();
                return new JMSException("nothing failed");
            } catch (final JMSException e) {
                return e;
            }
        });
    }

    private static String text(final MessageConsumer consumer) throws JMSException {
        return consumer.receive(WAIT_MS).getBody(String.class);
    }

    @Test
    void shouldSayThatASendIsInDoubtAndSendItNoMore() throws Exception {
        final DeafProxy proxy = new DeafProxy(server.port());
        try (Connection connection =
                new AvocetConnectionFactory("avocet://localhost:" + proxy.port()).createConnection()) {
            final Session session = connection.createSession();
            final Queue queue = session.createQueue(unique("doubt"));
            final MessageProducer producer = session.createProducer(queue);
            final MessageConsumer direct = connect().createSession().createConsumer(queue);
            proxy.keepAnswers();

            final CompletableFuture<JMSException> failure =
                    failureOf(() -> producer.send(session.createTextMessage("doubtful")));
            assertThat(text(direct)).isEqualTo("doubtful");
            proxy.cut();

            assertThat(failure.get(WAIT_MS, TimeUnit.MILLISECONDS)).isInstanceOf(InDoubtException.class);
            producer.send(session.createTextMessage("next"));
            assertThat(text(direct)).isEqualTo("next");
        } finally {
            proxy.close();
        }
    }

    @Test
    void shouldSayThatACommitIsInDoubt() throws Exception {
        final DeafProxy proxy = new DeafProxy(server.port());
        try (Connection connection =
                new AvocetConnectionFactory("avocet://localhost:" + proxy.port()).createConnection()) {
            final Session session = connection.createSession(Session.SESSION_TRANSACTED);
            final Queue queue = session.createQueue(unique("doubt"));
            final MessageProducer producer = session.createProducer(queue);
            final MessageConsumer direct = connect().createSession().createConsumer(queue);
            // Told of its answer, so that only the commit's is missing.
            final CompletableFuture<Void> taken = new CompletableFuture<>();
            producer.send(session.createTextMessage("doubtful"), new TakenListener(taken));
            taken.get(WAIT_MS, TimeUnit.MILLISECONDS);
            proxy.keepAnswers();

            final CompletableFuture<JMSException> failure = failureOf(session::commit);
            assertThat(text(direct)).isEqualTo("doubtful");
            proxy.cut();

            assertThat(failure.get(WAIT_MS, TimeUnit.MILLISECONDS)).isInstanceOf(InDoubtException.class);
            producer.send(session.createTextMessage("next"));
            session.commit();
            assertThat(text(direct)).isEqualTo("next");
            assertThatThrownBy(session::recover).isInstanceOf(jakarta.jms.IllegalStateException.class);
        } finally {
            proxy.close();
        }
    }

    /** Completes when the server has the message. */
    private record TakenListener(CompletableFuture<Void> taken) implements jakarta.jms.CompletionListener {
        @Override
        public void onCompletion(final jakarta.jms.Message message) {
            taken.complete(null);
        }

        @Override
        public void onException(final jakarta.jms.Message message, final Exception exception) {
            taken.completeExceptionally(exception);
        }
    }
}
