package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Branches of global transactions: the client of this house, and the broker with a store. */
@InTurn
final class XaTest {
    private static final long PATIENCE_MS = 30_000;
    private static final long MOMENT_MS = 200;

    @TempDir
    private Path data;

    private ServerUnderTest server;
    private final List<Connection> connections = new ArrayList<>();

    private Session plain;
    private Queue in;
    private Queue out;
    private MessageConsumer result;
    private XAConnection connection;
    private XASession session;
    private XAResource resource;

    @BeforeEach
    void start() throws Exception {
        server = new ServerUnderTest(data);
        plain = started(factory().createConnection()).createSession();
        in = plain.createQueue("in");
        out = plain.createQueue("out");
        result = plain.createConsumer(out);
        connection = connectXa();
        session = connection.createXASession();
        resource = session.getXAResource();
    }

    @AfterEach
    void stop() throws JMSException {
        for (Connection each : connections) {
            each.close();
        }
        server.close();
    }

    @Test
    void shouldCommitInTwoPhasesWhatIsSentAndConsumed() throws Exception {
        // given
        send(plain, in, "one");
        MessageConsumer consumer = session.createConsumer(in);
        Xid xid = new BranchName(1);

        // when
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThat(text(consumer)).isEqualTo("one");
        send(session, out, "two");
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);

        // then
        assertThat(result.receive(MOMENT_MS)).isNull();
        assertThat(recovered()).containsExactly(xid);

        // when
        resource.commit(xid, false);

