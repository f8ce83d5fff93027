package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The broker is killed between prepare and commit. */
@InTurn
@Timeout(value = 3, unit = TimeUnit.MINUTES) // it starts three JVMs
final class XaKillTest {
    private static final String ONCE = "?reconnect=false";
    private static final long PATIENCE_MS = 30_000;
    private static final long MOMENT_MS = 200;

    @TempDir
    private Path directory;

    @Test
    void shouldHaveWhatIsPreparedWhenItWasKilled() throws Exception {
        // given
        BranchName committed = new BranchName(1);
        BranchName rolledBack = new BranchName(2);
        BranchName unprepared = new BranchName(3);
        try (BrokerJvm broker = BrokerJvm.start(directory)) {
            XAConnection connection = new AvocetConnectionFactory(broker.url() + ONCE).createXAConnection();
            connection.start();
            Session plain = connection.createSession();
            Queue in = plain.createQueue("in");
            Queue out = plain.createQueue("out");
            for (String text : new String[] {"one", "two", "three"}) {
                plain.createProducer(in).send(plain.createTextMessage(text));
            }
            XASession session = connection.createXASession();
            MessageConsumer consumer = session.createConsumer(in);
            forward(session, committed, consumer, out);
            session.getXAResource().prepare(committed);
            forward(session, rolledBack, consumer, out);
            session.getXAResource().prepare(rolledBack);
            forward(session, unprepared, consumer, out);
        }

        // when
        try (BrokerJvm broker = BrokerJvm.start(directory);
                XAConnection connection = new AvocetConnectionFactory(broker.url() + ONCE).createXAConnection()) {
            connection.start();
            XAResource resource = connection.createXASession().getXAResource();

            // then
            Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
            assertThat(found).extracting(Xid::getFormatId).containsExactly(1, 2);
            resource.commit(found[0], false);
            resource.rollback(rolledBack);
            Session plain = connection.createSession();
            MessageConsumer out = plain.createConsumer(plain.createQueue("out"));
            assertThat(text(out)).isEqualTo("one");
            assertThat(out.receive(MOMENT_MS)).isNull();
            MessageConsumer in = plain.createConsumer(plain.createQueue("in"));
            assertThat(new String[] {text(in), text(in)}).containsExactlyInAnyOrder("two", "three");
            assertThat(in.receive(MOMENT_MS)).isNull();
        }

        // when
        try (BrokerJvm broker = BrokerJvm.start(directory);
                XAConnection connection = new AvocetConnectionFactory(broker.url() + ONCE).createXAConnection()) {
            // then
            assertThat(connection.createXASession().getXAResource().recover(XAResource.TMSTARTRSCAN))
                    .isEmpty();
        }
    }

    private static void forward(XASession session, Xid xid, MessageConsumer from, Queue to) throws Exception {
        session.getXAResource().start(xid, XAResource.TMNOFLAGS);
        session.createProducer(to).send(session.createTextMessage(text(from)));
        session.getXAResource().end(xid, XAResource.TMSUCCESS);
    }

    private static String text(MessageConsumer consumer) throws Exception {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        return message.getBody(String.class);
    }
}
