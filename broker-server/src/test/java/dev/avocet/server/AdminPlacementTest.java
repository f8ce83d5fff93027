package dev.avocet.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.key.SelfSigned;
import dev.avocet.server.admin.AdminPlace;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Health;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.config.AdminConfig;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.RestApi;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestResponder;
import dev.avocet.testkit.turn.InTurn;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An administration that moves, and takes TLS up, while it is used. */
class AdminPlacementTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String TLS = "\"SecurityProfile\": \"AdminDefaultSecProfile\"";

    @TempDir
    private Path data;

    private ConfigurationStore objects;
    private UploadedFiles files;
    private AdminPlacement placement;
    private AdminServer server;
    private int port;

    @BeforeEach
    void start() throws Exception {
        port = FreePort.next();
        files = UploadedFiles.of(data);
        objects = ConfigurationStore.open(data.resolve("config"));
        objects.apply(
                ChangeReader.read(JsonTree.parse("test", "{\"AdminEndpoint\": {\"Port\": " + port + "}}")),
                ConfigurationStore.ANY_VERSION);
        begin();
    }

    @AfterEach
    void stop() {
        placement.close();
        server.close();
        objects.close();
    }

    @InTurn
    @Test
    void shouldMoveToAnotherPortWithTlsAndAnswerTheOneWhoMovedIt() throws Exception {
        // given
        HttpClient plain = HttpClient.newHttpClient();
        int next = FreePort.next();

        // when
        HttpResponse<String> moved = change(plain, "http://127.0.0.1:" + port, "\"Port\": " + next + ", " + TLS);

        // then
        assertThat(moved.statusCode()).isEqualTo(200);
        assertThat(moved.body()).contains("The administration listens at https://127.0.0.1:" + next + " now.");
        assertThat(get(trusting(), "https://127.0.0.1:" + next).statusCode()).isEqualTo(200);
        assertThat(get(trusting(), "https://localhost:" + next).statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> get(HttpClient.newHttpClient(), "http://127.0.0.1:" + port))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get(HttpClient.newHttpClient(), "https://127.0.0.1:" + next))
                .as("a client that does not trust the certificate")
                .isInstanceOf(IOException.class);
    }

    @InTurn
    @Test
    void shouldTakeUpTlsOnTheSamePortAndKeepItOverARestart() throws Exception {
        // when
        HttpResponse<String> secured = change(HttpClient.newHttpClient(), "http://127.0.0.1:" + port, TLS);

        // then
        assertThat(secured.body()).contains("https://127.0.0.1:" + port);
        assertThat(get(trusting(), "https://127.0.0.1:" + port).statusCode()).isEqualTo(200);

        // when
        placement.close();
        server.close();
        begin();

        // then
        assertThat(get(trusting(), "https://127.0.0.1:" + port).statusCode()).isEqualTo(200);
    }

    @InTurn
    @Test
    void shouldStayWhereItIsWhenItCannotMove() throws Exception {
        // given
        HttpClient plain = HttpClient.newHttpClient();
        try (ServerSocket occupant = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // when
            HttpResponse<String> stayed =
                    change(plain, "http://127.0.0.1:" + port, "\"Port\": " + occupant.getLocalPort());

            // then
            assertThat(stayed.body())
                    .contains("The administration stays at http://127.0.0.1:" + port, "cannot be used");
        }
        assertThat(get(plain, "http://127.0.0.1:" + port).statusCode()).isEqualTo(200);

        // when its certificate is gone
        Files.delete(files.folder().resolve("AdminDefaultCert.pem"));
        HttpResponse<String> noCertificate =
                change(plain, "http://127.0.0.1:" + port, "\"Port\": " + port + ", " + TLS);

        // then
        assertThat(noCertificate.body()).contains("The administration stays at http://127.0.0.1:" + port);
        assertThat(get(plain, "http://127.0.0.1:" + port).statusCode()).isEqualTo(200);
    }

    @InTurn
    @Test
    void shouldKnowAdministratorsByTheirCertificates() throws Exception {
        // given
        TestAuthority authority = new TestAuthority("Administrators");
        files.put("ca.pem", Files.readAllBytes(authority.writeTo(data.resolve("ca.pem"))));
        post(
                HttpClient.newHttpClient(),
                "http://127.0.0.1:" + port,
                "{\"SecurityProfile\": {\"strict\": {\"CertificateProfile\": \"AdminDefaultCertProf\","
                        + " \"UseClientCertificate\": true, \"UsePasswordAuthentication\": false}},"
                        + " \"TrustedCertificate\": {\"ca.pem\": {\"SecurityProfileName\": \"strict\"}},"
                        + " \"ConfigurationPolicy\": {\"viewers\": {\"CommonNames\": \"vera*\", \"ActionList\": \"View\"}},"
                        + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"viewers\","
                        + " \"SecurityProfile\": \"strict\"}}");
        String url = "https://127.0.0.1:" + port;

        // then
        assertThat(get(showing(authority.issue("vera-1")), url).statusCode()).isEqualTo(200);
        assertThat(change(showing(authority.issue("vera-1")), url, "\"Description\": \"x\"")
                        .statusCode())
                .isEqualTo(403);
        assertThat(get(showing(authority.issue("otto")), url).statusCode()).isEqualTo(403);
        assertThatThrownBy(() -> get(trusting(), url)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get(showing(new TestAuthority("Somebody").issue("vera-1")), url))
                .isInstanceOf(IOException.class);
    }

    @Test
    void shouldRefuseAdministratorsWhoseCertificatesAreRevoked() throws Exception {
        // given
        TestAuthority authority = new TestAuthority("Administrators");
        Issued listed = authority.issue("vera-1");
        try (TestResponder responder = new TestResponder(authority)) {
            Issued asked = authority.issue("vera-2", responder.url());
            responder.revoke(asked);
            files.put("ca.pem", Files.readAllBytes(authority.writeTo(data.resolve("ca.pem"))));
            files.put("list.crl", list(authority, 1));
            post(HttpClient.newHttpClient(), "http://127.0.0.1:" + port, """
                    {"CRLProfile": {"lists": {"CRLSource": "list.crl"}},
                     "OCSPProfile": {"responder": {"ResponderURL": "%s", "Timeout": 8}},
                     "SecurityProfile": {"strict": {"CertificateProfile": "AdminDefaultCertProf",
                       "UseClientCertificate": true, "UsePasswordAuthentication": false,
                       "CRLProfile": "lists", "OCSPProfile": "responder"}},
                     "TrustedCertificate": {"ca.pem": {"SecurityProfileName": "strict"}},
                     "ConfigurationPolicy": {"viewers": {"CommonNames": "vera*", "ActionList": "View"}},
                     "AdminEndpoint": {"ConfigurationPolicies": "viewers", "SecurityProfile": "strict"}}
                    """.formatted(responder.url()));
            String url = "https://127.0.0.1:" + port;

            // then
            assertThatThrownBy(() -> get(showing(asked), url)).isInstanceOf(IOException.class);
            HttpClient before = showing(listed);
            assertThat(get(before, url).statusCode()).isEqualTo(200);

            // when
            files.put("list.crl", list(authority, 2, listed));

            // then a new connection is refused, although it has a session that could be resumed
            await().atMost(PATIENCE).until(() -> isRefused(before.sslContext(), url));
        }
    }

    @InTurn
    @Test
    void shouldEndConnectionsOfAdministratorsWhoseCertificatesAreRevokedLater() throws Exception {
        // given: two connections of each, one of which waits for events
        TestAuthority authority = new TestAuthority("Administrators");
        Issued good = authority.issue("vera-1");
        Issued bad = authority.issue("vera-2");
        files.put("ca.pem", Files.readAllBytes(authority.writeTo(data.resolve("ca.pem"))));
        files.put("list.crl", list(authority, 1));
        post(HttpClient.newHttpClient(), "http://127.0.0.1:" + port, """
                {"CRLProfile": {"lists": {"CRLSource": "list.crl", "RevalidateConnection": true}},
                 "SecurityProfile": {"strict": {"CertificateProfile": "AdminDefaultCertProf",
                   "UseClientCertificate": true, "UsePasswordAuthentication": false, "CRLProfile": "lists"}},
                 "TrustedCertificate": {"ca.pem": {"SecurityProfileName": "strict"}},
                 "ConfigurationPolicy": {"viewers": {"CommonNames": "vera*", "ActionList": "View"}},
                 "AdminEndpoint": {"ConfigurationPolicies": "viewers", "SecurityProfile": "strict"}}
                """);
        try (SSLSocket kept = connected(good);
                SSLSocket revoked = connected(bad);
                SSLSocket silent = connected(bad)) {
            assertThat(statusOn(kept)).contains("200");
            assertThat(statusOn(revoked)).contains("200");

            // when
            long beganNs = System.nanoTime();
            files.put("list.crl", list(authority, 2, bad));

            // then
            assertThat(isAtEnd(revoked)).as("one that has asked").isTrue();
            assertThat(isAtEnd(silent)).as("one that has asked nothing").isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(PATIENCE);
            assertThat(statusOn(kept)).as("the other one goes on").contains("200");
        }
    }

    private SSLSocket connected(Issued own) throws Exception {
        SSLSocket socket =
                (SSLSocket) showing(own).sslContext().getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.startHandshake();
        return socket;
    }

    /** Asks on an open connection, which stays open. */
    private static String statusOn(SSLSocket socket) throws IOException {
        socket.getOutputStream()
                .write("GET /api/v1/configuration/AdminEndpoint HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .getBytes(US_ASCII));
        BufferedReader reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
        String status = reader.readLine();
        int length = 0;
        for (String line = reader.readLine(); !line.isEmpty(); line = reader.readLine()) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        var unused = reader.skip(length);
        return status;
    }

    private static boolean isAtEnd(SSLSocket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (SSLException | SocketException reset) {
            return true;
        }
    }

    private static boolean isRefused(SSLContext client, String url) throws Exception {
        try {
            get(HttpClient.newBuilder().sslContext(client).build(), url);
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    private byte[] list(TestAuthority authority, int number, Issued... revoked) throws IOException {
        return Files.readAllBytes(authority.writeRevocations(
                data.resolve("list.crl"), number, 0, Instant.now().plus(Duration.ofDays(1)), revoked));
    }

    @InTurn
    @Test
    void shouldTakeANewCertificateByItself() throws Exception {
        // given
        change(HttpClient.newHttpClient(), "http://127.0.0.1:" + port, TLS);
        HttpClient before = trusting();

        // when
        SelfSigned renewed = SelfSigned.of("renewed", Duration.ofDays(1), Instant.now());
        files.put("AdminDefaultKey.pem", renewed.key().getBytes(US_ASCII));
        files.put("AdminDefaultCert.pem", renewed.certificate().getBytes(US_ASCII));
        HttpClient after = trusting();

        // then
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(get(after, "https://127.0.0.1:" + port).statusCode())
                                .isEqualTo(200));
        assertThatThrownBy(() -> get(
                        HttpClient.newBuilder().sslContext(before.sslContext()).build(), "https://127.0.0.1:" + port))
                .isInstanceOf(IOException.class);
    }

    private void begin() throws Exception {
        placement = new AdminPlacement(AdminConfig.defaults(), false, files, new SystemClock());
        RestApi rest = new RestApi(objects, new RunningProcess(), false);
        AdminPlace place = placement.first(objects.current());
        placement.makeCertificate();
        server = AdminServer.start(place, new RunningProcess(), rest, false);
        placement.serve(server);
        objects.addListener(placement);
        rest.administeredAt(placement::describe);
    }

    private static HttpResponse<String> change(HttpClient client, String url, String properties) throws Exception {
        return post(client, url, "{\"AdminEndpoint\": {" + properties + "}}");
    }

    private static HttpResponse<String> post(HttpClient client, String url, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(url + "/api/v1/configuration"))
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(HttpClient client, String url) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(url + "/api/v1/configuration/AdminEndpoint"))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpClient trusting() throws Exception {
        return showing(null);
    }

    /** Somebody who trusts the certificate of the administration, and shows one if it is not null. */
    private HttpClient showing(@Nullable Issued own) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(files.folder().resolve("AdminDefaultCert.pem"))) {
            trusted.setCertificateEntry(
                    "admin", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own == null ? null : own.keyManagers(), trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static final class RunningProcess implements ProcessFacts {
        @Override
        public Health health() {
            return new Health(Health.Status.RUNNING, "1.2.3", 42, List.of(), StoreHealth.ofMemory("memory"));
        }
    }
}
