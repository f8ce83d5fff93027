package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Queue;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged broker with {@code security.fips} and Bouncy Castle FIPS, whose jars lie where docs/security.md tells
 * administrators to put them.
 */
@InTurn
@Timeout(240)
class FipsLoginTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Test CA");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PASSWORD = "as long as it has to be";
    private static final String WRONG = "long enough, and wrong";
    private static final String SHORT = "pencil";
    private static final int GRANTED = 0;
    private static final int BAD_USER_NAME_OR_PASSWORD = 4;

    @TempDir
    private Path directory;

    private String url;

    @Test
    void shouldLetUsersInByEachProtocolWithApprovedCryptographyAlone() throws Exception {
        // given
        Path data = directory.resolve("data");
        Path security = Files.createDirectories(data.resolve("security"));
        Issued server = AUTHORITY.issue("localhost");
        server.writeCertificate(security.resolve("server.pem"));
        server.writeKey(security.resolve("server.key"));
        Path authority = AUTHORITY.writeTo(directory.resolve("ca.pem"));
        Path startup = Files.writeString(directory.resolve("broker.json"), """
                {"security": {"fips": true, "userFile": true, "allowAnonymous": "never"},
                 "store": {"mode": "os"},
                 "endpoints": [{"port": 0, "tls": {"certificate": "server.pem", "key": "server.key"}}]}""");
        try (Launched broker = Distribution.launchScript(
                FipsHome.make("fips-home").resolve("bin/broker"),
                Distribution.shortLived("128m"),
                "--data",
                data.toString(),
                "--config",
                startup.toString(),
                "--admin",
                "127.0.0.1:" + FreePort.next())) {
            broker.awaitLine("ready");
            url = "http://127.0.0.1:" + broker.adminPort();

            // then users are kept by PBKDF2, and have passwords that are long enough for what is approved
            assertThat(ask(HttpClient.newHttpClient(), "GET", "/ima/v1/configuration/FIPS", null)
                            .body())
                    .contains("\"FIPS\" : true");
            createUser(PASSWORD, 200);
            assertThat(createUser(SHORT, 400)).contains("FIPS 140 asks for passwords of 14 bytes or more");
            assertThat(Files.readString(security.resolve("users.json")))
                    .doesNotContain("argon2")
                    .contains("\"iterations\" : 100000");

            // and MQTT
            int port = broker.port();
            for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
                assertThat(connect(protocol, port, PASSWORD)).as(protocol).isEqualTo(GRANTED);
            }
            assertThat(connect("TLSv1.3", port, WRONG)).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
            assertThat(connect("TLSv1.3", port, SHORT)).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
            refuseOtherSuites(port);

            // and JMS
            useQueue("avocets://localhost:" + port + "?trustCertificates=" + authority);

            // and the administration, in the clear and over TLS
            administer(data, broker.adminPort());
        }
    }

    private String createUser(String password, int status) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                ask(HttpClient.newHttpClient(), "PUT", "/api/v1/user/anna", "{\"Password\": \"" + password + "\"}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return answer.body();
    }

    private static int connect(String protocol, int port, String password) throws IOException {
        try (SSLSocket socket = open(protocol, port)) {
            byte[] secret = password.getBytes(UTF_8);
            ByteBuffer packet = ByteBuffer.allocate(23 + secret.length)
                    .put(new byte[] {0x10, (byte) (21 + secret.length), 0, 4, 'M', 'Q', 'T', 'T', 4})
                    .put(new byte[] {(byte) 0xC2, 0, 0, 0, 1, 'c', 0, 4, 'a', 'n', 'n', 'a'})
                    .putShort((short) secret.length)
                    .put(secret);
            socket.getOutputStream().write(packet.array());
            int code = socket.getInputStream().readNBytes(4)[3];
            assertThat(socket.getSession().getCipherSuite()).contains("AES_256_GCM");
            return code;
        }
    }

    private static void refuseOtherSuites(int port) throws IOException {
        for (String suite : List.of("TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256")) {
            try (SSLSocket socket = open("TLSv1.3", port)) {
                socket.setEnabledCipherSuites(new String[] {suite});
                assertThatThrownBy(socket::startHandshake).as(suite).isInstanceOf(SSLException.class);
            }
        }
    }

    private static SSLSocket open(String protocol, int port) throws IOException {
        SSLSocket socket = (SSLSocket)
                AUTHORITY.clientContext(null, protocol).getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    private static void useQueue(String jms) {
        AvocetConnectionFactory factory = new AvocetConnectionFactory(jms);
        try (JMSContext context = factory.createContext("anna", PASSWORD)) {
            Queue orders = context.createTemporaryQueue();
            context.createProducer().send(orders, "here");
            assertThat(context.createConsumer(orders).receiveBody(String.class, PATIENCE.toMillis()))
                    .isEqualTo("here");
        }
        for (String bad : List.of(WRONG, SHORT)) {
            assertThatThrownBy(() -> factory.createContext("anna", bad).close())
                    .isInstanceOf(JMSSecurityRuntimeException.class);
        }
    }

    private void administer(Path data, int port) throws Exception {
        HttpClient plain = HttpClient.newHttpClient();
        String path = "/api/v1/configuration";
        assertThat(ask(plain, "POST", path, "{\"AdminUserPassword\": \"" + SHORT + "\"}")
                        .body())
                .contains("FIPS 140 asks for passwords of 14 bytes or more");
        assertThat(ask(plain, "POST", path, "{\"AdminUserPassword\": \"" + PASSWORD + "\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(ask(plain, "GET", path, null).statusCode()).isEqualTo(401);
        assertThat(ask(plain, "GET", path, null, SHORT).statusCode()).isEqualTo(401);
        assertThat(ask(
                                plain,
                                "POST",
                                path,
                                "{\"AdminEndpoint\": {\"SecurityProfile\": \"AdminDefaultSecProfile\"}}",
                                PASSWORD)
                        .statusCode())
                .isEqualTo(200);
        url = "https://127.0.0.1:" + port;
        HttpClient secured = HttpClient.newBuilder()
                .sslContext(trusting(data.resolve("files/AdminDefaultCert.pem")))
                .build();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> ask(secured, "GET", path, null, PASSWORD).statusCode(), Integer.valueOf(200)::equals);
        assertThat(ask(secured, "GET", path, null, WRONG).statusCode()).isEqualTo(401);
    }

    private HttpResponse<String> ask(HttpClient client, String verb, String path, @Nullable String body)
            throws IOException, InterruptedException {
        return ask(client, verb, path, body, "");
    }

    private HttpResponse<String> ask(
            HttpClient client, String verb, String path, @Nullable String body, String password)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .method(verb, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!password.isEmpty()) {
            String login = Base64.getEncoder().encodeToString(("admin:" + password).getBytes(UTF_8));
            request.header("Authorization", "Basic " + login);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static SSLContext trusting(Path certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(certificate)) {
            trusted.setCertificateEntry(
                    "admin", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
