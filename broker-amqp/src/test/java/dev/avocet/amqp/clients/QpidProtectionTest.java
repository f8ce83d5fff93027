package dev.avocet.amqp.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.policy.ProtectionPolicy;
import dev.avocet.testkit.PolicyFixture;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that knows nothing of protection, at destinations that take sealed messages only. */
final class QpidProtectionTest {
    private static final long PATIENCE_MS = 30_000;

    private QpidJms jms;

    @BeforeEach
    void start() {
        jms = QpidJms.start();
        jms.apply(
                fixture().with(ProtectionPolicy.class, "audit", Map.of("Topic", "audit/*", "Protection", "Integrity")));
    }

    @AfterEach
    void stop() throws JMSException {
        jms.close();
    }

    private static PolicyFixture fixture() {
        return new PolicyFixture()
                .topic("every", Map.of("ClientID", "*", "Topic", "*", "ActionList", "Publish,Subscribe"));
    }

    @Test
    void shouldRefuseWhatIsNotSealedAndGoOn() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        MessageConsumer consumer = session.createConsumer(session.createTopic("#"));
        MessageProducer producer = session.createProducer(null);

        // when
        assertThatThrownBy(() -> producer.send(session.createTopic("audit/1"), session.createTextMessage("no")))
                .hasMessageContaining("takes sealed messages only");
        producer.send(session.createTopic("other"), session.createTextMessage("yes"));

        // then
        assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo("yes");
    }

    @Test
    void shouldNotCommitWhatIsNotSealed() throws JMSException {
        // given
        Session watching = jms.connect().createSession();
        MessageConsumer consumer = watching.createConsumer(watching.createTopic("#"));
        Session session = jms.connect().createSession(Session.SESSION_TRANSACTED);
        Topic other = session.createTopic("other");

        // when
        session.createProducer(other).send(session.createTextMessage("with it"));
        session.createProducer(session.createTopic("audit/1")).send(session.createTextMessage("no"));

        // then
        assertThatThrownBy(session::commit).hasMessageContaining("a part of the transaction was refused before");
        session.createProducer(other).send(session.createTextMessage("later"));
        session.commit();
        assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo("later");
    }

    @Test
    void shouldTakeEverythingOnceThePolicyIsGone() throws JMSException {
        // given
        Session session = jms.connect().createSession();
        MessageConsumer consumer = session.createConsumer(session.createTopic("audit/#"));
        MessageProducer producer = session.createProducer(session.createTopic("audit/1"));

        // when
        jms.apply(fixture());
        producer.send(session.createTextMessage("plain"));

        // then
        assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo("plain");
    }
}