        // then
        assertThat(text(result)).isEqualTo("two");
        assertThat(consumer.receive(MOMENT_MS)).isNull();
        assertThat(recovered()).isEmpty();
    }

    @Test
    void shouldCommitInOnePhase() throws Exception {
        Xid xid = new BranchName(1);

        work(xid, "one");
        resource.commit(xid, true);

        assertThat(text(result)).isEqualTo("one");
    }

    @Test
    void shouldGiveBackWhatARolledBackBranchHasConsumed() throws Exception {
        // given
        send(plain, in, "one", "two", "three");
        MessageConsumer consumer = session.createConsumer(in);
        Xid xid = new BranchName(1);
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThat(text(consumer)).isEqualTo("one");
        assertThat(text(consumer)).isEqualTo("two");
        send(session, out, "never");
        resource.end(xid, XAResource.TMFAIL);

        // when
        assertXa(XAException.XA_RBROLLBACK, () -> resource.prepare(xid));

        // then
        Message again = consumer.receive(PATIENCE_MS);
        assertThat(again.getBody(String.class)).isEqualTo("one");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(texts(consumer, 2)).containsExactly("two", "three");
        assertThat(result.receive(MOMENT_MS)).isNull();
        assertXa(XAException.XAER_NOTA, () -> resource.rollback(xid));
    }

    @Test
    void shouldRollBackWhatIsPrepared() throws Exception {
        // given
        send(plain, in, "one");
        MessageConsumer consumer = session.createConsumer(in);
        Xid xid = new BranchName(1);
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThat(text(consumer)).isEqualTo("one");
        send(session, out, "never");
        resource.end(xid, XAResource.TMSUCCESS);
        resource.prepare(xid);

        // when
        resource.rollback(xid);

        // then
        assertThat(text(consumer)).isEqualTo("one");
        assertThat(result.receive(MOMENT_MS)).isNull();
        assertThat(recovered()).isEmpty();
    }

    @Test
    void shouldSayThatNothingWasDone() throws Exception {
        Xid xid = new BranchName(1);
        resource.start(xid, XAResource.TMNOFLAGS);
        resource.end(xid, XAResource.TMSUCCESS);

        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_RDONLY);

        assertXa(XAException.XAER_NOTA, () -> resource.commit(xid, false));
        resource.start(xid, XAResource.TMNOFLAGS);
        resource.end(xid, XAResource.TMSUCCESS);
        resource.rollback(xid);
    }

    @Test
    void shouldHaveSessionsOfAConnectionJoin() throws Exception {
        // given
        XASession other = connection.createXASession();
        Xid xid = new BranchName(1);
        assertThat(resource.isSameRM(other.getXAResource())).isTrue();
        assertThat(resource.isSameRM(connectXa().createXASession().getXAResource()))
                .isFalse();

        // when
        resource.start(xid, XAResource.TMNOFLAGS);
        send(session, out, "one");
        other.getXAResource().start(xid, XAResource.TMJOIN);
        send(other, out, "two");
        assertXa(XAException.XAER_PROTO, () -> resource.prepare(xid));
        resource.end(xid, XAResource.TMSUCCESS);
        assertXa(XAException.XAER_PROTO, () -> resource.commit(xid, true));
        other.getXAResource().end(xid, XAResource.TMSUCCESS);
        resource.commit(xid, true);

        // then
        assertThat(texts(result, 2)).containsExactly("one", "two");
    }

    @Test
    void shouldDoWhatIsDoneWhileABranchIsSuspendedAtOnce() throws Exception {
        // given
        Xid first = new BranchName(1);
        Xid second = new BranchName(2);
        resource.start(first, XAResource.TMNOFLAGS);
        send(session, out, "first");
        resource.end(first, XAResource.TMSUSPEND);

        // when
        send(session, out, "outside");
        resource.start(second, XAResource.TMNOFLAGS);
        send(session, out, "second");
        assertXa(XAException.XAER_PROTO, () -> resource.start(first, XAResource.TMRESUME));
        resource.end(second, XAResource.TMSUCCESS);
        assertXa(XAException.XAER_PROTO, () -> resource.start(second, XAResource.TMRESUME));
        resource.start(first, XAResource.TMRESUME);
        send(session, out, "first again");
        resource.end(first, XAResource.TMSUCCESS);

        // then
        assertThat(text(result)).isEqualTo("outside");
        resource.commit(second, true);
        assertThat(text(result)).isEqualTo("second");
        resource.commit(first, true);
        assertThat(texts(result, 2)).containsExactly("first", "first again");
    }

    @Test
    void shouldRefuseWhatIsOutOfOrder() throws Exception {
        Xid xid = new BranchName(1);
        Xid unknown = new BranchName(2);

        assertXa(XAException.XAER_NOTA, () -> resource.end(unknown, XAResource.TMSUCCESS));
        assertXa(XAException.XAER_NOTA, () -> resource.start(unknown, XAResource.TMJOIN));
        assertXa(XAException.XAER_NOTA, () -> resource.prepare(unknown));
        assertXa(XAException.XAER_NOTA, () -> resource.commit(unknown, false));
        assertXa(XAException.XAER_NOTA, () -> resource.commit(unknown, true));
        assertXa(XAException.XAER_NOTA, () -> resource.rollback(unknown));
        assertXa(XAException.XAER_NOTA, () -> resource.forget(unknown));
        assertXa(XAException.XAER_INVAL, () -> resource.start(new BranchName(-1), XAResource.TMNOFLAGS));
        assertXa(XAException.XAER_INVAL, () -> resource.start(xid, XAResource.TMFAIL));
        assertXa(XAException.XAER_INVAL, () -> resource.recover(XAResource.TMJOIN));
        assertXa(XAException.XAER_INVAL, () -> resource.setTransactionTimeout(-1));

        work(xid, "one");
        assertXa(XAException.XAER_DUPID, () -> resource.start(xid, XAResource.TMNOFLAGS));
        assertXa(XAException.XAER_PROTO, () -> resource.end(xid, XAResource.TMSUCCESS));
        assertXa(XAException.XAER_PROTO, () -> resource.commit(xid, false));
        assertXa(XAException.XAER_PROTO, () -> resource.forget(xid));
        XAResource elsewhere = connectXa().createXASession().getXAResource();
        assertXa(XAException.XAER_DUPID, () -> elsewhere.start(xid, XAResource.TMNOFLAGS));
        assertXa(XAException.XAER_PROTO, () -> elsewhere.commit(xid, false));

        resource.prepare(xid);
        assertXa(XAException.XAER_DUPID, () -> resource.start(xid, XAResource.TMNOFLAGS));
        assertXa(XAException.XAER_NOTA, () -> resource.prepare(xid));
        resource.rollback(xid);
    }

    @Test
    void shouldRollBackABranchThatTakesTooLong() throws Exception {
        // given
        assertThat(resource.setTransactionTimeout(1)).isTrue();
        assertThat(resource.getTransactionTimeout()).isEqualTo(1);
        send(plain, in, "one");
        MessageConsumer consumer = session.createConsumer(in);
        Xid xid = new BranchName(1);
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThat(text(consumer)).isEqualTo("one");
        resource.end(xid, XAResource.TMSUCCESS);
        consumer.close();

        // when
        assertThat(text(plain.createConsumer(in)))
                .as("given back when time is up")
                .isEqualTo("one");

        // then
        assertXa(XAException.XA_RBTIMEOUT, () -> resource.prepare(xid));
        assertXa(XAException.XAER_NOTA, () -> resource.rollback(xid));
    }

    @Test
    void shouldEndWhatIsPreparedThroughAnotherConnectionAndAfterARestart() throws Exception {
        // given
        Topic topic = plain.createTopic("news");
        plain.createSharedDurableConsumer(topic, "reader").close();
        send(plain, in, "consumed", "kept");
        MessageConsumer consumer = session.createConsumer(in);
        Xid committed = new BranchName(1);
        Xid rolledBack = new BranchName(2);
        Xid unprepared = new BranchName(3);
        resource.start(committed, XAResource.TMNOFLAGS);
        assertThat(text(consumer)).isEqualTo("consumed");
        send(session, topic, "published");
        resource.end(committed, XAResource.TMSUCCESS);
        resource.prepare(committed);
        resource.start(rolledBack, XAResource.TMNOFLAGS);
        assertThat(text(consumer)).isEqualTo("kept");
        resource.end(rolledBack, XAResource.TMSUCCESS);
        resource.prepare(rolledBack);
        work(unprepared, "never");

        // when
        connection.close();
        XAResource later = connectXa().createXASession().getXAResource();
        assertThat(later.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN))
                .hasSize(2);
        server.restart();
        later = connectXa().createXASession().getXAResource();

        // then
        assertThat(xids(later.recover(XAResource.TMSTARTRSCAN))).containsExactly(committed, rolledBack);
        assertThat(later.recover(XAResource.TMNOFLAGS)).isEmpty();
        assertThat(later.recover(XAResource.TMENDRSCAN)).isEmpty();
        later.commit(committed, false);
        later.rollback(rolledBack);
        XAResource other = later;
        assertXa(XAException.XAER_NOTA, () -> other.rollback(unprepared));
        assertThat(later.recover(XAResource.TMSTARTRSCAN)).isEmpty();
        Session reading = started(factory().createConnection()).createSession();
        assertThat(text(reading.createSharedDurableConsumer(topic, "reader"))).isEqualTo("published");
        MessageConsumer left = reading.createConsumer(in);
        assertThat(text(left)).isEqualTo("kept");
        assertThat(left.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldSayThatABranchWentWithItsLine() throws Exception {
        // given
        Xid xid = new BranchName(1);
        Xid prepared = new BranchName(2);
        work(prepared, "survives");
        resource.prepare(prepared);
        work(xid, "never");

        // when
        server.restart();

        // then
        await().ignoreExceptions().untilAsserted(() -> assertThat(recovered()).containsExactly(prepared));
        assertXa(XAException.XA_RBCOMMFAIL, () -> resource.prepare(xid));
        resource.commit(prepared, false);
        work(xid, "again");
        resource.commit(xid, true);
        List<String> received = texts(result, 2);
        assertThat(received).containsExactly("survives", "again");
    }

    @Test
    void shouldFindManyBranchesInDoubt() throws Exception {
        // given
        int count = 100;
        for (int i = 1; i <= count; i++) {
            Xid xid = new BranchName(i);
            work(xid, "x");
            resource.prepare(xid);
        }

        // when
        List<Xid> found = recovered();

        // then
        assertThat(found).hasSize(count).doesNotHaveDuplicates();
        for (Xid xid : found) {
            resource.rollback(xid);
        }
        assertThat(recovered()).isEmpty();
    }

    @Test
    void shouldSayWhatAnAdministratorHasDecided() throws Exception {
        // given
        Xid committed = new BranchName(1);
        Xid rolledBack = new BranchName(2);
        work(committed, "one");
        resource.prepare(committed);
        work(rolledBack, "two");
        resource.prepare(rolledBack);

        // when
        assertThat(Objects.requireNonNull(server.broker().transactions()).commit(branch(committed)))
                .isEqualTo(TransactionOutcome.COMMITTED);
        assertThat(Objects.requireNonNull(server.broker().transactions()).rollback(branch(rolledBack)))
                .isEqualTo(TransactionOutcome.ROLLED_BACK);

        // then
        assertThat(recovered()).containsExactly(new BranchName(1), new BranchName(2));
        assertXa(XAException.XA_HEURCOM, () -> resource.commit(committed, false));
        assertXa(XAException.XA_HEURRB, () -> resource.commit(rolledBack, false));
        assertXa(XAException.XAER_DUPID, () -> resource.start(committed, XAResource.TMNOFLAGS));
        resource.forget(committed);
        resource.forget(rolledBack);
        assertThat(recovered()).isEmpty();
        assertXa(XAException.XAER_NOTA, () -> resource.commit(committed, false));
        assertThat(text(result)).isEqualTo("one");
        assertThat(result.receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldLeaveABranchToTheTransactionManagerWhenItsSessionIsClosed() throws Exception {
        // given
        send(plain, in, "one");
        MessageConsumer consumer = session.createConsumer(in);
        Xid xid = new BranchName(1);
        resource.start(xid, XAResource.TMNOFLAGS);
        assertThat(text(consumer)).isEqualTo("one");
        send(session, out, "two");

        // when
        session.close();
        resource.end(xid, XAResource.TMSUCCESS);
        resource.prepare(xid);
        resource.commit(xid, false);

        // then
        assertThat(text(result)).isEqualTo("two");
        assertThat(plain.createConsumer(in).receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldActAsAutoAcknowledgeOutsideOfBranches() throws Exception {
        send(plain, in, "one");

        assertThat(text(session.createConsumer(in))).isEqualTo("one");
        send(session, out, "two");
        session.close();

        assertThat(text(result)).isEqualTo("two");
        assertThat(plain.createConsumer(in).receive(MOMENT_MS)).isNull();
    }

    @Test
    void shouldLeaveCommitAndRollbackToTheTransactionManager() throws Exception {
        assertThat(session.getTransacted()).isTrue();
        assertThat(session.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThatThrownBy(session::commit).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(session::recover).isInstanceOf(IllegalStateException.class);
        assertThat(connection.createSession()).isNotInstanceOf(XASession.class);
    }

    @Test
    void shouldServeAllDomainsAndContexts() throws Exception {
        // given
        XAQueueConnection queues = factory().createXAQueueConnection();
        connections.add(queues);
        XATopicConnection topics = factory().createXATopicConnection(null, null);
        connections.add(topics);
        assertThat(queues.createXAQueueSession().getQueueSession()).isNotNull();
        assertThat(topics.createXATopicSession().getTopicSession()).isNotNull();

        try (XAJMSContext context = factory().createXAContext()) {
            Xid xid = new BranchName(1);

            // when
            context.getXAResource().start(xid, XAResource.TMNOFLAGS);
            context.getContext().createProducer().send(out, "one");
            context.getXAResource().end(xid, XAResource.TMSUCCESS);
            context.getXAResource().commit(xid, true);

            // then
            assertThat(text(result)).isEqualTo("one");
        }
    }

    /** A branch with one message to {@link #out}. */
    private void work(Xid xid, String text) throws JMSException, XAException {
        resource.start(xid, XAResource.TMNOFLAGS);
        send(session, out, text);
        resource.end(xid, XAResource.TMSUCCESS);
    }

    private List<Xid> recovered() throws XAException {
        return xids(resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN));
    }

    private static List<Xid> xids(Xid[] found) {
        return Arrays.stream(found).map(BranchName::of).toList();
    }

    private static BranchId branch(Xid xid) {
        return new BranchId(xid.getFormatId(), xid.getGlobalTransactionId(), xid.getBranchQualifier());
    }

    private static void assertXa(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).as(e.getMessage()).isEqualTo(code));
    }

    private static void send(Session session, jakarta.jms.Destination to, String... texts) throws JMSException {
        try (MessageProducer producer = session.createProducer(to)) {
            for (String text : texts) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    private static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(text(consumer));
        }
        return all;
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        return message.getBody(String.class);
    }

    private AvocetConnectionFactory factory() {
        return new AvocetConnectionFactory(server.url() + "?reconnectDelay=20");
    }

    private XAConnection connectXa() throws JMSException {
        return started(factory().createXAConnection());
    }

    private <T extends Connection> T started(T made) throws JMSException {
        connections.add(made);
        made.start();
        return made;
    }
}
