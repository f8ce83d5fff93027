package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two connections in the global transactions of a transaction manager, Narayana. */
final class TransactionManagerTest {
    private static final long PATIENCE_MS = 30_000;
    private static final long MOMENT_MS = 200;
    private static final String NODE = "1";

    @TempDir
    private Path data;

    private final TransactionManager manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
    private final List<Connection> connections = new ArrayList<>();
    private ServerUnderTest server;
    private Session plain;
    private Queue in;
    private Queue out;
    private XAConnection sending;
    private XASession receiver;
    private XASession sender;
    private MessageConsumer consumer;

    @BeforeAll
    static void configure(@TempDir Path log) throws Exception {
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(NODE);
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        jtaPropertyManager.getJTAEnvironmentBean().setXaRecoveryNodes(List.of(NODE));
        RecoveryEnvironmentBean recovery = recoveryPropertyManager.getRecoveryEnvironmentBean();
        recovery.setRecoveryBackoffPeriod(1);
        recovery.setRecoveryListener(false);
        recovery.setRecoveryActivatorClassNames(List.of());
        recovery.setExpiryScannerClassNames(List.of());
        recovery.setRecoveryModuleClassNames(
                List.of(AtomicActionRecoveryModule.class.getName(), XARecoveryModule.class.getName()));
    }

    @BeforeEach
    void start() throws Exception {
        server = new ServerUnderTest(data);
        plain = started(factory().createConnection()).createSession();
        in = plain.createQueue("in");
        out = plain.createQueue("out");
        plain.createProducer(in).send(plain.createTextMessage("one"));
        receiver = started(factory().createXAConnection()).createXASession();
        sending = started(factory().createXAConnection());
        sender = sending.createXASession();
        consumer = receiver.createConsumer(in);
    }

    @AfterEach
    void stop() throws JMSException {
        for (Connection each : connections) {
            each.close();
        }
        server.close();
    }

    @Test
    void shouldCommitAndRollBackWhatTwoConnectionsDo() throws Exception {
        // when
        forward(sender.getXAResource());
        manager.rollback();

        // then
        MessageConsumer result = plain.createConsumer(out);
        assertThat(result.receive(MOMENT_MS)).isNull();

        // when
        forward(sender.getXAResource());
        manager.commit();

        // then
        assertThat(text(result)).isEqualTo("one");
        assertThat(consumer.receive(MOMENT_MS)).isNull();
        assertThat(inDoubt()).isZero();
    }

    @Test
    void shouldCommitInOnePhaseWhatTwoSessionsOfAConnectionDo() throws Exception {
        // given
        XASession other = sending.createXASession();
        manager.begin();
        manager.getTransaction().enlistResource(sender.getXAResource());
        sender.createProducer(out).send(sender.createTextMessage("one"));
        manager.getTransaction().enlistResource(other.getXAResource());
        other.createProducer(out).send(other.createTextMessage("two"));

        // when
        manager.commit();

        // then
        MessageConsumer result = plain.createConsumer(out);
        assertThat(text(result)).isEqualTo("one");
        assertThat(text(result)).isEqualTo("two");
    }

    @Test
    void shouldRecoverWhatLostItsConnectionBetweenPrepareAndCommit() throws Exception {
        // given
        forward(new LosingItsConnection(sender.getXAResource(), sending));
        manager.commit();
        MessageConsumer result = plain.createConsumer(out);
        assertThat(result.receive(MOMENT_MS)).isNull();
        assertThat(inDoubt()).isEqualTo(1);
        server.restart();

        // when
        RecoveryManager recovery = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        recovery.initialize();
        XARecoveryModule.getRegisteredXARecoveryModule()
                .addXAResourceRecoveryHelper(new Helper(factory(), connections));
        recovery.scan();

        // then
        assertThat(text(result)).isEqualTo("one");
        assertThat(inDoubt()).isZero();
    }

    private void forward(XAResource resource) throws Exception {
        manager.begin();
        manager.getTransaction().enlistResource(receiver.getXAResource());
        manager.getTransaction().enlistResource(resource);
        sender.createProducer(out).send(sender.createTextMessage(text(consumer)));
    }

    private int inDoubt() throws Exception {
        try (XAConnection connection = factory().createXAConnection()) {
            return connection.createXASession().getXAResource().recover(XAResource.TMSTARTRSCAN).length;
        }
    }

    private static String text(MessageConsumer from) throws JMSException {
        Message message = from.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        return message.getBody(String.class);
    }

    private AvocetConnectionFactory factory() {
        return new AvocetConnectionFactory(server.url() + "?reconnectDelay=20");
    }

    private <T extends Connection> T started(T made) throws JMSException {
        connections.add(made);
        made.start();
        return made;
    }

    /** What the transaction manager asks after a crash. */
    private record Helper(AvocetConnectionFactory factory, List<Connection> connections)
            implements XAResourceRecoveryHelper {
        @Override
        public boolean initialise(String parameter) {
            return true;
        }

        @Override
        public XAResource[] getXAResources() throws JMSException {
            XAConnection made = factory.createXAConnection();
            connections.add(made);
            return new XAResource[] {made.createXASession().getXAResource()};
        }
    }

    /** Its connection is lost when it is to commit. */
    private record LosingItsConnection(XAResource real, Connection connection) implements XAResource {
        @Override
        public void commit(Xid xid, boolean onePhase) throws XAException {
            try {
                connection.close();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
            real.commit(xid, onePhase);
        }

        @Override
        public void end(Xid xid, int flags) throws XAException {
            real.end(xid, flags);
        }

        @Override
        public void forget(Xid xid) throws XAException {
            real.forget(xid);
        }

        @Override
        public int getTransactionTimeout() throws XAException {
            return real.getTransactionTimeout();
        }

        @Override
        public boolean isSameRM(XAResource other) throws XAException {
            return real.isSameRM(other);
        }

        @Override
        public int prepare(Xid xid) throws XAException {
            return real.prepare(xid);
        }

        @Override
        public Xid[] recover(int flags) throws XAException {
            return real.recover(flags);
        }

        @Override
        public void rollback(Xid xid) throws XAException {
            real.rollback(xid);
        }

        @Override
        public boolean setTransactionTimeout(int seconds) throws XAException {
            return real.setTransactionTimeout(seconds);
        }

        @Override
        public void start(Xid xid, int flags) throws XAException {
            real.start(xid, flags);
        }
    }
}
