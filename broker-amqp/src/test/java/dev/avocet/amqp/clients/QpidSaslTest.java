package dev.avocet.amqp.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.provider.UserAuthenticator;
import dev.avocet.core.security.user.InMemoryUsers;
import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.testkit.CheapHasher;
import dev.avocet.testkit.TestBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Session;
import java.security.SecureRandom;
import java.util.Map;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins by SASL, as Qpid JMS does them. */
final class QpidSaslTest {
    private QpidJms jms;

    @BeforeEach
    void start() {
        SecureRandom random = new SecureRandom();
        ScramCredential credential = ScramCredential.derive("secret".toCharArray(), new byte[16], 4_096);
        UserAuthenticator users = new UserAuthenticator(
                new InMemoryUsers(Map.of("ada", credential)), CheapHasher.create(), Runnable::run, random);
        jms = QpidJms.start(TestBroker.with(QpidJms.frontEnd(users, AmqpOptions.DEFAULT)));
    }

    @AfterEach
    void stop() throws JMSException {
        jms.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256"})
    void shouldLetInWhoKnowsThePassword(String mechanism) throws JMSException {
        // given
        JmsConnectionFactory factory = jms.factory("?amqp.saslMechanisms=" + mechanism);

        // when
        Connection connection = factory.createConnection("ada", "secret");
        connection.start();

        // then
        Session session = connection.createSession();
        session.createProducer(session.createTopic("t")).send(session.createTextMessage("hello"));
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256"})
    void shouldRefuseWhoDoesNot(String mechanism) {
        // given
        JmsConnectionFactory factory = jms.factory("?amqp.saslMechanisms=" + mechanism);

        // when, then
        assertThatThrownBy(() -> factory.createConnection("ada", "wrong").start())
                .isInstanceOf(JMSSecurityException.class);
        assertThat(jms.broker().count(Counter.AUTHENTICATION_FAILURES)).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhoSaysNoName() {
        assertThatThrownBy(() -> jms.factory().createConnection().start()).isInstanceOf(JMSSecurityException.class);
    }
}
