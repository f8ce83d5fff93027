package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.jms.InDoubtException;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.util.List;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * When a commit goes out, and what the application hears of it. Commit() begins the next transaction: a server that
 * sees its declaration knows that the commit would have come before, if it did not have to wait.
 */
final class CommitTest {
    private static final String ASKED = "coordinator [amqp:local-transactions, avocet:all-or-nothing]";
    private static final String NOT_ASKED = "coordinator [amqp:local-transactions]";
    private static final String FULL = "amqp:resource-limit-exceeded";

    private TransactionScript script;
    private ScriptedServer server;
    private Connection connection;
    private Session session;
    private MessageProducer producer;

    @AfterEach
    void close() throws IOException, JMSException {
        server.close();
        connection.close();
    }

    @Test
    void shouldNotWaitForTheAnswersToWhatWasSent() throws Exception {
        // given
        script = new TransactionScript(true, true);
        connect("");

        // when
        send(2);
        session.commit();

        // then
        await().untilAsserted(() ->
                assertThat(script.asked).containsExactly(ASKED, "declare", "message", "message", "COMMIT", "declare"));
    }

    /** What a server does not offer it is not asked for: some refuse a coordinator of whom they know not all. */
    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    void shouldWaitForTheAnswersWhereTheServerDoesNotOfferOrGrantIt(final boolean offers, final boolean grants)
            throws Exception {
        // given
        script = new TransactionScript(offers, grants);
        script.onDeclared(number -> {
            if (number == 2) {
                script.acceptHeld();
            }
        });
        connect("");

        // when
        send(2);
        session.commit();

        // then
        assertThat(script.asked)
                .containsExactly(offers ? ASKED : NOT_ASKED, "declare", "message", "message", "declare", "COMMIT");
    }

    @Test
    void shouldNotAskForItWhenTheApplicationWaitsForEachMessageItself() throws Exception {
        script = new TransactionScript(true, true).onMessage(TransactionScript::accept);
        connect("?asyncTransactionSend=false");

        send(1);
        session.commit();

        assertThat(script.asked).startsWith(NOT_ASKED).contains("COMMIT");
    }

    @Test
    void shouldWaitUntilAllMessagesAreOut() throws Exception {
        // given
        script = new TransactionScript(true, true).credit(1);
        script.onDeclared(number -> {
            if (number == 2) {
                script.link().addCredit(1);
            }
        });
        connect("");

        // when
        send(2);
        session.commit();

        // then
        assertThat(script.asked).containsExactly(ASKED, "declare", "message", "declare", "message", "COMMIT");
    }

    @Test
    void shouldFailWhenAMessageIsRefusedBehindTheCommit() throws Exception {
        // given
        script = new TransactionScript(true, true);
        script.onDischarge(transaction -> {
            final var held = script.takeHeld();
            TransactionScript.reject(held.get(0), FULL, "no room");
            TransactionScript.accept(held.get(1));
            script.onDischarge(script::answer);
            TransactionScript.fail(transaction);
        });
        connect("");

        // when
        send(2);

        // then
        assertThatThrownBy(session::commit)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("no room")
                .hasCauseInstanceOf(ResourceAllocationException.class);
        send(1);
        session.commit();
    }

    @Test
    void shouldSayWhyTheServerRollsBackWhereItRefusedNoMessage() throws Exception {
        script = new TransactionScript(true, true);
        script.onDischarge(transaction -> {
            script.acceptHeld();
            TransactionScript.fail(transaction);
        });
        connect("");

        send(2);

        assertThatThrownBy(session::commit)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("all of it");
    }

