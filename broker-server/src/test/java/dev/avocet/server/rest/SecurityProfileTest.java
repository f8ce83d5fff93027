package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.turn.InTurn;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.StringWriter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Endpoints with TLS by uploaded certificates and SecurityProfiles, and real clients with right and wrong certificates.
 */
@InTurn
class SecurityProfileTest {
    private static final long PUBLISH_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String WEB =
            "{\"CertificateProfile\": {\"web\": {\"Certificate\": \"server.pem\", \"Key\": \"server.key\"}}}";
    private static final TestAuthority AUTHORITY = new TestAuthority("Test CA");
    private static final TestAuthority STRANGER = new TestAuthority("Somebody else");

    @TempDir
    private Path data;

    @TempDir
    private Path work;

    private RestBroker rest;

    @BeforeEach
    void start() throws Exception {
        rest = RestBroker.start(data, "{\"security\": {\"allowAnonymous\": \"never\"}}");
        uploadServer(AUTHORITY.issue("localhost"));
        uploadCertificate("ca.pem", AUTHORITY.certificate());
        rest.configure(WEB);
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void shouldKnowClientsByTheCertificatesOfATrustedAuthority() throws Exception {
        // given: what is nobody's to publish but the client's own
        profile("\"UseClientCertificate\": true, \"UsePasswordAuthentication\": false");
        rest.configure("{\"TrustedCertificate\": {\"ca.pem\": {\"SecurityProfileName\": \"p\"}},"
                + " \"TopicPolicy\": {\"own\": {\"CommonNames\": \"plant*\", \"Topic\": \"of/${CommonName}/#\","
                + " \"ActionList\": \"Subscribe\"}, \"byName\": {\"UserID\": \"plant-2\", \"Topic\": \"named\","
                + " \"ActionList\": \"Subscribe\"}}}");
        int port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\", \"TopicPolicies\": \"own,byName\"");

        // when
        MqttClient one = connect(port, AUTHORITY.issue("plant-1"), null, "");
        MqttClient two = connect(port, AUTHORITY.issue("plant-2"), null, "");

        // then
        assertThat(isGranted(one, "of/plant-1/#")).isTrue();
        assertThat(isGranted(one, "of/plant-2/#")).isFalse();
        assertThat(isGranted(one, "named")).isFalse();
        assertThat(isGranted(two, "of/plant-2/#")).isTrue();
        assertThat(isGranted(two, "named")).isTrue();
        leave(one);
        leave(two);
        assertRefused(port, null);
        assertRefused(port, STRANGER.issue("plant-1"));
        assertRefused(port, AUTHORITY.issue("plant-1", now().minus(Duration.ofDays(1))));
    }

    @Test
    void shouldListenOnlyOnceThereIsSomethingToHoldCertificatesAgainst() throws Exception {
        // given
        profile("\"UseClientCertificate\": true, \"UsePasswordAuthentication\": false");
        int port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\"");
        assertThat(rest.get("/api/v1/service/status/Endpoint").body())
                .contains("neither a TrustedCertificate nor a ClientCertificate");

        // when
        Issued known = AUTHORITY.issue("known");
        uploadCertificate("known.pem", known.certificate());
        rest.configure("{\"ClientCertificate\": {\"known.pem\": {\"SecurityProfileName\": \"p\"}}}");

        // then: who is pinned comes in, and nobody else of the same authority
        leave(connect(port, known, null, ""));
        assertRefused(port, AUTHORITY.issue("known"));

        // when what was pinned has expired
        uploadCertificate("known.pem", AUTHORITY.issue("known").certificate());

