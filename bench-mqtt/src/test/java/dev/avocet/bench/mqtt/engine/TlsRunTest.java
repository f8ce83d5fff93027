package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.bench.mqtt.engine.plan.RunPlan.Own;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Tls;
import dev.avocet.bench.mqtt.files.ClientList;
import dev.avocet.bench.mqtt.files.Positions;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.core.config.object.security.TlsVersion;
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
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients with TLS, before a broker that wants to see their certificates. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsRunTest {
    private final TestAuthority authority = new TestAuthority("bench");

    private Path folder;
    private TlsContext tls;
    private TestBroker broker;
    private String trusted;
    private String certificate;
    private String key;

    @BeforeAll
    void start(@TempDir Path shared) throws TlsException {
        folder = shared;
        Issued server = authority.issueRsa("localhost");
        Issued client = authority.issue("client");
        Path authorityFile = authority.writeTo(folder.resolve("ca.pem"));
        trusted = authorityFile.toString();
        certificate = client.writeCertificate(folder.resolve("client.pem")).toString();
        key = client.writeKey(folder.resolve("client.key")).toString();
        KeySource serverKey = new KeySource.Pem(
                server.writeCertificate(folder.resolve("server.pem")),
                server.writeKey(folder.resolve("server.key")),
                null);
        tls = TlsContext.load(
                "test",
                new TlsOptions(
                        serverKey,
                        new ClientTrust(List.of(authorityFile), List.of()),
                        TlsVersion.TLS_1_2,
                        CipherClass.MEDIUM,
                        true,
                        ClientCertificates.REQUIRE,
                        TlsLibrary.BEST,
                        5_000,
                        1_000),
                new SystemClock());
        broker = Brokers.withTls(tls);
    }

    @AfterAll
    void stop() {
        broker.close();
        tls.close();
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3,,",
        "TLSv1.2,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,",
        "TLSv1.2,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,/mqtt"
    })
    void shouldShowCertificates(String protocol, @Nullable String cipher, @Nullable String webSocketPath) {
        // given
        Plans run = plans(
                new Tls(trusted, List.of(protocol), cipher == null ? List.of() : List.of(cipher), certificate, key));
        run.webSocketPath = webSocketPath;

        // when
        RunResult result = run.run();

        // then
        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.tally().received()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldResumeSessionsAndTellTheirShare(String protocol) {
        // given
        Plans run = plans(new Tls(trusted, List.of(protocol), List.of(), certificate, key, null, true));
        run.producers = 0;
        run.consumers = 0;
        run.idle = 30;

        // when
        RunResult result = run.run();

        // then
        Map<String, Long> handshakes = result.counts().get("tls");
        assertThat(handshakes.get("resumed handshakes")).isPositive();
        assertThat(handshakes.get("full handshakes")).isPositive();
        assertThat(handshakes.get("full handshakes") + handshakes.get("resumed handshakes"))
                .isEqualTo(30);
        assertThat(handshakes.get("percent resumed")).isEqualTo(handshakes.get("resumed handshakes") * 100 / 30);
        assertThat(result.latencies().get("resumed").samples()).isEqualTo(handshakes.get("resumed handshakes"));
    }

    @Test
    void shouldSayWhichSuitesTheServerRefuses() {
        // given a suite that the broker does not take
        Plans run = plans(
                new Tls(trusted, List.of("TLSv1.2"), List.of("TLS_RSA_WITH_AES_256_GCM_SHA384"), certificate, key));

        // when
        RunResult result = run.run();

        // then
        assertThat(result.verdict().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("the server takes none of the cipher suites")
                        .contains("TLS_RSA_WITH_AES_256_GCM_SHA384 with TLSv1.2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{i}", "{id}"})
    void shouldShowACertificateOfEachClientsOwn(String placeholder) {
        // given three clients, of whom the last has a certificate that the broker does not trust
        TestAuthority other = new TestAuthority("other");
        for (int i = 0; i < 3; i++) {
            Issued own = (i < 2 ? authority : other).issue("client " + i);
            own.writeCertificate(folder.resolve("own-" + i + ".pem"));
            own.writeKey(folder.resolve("own-" + i + ".key"));
            own.writeCertificate(folder.resolve("own-bi" + i + ".pem"));
            own.writeKey(folder.resolve("own-bi" + i + ".key"));
        }
        String files = folder.resolve("own-").toString() + placeholder;
        Plans run = plans(new Tls(trusted, List.of("TLSv1.2"), List.of(), files + ".pem", files + ".key"));
        run.producers = 0;
        run.consumers = 0;
        run.idle = 3;

        // when
        RunResult result = run.run();

        // then
        assertThat(result.connections()).isEqualTo(2);
        assertThat(result.verdict().reasons())
                .anySatisfy(reason -> assertThat(reason).startsWith("1 connections were refused"));
    }

    @Test
    void shouldShowTheCertificatesOfAList() throws IOException {
        // given one client with a certificate of its own, one with that of the options, and one with one that nobody
        // trusts
        Issued own = authority.issueRsa("ada");
        Issued untrusted = new TestAuthority("other").issue("eve");
        Path list = Files.writeString(folder.resolve("clients.json"), """
                [{"_id": "ada", "clientCertPath": "%s", "clientKeyPath": "%s", "publishTopics": [{"topicStr": "listed", "qos": 1}]},
                 {"_id": "bob", "subscriptions": [{"topicStr": "listed", "qos": 1}]},
                 {"_id": "eve", "clientCertPath": "%s", "clientKeyPath": "%s"}]""".formatted(
                        own.writeCertificate(folder.resolve("ada.pem")),
                        own.writeKey(folder.resolve("ada.key")),
                        untrusted.writeCertificate(folder.resolve("eve.pem")),
                        untrusted.writeKey(folder.resolve("eve.key"))));
        Plans run = plans(new Tls(trusted, List.of("TLSv1.2"), List.of(), certificate, key));
        run.own = new Own(ClientList.read(list), List.of());

        // when
        RunResult all = run.run();
        run.own = new Own(ClientList.read(list), List.of(), Positions.of("1-2"));
        RunResult trustedOnes = run.run();

        // then
        assertThat(all.connections()).isEqualTo(2);
        assertThat(trustedOnes.verdict().outcome())
                .as("%s", trustedOnes.verdict())
                .isEqualTo(Outcome.PASSED);
        assertThat(trustedOnes.tally().received()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"nowhere-{i}, nowhere-0.pem cannot be read", "folder-{i}, folder-0.key is not a key without a password"
    })
    void shouldSayWhichFileCannotBeUsed(String name, String message) throws IOException {
        Files.copy(Path.of(certificate), folder.resolve("folder-0.pem"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(Path.of(certificate), folder.resolve("folder-0.key"), StandardCopyOption.REPLACE_EXISTING);
        String files = folder.resolve(name).toString();
        Plans run = plans(new Tls(trusted, List.of(), List.of(), files + ".pem", files + ".key"));
        run.producers = 1;
        run.consumers = 0;

        assertThatThrownBy(run::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldBeRefusedWithoutACertificate() {
        RunResult result = plans(new Tls(trusted, List.of("TLSv1.2"), List.of(), null, null))
                .run();

        assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.connections()).isZero();
    }

    @Test
    void shouldNotTrustASignatureOfSomebodyElse() {
        Path other = new TestAuthority("other").writeTo(folder.resolve("other.pem"));

        RunResult result = plans(new Tls(other.toString(), List.of(), List.of(), certificate, key))
                .run();

        assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.connections()).isZero();
    }

    private Plans plans(Tls withTls) {
        Plans run = new Plans(broker.port());
        run.tls = withTls;
        run.qos = 1;
        run.measureMs = 100;
        run.schedule = RateSchedule.fixed(100);
        return run;
    }
}