    /** It is known by then that nothing will come of it, with whatever server. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldRollBackWhenAMessageIsRefusedBeforeTheCommitIsOut(final boolean allOrNothing) throws Exception {
        // given
        script = new TransactionScript(allOrNothing, allOrNothing).credit(1);
        script.onDeclared(number -> {
            if (number == 2) {
                script.takeHeld().forEach(message -> TransactionScript.reject(message, FULL, "no room"));
                script.onMessage(TransactionScript::accept);
                script.link().addCredit(1);
            }
        });
        connect("");

        // when
        send(2);

        // then
        assertThatThrownBy(session::commit)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("no room");
        assertThat(script.asked).endsWith("declare", "message", "declare", "message", "ROLLBACK");
    }

    /** The messages behind that are lost without an answer. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldFailWhenTheLinkIsDetachedInTheMiddle(final boolean behindTheCommit) throws Exception {
        // given
        script = new TransactionScript(true, true);
        script.onMessage(message -> {
            TransactionScript.accept(message);
            script.onMessage(lost -> {
                if (!behindTheCommit) {
                    detach();
                }
            });
        });
        script.onDischarge(transaction -> {
            if (behindTheCommit) {
                detach();
                TransactionScript.fail(transaction);
            } else {
                script.answer(transaction);
            }
        });
        connect("");

        // when
        send(3);

        // then
        assertThatThrownBy(session::commit)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("too large");
        assertThat(script.asked).contains(behindTheCommit ? "COMMIT" : "ROLLBACK");
    }

    private void detach() {
        script.link().setCondition(new ErrorCondition(Symbol.valueOf("amqp:link:message-size-exceeded"), "too large"));
        script.link().close();
    }

    @Test
    void shouldBeInDoubtWhenTheLineIsLostBehindTheCommit() throws Exception {
        // given
        script = new TransactionScript(true, true);
        script.onDischarge(transaction -> {
            script.onDischarge(script::answer);
            server.cut();
        });
        connect("");

        // when
        send(2);

        // then
        assertThatThrownBy(session::commit).isInstanceOf(InDoubtException.class);
        send(1);
        session.commit();
    }

    @Test
    void shouldBeRolledBackWhenTheLineIsLostBeforeTheCommitIsOut() throws Exception {
        // given
        script = new TransactionScript(true, true).credit(1);
        script.onDeclared(number -> {
            if (number == 2) {
                script.credit(100);
                server.cut();
            }
        });
        connect("");

        // when
        send(2);

        // then
        assertThatThrownBy(session::commit)
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("the connection was lost");
        assertThat(script.asked).containsExactly(ASKED, "declare", "message", "declare");
        send(1);
        session.commit();
        assertThat(List.copyOf(script.asked).subList(4, 8)).containsExactly(ASKED, "declare", "message", "COMMIT");
    }

    /** Section 7.3.4: they have all been told when commit() returns, and that is why it asks no sooner. */
    @Test
    void shouldTellCompletionListenersBeforeTheCommitGoesOut() throws Exception {
        // given
        script = new TransactionScript(true, true);
        script.onMessage(message -> {
            if (script.messages() == 1) {
                script.onMessage(TransactionScript::accept);
            }
            TransactionScript.accept(message);
        });
        connect("");

        // when
        for (int i = 0; i < 2; i++) {
            producer.send(session.createTextMessage("text"), new Telling(script.asked));
        }
        session.commit();

        // then
        assertThat(script.asked.indexOf("COMMIT")).isGreaterThan(script.asked.lastIndexOf("completed"));
        assertThat(script.asked.stream().filter("completed"::equals)).hasSize(2);
    }

    private void connect(final String options) throws Exception {
        server = new ScriptedServer(script);
        connection = new AvocetConnectionFactory("avocet://localhost:" + server.port() + options).createConnection();
        session = connection.createSession(Session.SESSION_TRANSACTED);
        producer = session.createProducer(session.createQueue("queue"));
    }

    /**
     * Sends so many in a transaction. When this returns all that may go out has, and what the server said about it is
     * known.
     */
    private void send(final int count) throws JMSException {
        final long before = script.messages();
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage("text " + i));
        }
        await().until(() -> script.messages() >= before + Math.min(count, script.credit()));
        session.createProducer(session.createQueue("round trip"));
    }

    /** Writes down that it was told. */
    private record Telling(List<String> told) implements CompletionListener {
        @Override
        public void onCompletion(final Message message) {
            told.add("completed");
        }

        @Override
        public void onException(final Message message, final Exception exception) {
            told.add("failed");
        }
    }
}