        // then
        await().atMost(PATIENCE).untilAsserted(() -> assertRefused(port, known));
    }

    @Test
    void shouldRefuseAPinnedCertificateThatHasExpired() throws Exception {
        // given: it was valid when it was pinned
        profile("\"UseClientCertificate\": true, \"UsePasswordAuthentication\": false");
        Issued valid = AUTHORITY.issue("late");
        Issued expired = AUTHORITY.issue("late", now().minus(Duration.ofDays(1)));
        uploadCertificate("late.pem", valid.certificate());
        rest.configure("{\"ClientCertificate\": {\"late.pem\": {\"SecurityProfileName\": \"p\"}}}");
        uploadCertificate("late.pem", expired.certificate());

        // when
        int port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\"");

        // then
        assertThat(rest.get("/api/v1/service/status/Endpoint").body()).contains("\"Status\" : \"Listening\"");
        assertRefused(port, expired);
    }

    @Test
    void shouldAskForAPasswordBesideTheCertificate() throws Exception {
        // given
        profile("\"UseClientCertificate\": true");
        rest.configure("{\"TrustedCertificate\": {\"ca.pem\": {\"SecurityProfileName\": \"p\"}}}");
        rest.send("PUT", "/api/v1/user/anna", "{\"Password\": \"pencil\"}");
        int port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\"");

        // then
        leave(connect(port, AUTHORITY.issue("plant-1"), "anna", "pencil"));
        assertThatThrownBy(() -> connect(port, AUTHORITY.issue("plant-1"), "anna", "brush"))
                .isInstanceOf(MqttException.class);
        assertThatThrownBy(() -> connect(port, AUTHORITY.issue("plant-1"), null, ""))
                .isInstanceOf(MqttException.class);
        assertThatThrownBy(() -> connect(port, null, "anna", "pencil")).isInstanceOf(MqttException.class);
    }

    @Test
    void shouldLetInWhoHasNoPasswordOnlyWhereThatIsAllowed() throws Exception {
        // given
        rest.send("PUT", "/api/v1/user/anna", "{\"Password\": null}");
        rest.send("PUT", "/api/v1/user/bert", "{\"Password\": \"brush\"}");
        profile("\"AllowNullPassword\": true");
        int port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\"");

        // then
        leave(connect(port, null, "anna", ""));
        assertThatThrownBy(() -> connect(port, null, "anna", "x")).isInstanceOf(MqttException.class);
        assertThatThrownBy(() -> connect(port, null, "bert", "")).isInstanceOf(MqttException.class);

        // when
        rest.configure("{\"SecurityProfile\": {\"p\": {\"AllowNullPassword\": false}}}");

        // then
        assertThatThrownBy(() -> connect(port, null, "anna", "")).isInstanceOf(MqttException.class);
        leave(connect(port, null, "bert", "brush"));
    }

    @Test
    void shouldTakeNewCertificatesWithoutLosingConnectionsOrMessages() throws Exception {
        // given: somebody who publishes all the time
        profile("\"UsePasswordAuthentication\": false");
        int port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\"");
        MqttClient busy = connect(port, null, null, "");
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Integer> sent = CompletableFuture.supplyAsync(() -> publishUntil(busy, done));
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        rest.broker().meters().forEach(binder -> binder.bindTo(meters));
        String before = serverName(port);

        // when
        Issued renewed = AUTHORITY.issue("renewed", now().plus(Duration.ofDays(30)));
        uploadServer(renewed);

        // then
        await().atMost(PATIENCE).until(() -> serverName(port).contains("renewed"));
        assertThat(before).contains("localhost");
        assertThat(busy.isConnected()).isTrue();
        double expiry = renewed.certificate().getNotAfter().toInstant().getEpochSecond();
        await().atMost(PATIENCE)
                .until(() -> meters.get("avocet.certificate.expiry.seconds")
                                .tag("profile", "web")
                                .gauge()
                                .value()
                        == expiry);
        assertThat(rest.get("/api/v1/configuration/CertificateProfile/web").body())
                .contains("\"ExpirationDate\" : \""
                        + renewed.certificate().getNotAfter().toInstant());

        // when the profile itself is changed
        rest.configure("{\"SecurityProfile\": {\"p\": {\"Ciphers\": \"Best\"}}}");

        // then
        assertThat(serverName(port)).contains("renewed");
        done.set(true);
        assertThat(sent.join()).isPositive();
        assertThat(busy.isConnected()).isTrue();
        leave(busy);
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, Medium, false, TLSv1.2, refused",
        "TLSv1.3, Medium, false, TLSv1.3, TLS_AES_256_GCM_SHA384",
        "TLSv1, Medium, false, TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLSv1.2, Medium, true, TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLSv1.2, Best, true, TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLSv1.2, Fast, false, TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
    })
    void shouldSpeakWhatTheProfileSays(String minimum, String ciphers, boolean clientOrder, String spoken, String suite)
            throws Exception {
        // given: a client that would rather have short keys
        profile("\"MinimumProtocolMethod\": \"" + minimum + "\", \"Ciphers\": \"" + ciphers
                + "\", \"UseClientCipher\": " + clientOrder);
        int port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\"");
        try (SSLSocket socket = (SSLSocket)
                AUTHORITY.clientContext(null, spoken).getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.setEnabledProtocols(new String[] {spoken});
            if (spoken.equals("TLSv1.2")) {
                socket.setEnabledCipherSuites(new String[] {
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
                });
            }

            // then
            if (suite.equals("refused")) {
                assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
            } else {
                socket.startHandshake();
                assertThat(socket.getSession().getCipherSuite()).isEqualTo(suite);
            }
        }
    }

    @Test
    void shouldSayWhatIsWrongWithCertificatesBeforeTheyAreUsed() throws Exception {
        // given
        Issued server = AUTHORITY.issue("localhost");
        upload("other.key", Files.readAllBytes(AUTHORITY.issue("x").writeKey(work.resolve("k"))));
        upload("encrypted.key", encrypted(server).getBytes(UTF_8));
        Issued old = AUTHORITY.issue("old", now().minus(Duration.ofDays(1)));
        uploadCertificate("old.pem", old.certificate());
        upload("old.key", Files.readAllBytes(old.writeKey(work.resolve("k"))));
        upload("text.pem", "hello".getBytes(UTF_8));

        // then
        assertThat(profileProblem("none.pem", "server.key"))
                .contains("the file 'none.pem' is not there; upload it first", "\"Property\" : \"Certificate\"");
        assertThat(profileProblem("server.pem", "other.key"))
                .contains("the key in other.key does not belong to the first certificate in server.pem");
        assertThat(profileProblem("server.pem", "encrypted.key"))
                .contains("encrypted.key is encrypted", "openssl pkey", "\"Property\" : \"Key\"");
        assertThat(profileProblem("old.pem", "old.key")).contains("expired at");
        assertThat(profileProblem("text.pem", "server.key")).contains("text.pem is not a PEM file of certificates");
        assertThat(rest.send(
                                "POST",
                                "/api/v1/configuration",
                                "{\"TrustedCertificate\": {\"none.pem\": {\"SecurityProfileName\": \"p\"}}}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void shouldKeepFilesToItselfAndNotDeleteWhatIsUsed() throws Exception {
        // when
        HttpResponse<String> list = rest.get("/api/v1/file");

        // then
        assertThat(list.body())
                .contains("\"server.key\"", "\"UsedBy\" : [ \"CertificateProfile 'web'\" ]", "\"SizeBytes\"")
                .doesNotContain("BEGIN");
        assertThat(rest.get("/api/v1/file/server.key").statusCode()).isEqualTo(405);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("files/server.key"))))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("files"))))
                .isEqualTo("rwx------");
        assertThat(rest.send("DELETE", "/api/v1/file/server.key", null).statusCode())
                .isEqualTo(409);
        profile("");
        assertThat(rest.send("DELETE", "/api/v1/configuration/CertificateProfile/web", null)
                        .statusCode())
                .isEqualTo(409);
        upload("free.pem", new byte[] {1});
        assertThat(rest.send("DELETE", "/ima/v1/file/free.pem", null).statusCode())
                .isEqualTo(200);
        assertThat(rest.send("DELETE", "/ima/v1/file/free.pem", null).statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"%2E%2E%2Fusers.json", "..%2Fconfig", ".hidden", "a%00b", "a%2Fb", "a%20b", "-rf", "%C3%BC.pem"})
    void shouldTakeNoNameThatIsMoreThanAName(String name) throws Exception {
        assertThat(rest.sendBytes("PUT", "/api/v1/file/" + name, new byte[] {1}).statusCode())
                .isIn(400, 404);
        assertThat(rest.get("/api/v1/file").body()).doesNotContain("users", "hidden");
    }

    @Test
    void shouldTakeNoFileThatIsTooLargeOrEmpty() throws Exception {
        assertThat(rest.sendBytes("PUT", "/api/v1/file/large", new byte[(4 << 20) + 1])
                        .statusCode())
                .isEqualTo(413);
        assertThat(rest.sendBytes("PUT", "/api/v1/file/empty", new byte[0]).statusCode())
                .isEqualTo(400);
        assertThat(rest.get("/api/v1/file").body()).doesNotContain("large", "empty");
    }

    private void profile(String properties) throws Exception {
        rest.configure("{\"SecurityProfile\": {\"p\": {\"CertificateProfile\": \"web\""
                + (properties.isEmpty() ? "" : ", ") + properties + "}}}");
    }

    private String profileProblem(String certificate, String key) throws Exception {
        HttpResponse<String> refused = rest.send(
                "POST",
                "/api/v1/configuration",
                "{\"CertificateProfile\": {\"bad\": {\"Certificate\": \"" + certificate + "\", \"Key\": \"" + key
                        + "\"}}}");
        assertThat(refused.statusCode()).isEqualTo(400);
        return refused.body();
    }

    private void uploadServer(Issued server) throws Exception {
        uploadCertificate("server.pem", server.certificate());
        upload("server.key", Files.readAllBytes(server.writeKey(work.resolve("k"))));
    }

    private void uploadCertificate(String name, X509Certificate certificate) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(certificate);
        }
        upload(name, text.toString().getBytes(UTF_8));
    }

    private void upload(String name, byte[] bytes) throws Exception {
        HttpResponse<String> answer = rest.sendBytes("PUT", "/api/v1/file/" + name, bytes);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static String encrypted(Issued server) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(new JcaPKCS8Generator(
                    server.key(),
                    new JceOpenSSLPKCS8EncryptorBuilder(JcaPKCS8Generator.AES_256_CBC)
                            .setProvider(new BouncyCastleProvider())
                            .setRandom(new SecureRandom())
                            .setPassword("secret".toCharArray())
                            .build()));
        }
        return text.toString();
    }

    private static int publishUntil(MqttClient client, AtomicBoolean done) {
        int sent = 0;
        try {
            while (!done.get()) {
                client.publish("traffic", new byte[16], 1, false);
                LockSupport.parkNanos(PUBLISH_EVERY_NS); // Paho loses count of what is under way when it is hurried
                sent++;
            }
            return sent;
        } catch (MqttException e) {
            throw new AssertionError("after " + sent + " messages", e);
        }
    }

    /** The name in the certificate that a new connection is shown. */
    private static String serverName(int port) throws IOException {
        try (SSLSocket socket = (SSLSocket)
                AUTHORITY.clientContext(null, "TLSv1.3").getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.startHandshake();
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    private static void assertRefused(int port, @Nullable Issued certificate) {
        assertThatThrownBy(() -> connect(port, certificate, null, "")).isInstanceOf(MqttException.class);
    }

    private static MqttClient connect(int port, @Nullable Issued own, @Nullable String user, String password)
            throws MqttException {
        String clientId =
                own == null ? "client-" + user : "client-" + own.certificate().getSerialNumber();
        MqttClient client = new MqttClient("ssl://localhost:" + port, clientId, new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setSocketFactory(AUTHORITY.clientContext(own, "TLS").getSocketFactory());
        options.setAutomaticReconnect(false);
        if (user != null) {
            options.setUserName(user);
            options.setPassword(password.getBytes(UTF_8));
        }
        client.connect(options);
        return client;
    }

    private static boolean isGranted(MqttClient client, String filter) {
        try {
            return client.subscribe(filter, 1).getReasonCodes()[0] <= 1;
        } catch (MqttException e) {
            return false;
        }
    }

    private static void leave(MqttClient client) throws MqttException {
        client.disconnect();
        client.close();
    }

    private static Instant now() {
        return Instant.now();
    }
}
