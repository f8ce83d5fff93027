package dev.avocet.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.security.admission.AnonymousAdmission;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.TlsContext;
import dev.avocet.core.tls.TlsLibrary;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.core.tls.client.ClientCertificates;
import dev.avocet.core.tls.client.ClientTrust;
import dev.avocet.core.tls.key.CipherClass;
import dev.avocet.core.tls.key.KeySource;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** go-amqp. It closes links and cannot only detach them: a subscription is left by leaving the connection. */
final class GoAmqpTest extends AmqpClientScenarios {
    @Override
    AmqpProcess start() {
        return new AmqpProcess(ForeignClients.goAmqp(), Map.of());
    }

    @Override
    void leaveSubscription() {
        client.ask("disconnect");
        connect("traveller");
        sender("out", "topic", "news");
    }

    @Test
    void shouldSendAndReceiveWithTls(@TempDir Path directory) throws TlsException {
        TestAuthority authority = new TestAuthority("Test CA");
        Issued server = authority.issue("localhost");
        Path trusted = authority.writeTo(directory.resolve("ca.pem"));
        TlsOptions options = new TlsOptions(
                new KeySource.Pem(
                        server.writeCertificate(directory.resolve("server.pem")),
                        server.writeKey(directory.resolve("server.key")),
                        null),
                new ClientTrust(List.of(), List.of()),
                TlsVersion.TLS_1_2,
                CipherClass.MEDIUM,
                false,
                ClientCertificates.NONE,
                TlsLibrary.BEST,
                TlsOptions.DEFAULT_HANDSHAKE_TIMEOUT_MS,
                TlsOptions.DEFAULT_MAX_HANDSHAKES);
        TlsContext tls = TlsContext.load("test", options, new SystemClock());
        try (TestBroker secure = TestBroker.with(frontEnd(new AnonymousAdmission(new AnonymousAuthenticator())))
                .tls(tls)
                .start()) {
            client.ask(
                    "connect",
                    "port",
                    "" + secure.port(),
                    "container",
                    "someone",
                    "mechanism",
                    "ANONYMOUS",
                    "trust",
                    trusted.toString());
            receiver("in", "queue", "orders");
            sender("out", "queue", "orders");

            assertThat(send("hello")).isEqualTo("accepted");

            credit(1);
            assertThat(receive()).containsEntry("value", "hello");
            settle("accepted");
            client.ask("disconnect");
        } finally {
            tls.close();
        }
    }
}
