package dev.avocet.amqp.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.security.provider.CertificateAuthenticator;
import dev.avocet.core.security.provider.CertificateUse;
import dev.avocet.core.security.user.InMemoryUsers;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.TlsContext;
import dev.avocet.core.tls.TlsLibrary;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.core.tls.client.ClientCertificates;
import dev.avocet.core.tls.client.ClientTrust;
import dev.avocet.core.tls.key.CipherClass;
import dev.avocet.core.tls.key.KeySource;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.testkit.PolicyFixture;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins by the certificate that a client shows, with SASL EXTERNAL. */
final class QpidExternalTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Test CA");
    private static final CertificateUse COMMON_NAME_IS_USER = new CertificateUse(true, false, false);

    @TempDir
    private Path directory;

    private TlsContext tls;
    private QpidJms jms;

    @BeforeEach
    void start() throws TlsException {
        Issued server = AUTHORITY.issue("localhost");
        KeySource key = new KeySource.Pem(
                server.writeCertificate(directory.resolve("server.pem")),
                server.writeKey(directory.resolve("server.key")),
                null);
        ClientTrust trust = new ClientTrust(List.of(AUTHORITY.writeTo(directory.resolve("ca.pem"))), List.of());
        TlsOptions options = new TlsOptions(
                key,
                trust,
                TlsVersion.TLS_1_2,
                CipherClass.MEDIUM,
                false,
                ClientCertificates.REQUEST,
                TlsLibrary.BEST,
                TlsOptions.DEFAULT_HANDSHAKE_TIMEOUT_MS,
                TlsOptions.DEFAULT_MAX_HANDSHAKES);
        tls = TlsContext.load("test", options, new SystemClock());
        jms = QpidJms.start(TestBroker.with(QpidJms.frontEnd(new CertificateAuthenticator(
                        COMMON_NAME_IS_USER, new InMemoryUsers(Map.of()), new AnonymousAuthenticator())))
                .tls(tls));
    }

    @AfterEach
    void stop() throws JMSException {
        jms.close();
        tls.close();
    }

    @Test
    void shouldKnowAClientByItsCertificate() throws JMSException {
        // given
        jms.apply(new PolicyFixture()
                .topic(
                        "own",
                        Map.of("ClientID", "*", "Topic", "devices/${UserID}/*", "ActionList", "Publish,Subscribe")));

        try (Connection connection = factory(AUTHORITY.issue("device-7")).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createTopic("devices/device-7/in"));

            // when
            session.createProducer(session.createTopic("devices/device-7/in")).send(session.createTextMessage("x"));

            // then
            Message message = consumer.receive(30_000);
            assertThat(message.getBody(String.class)).isEqualTo("x");
            assertThatThrownBy(() -> session.createConsumer(session.createTopic("devices/device-8/in")))
                    .isInstanceOf(JMSSecurityException.class);
        }
    }

    @Test
    void shouldOfferItToNobodyWithoutACertificate() {
        assertThatThrownBy(() -> factory(null).createConnection().start()).isInstanceOf(JMSException.class);

        assertThat(jms.broker().count(Counter.SESSIONS)).isZero();
    }

    private JmsConnectionFactory factory(Issued own) {
        JmsConnectionFactory factory =
                new JmsConnectionFactory("amqps://localhost:" + jms.broker().port()
                        + "?amqp.saslMechanisms=EXTERNAL&jms.connectTimeout=60000&jms.requestTimeout=60000");
        factory.setSslContext(AUTHORITY.clientContext(own, "TLSv1.3"));
        return factory;
    }
}
