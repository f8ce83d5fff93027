package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectBuilder;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.server.directory.TestDirectory;
import dev.avocet.server.oauth.TestTokenServer;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestResponder;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that take the broker's questions about logins and never answer, however long the test goes on. */
@InTurn
class SilentProviderTest {
    private static final int TIMEOUT_S = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final Duration BETWEEN_OTHERS = Duration.ofMillis(100);
    private static final int OTHERS = 10;
    /** A machine that was busy for the whole timeout has not shown who waits for whom. */
    private static final int MOST_ROUNDS = 4;

    private static final double LONGEST_TASK_MS = 10;
    private static final String TOKEN_USER = "IMA_OAUTH_ACCESS_TOKEN";

    private final Clock clock = new SystemClock();
    private final TestAuthority authority = new TestAuthority("Clients CA");
    private final ExecutorService readers = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @TempDir
    private Path data;

    @TempDir
    private Path work;

    private RestBroker rest;
    private int count;

    enum Provider {
        LDAP(true),
        /** Keys are asked for once in 30 s; logins that come between are refused at once. */
        KEY_SET(false),
        INTROSPECTION(true),
        USER_INFO(true),
        OCSP(true),
        /** A list by URL. Who is to be looked up in a list that has not come does not wait for it. */
        CRL(false);

        private final boolean hasLoginsWait;

        Provider(boolean hasLoginsWait) {
            this.hasLoginsWait = hasLoginsWait;
        }
    }

    @BeforeEach
    void start() throws Exception {
        rest = RestBroker.start(data, "{\"ioThreads\": 1, \"security\": {\"allowAnonymous\": \"never\"}}");
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        rest.close();
        for (AutoCloseable each : opened) {
            each.close();
        }
        readers.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void shouldGoOnForThoseItKnowsAndRefuseOthersInTimeWhileAProviderIsSilent(Provider provider) throws Exception {
        // given
        Logins logins = prepare(provider);
        try (LoopProbe probe = new LoopProbe(knownClient(logins))) {
            // when
            logins.silence();

            // then
            int rounds = 1;
            while (!hasServedOthersMeanwhile(logins, probe, provider)) {
                assertThat(rounds)
                        .as("%s; %s", "no one was served while logins waited", probe)
                        .isLessThan(MOST_ROUNDS);
                rounds++;
            }
        }
    }

    /**
     * The loop's longest task is told by a machine that does nothing else. Others come one after the other: of many at
     * once, an answer would wait for all of their handshakes.
     */
    @ParameterizedTest
    @EnumSource
    @Tag("nightly")
    void shouldHoldUpNoLoopWhileAProviderIsSilentForAMinute(Provider provider) throws Exception {
        // given
        Logins logins = prepare(provider);
        List<CompletableFuture<Boolean>> others = new ArrayList<>();
        try (LoopProbe probe = new LoopProbe(knownClient(logins))) {
            logins.silence();

            // when
            long begunNs = clock.nanoTime();
            for (int i = 0; i < SILENCE.dividedBy(BETWEEN_OTHERS); i++) {
                int number = i;
                long dueNs = begunNs + i * BETWEEN_OTHERS.toNanos();
                await().pollInterval(Duration.ofMillis(5)).until(() -> clock.nanoTime() >= dueNs);
                others.add(CompletableFuture.supplyAsync(() -> isLetIn(logins, number), readers));
            }
            for (CompletableFuture<Boolean> other : others) {
                assertThat(other.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as("let in without an answer of %s", provider)
                        .isFalse();
            }
            try (Socket known = logins.known()) {
                assertThat(isAccepted(known)).as("who is known").isTrue();
            }

            // then
            System.out.printf(
                    "%s is silent for %d s, %d logins: %s%n", provider, SILENCE.toSeconds(), others.size(), probe);
            assertThat(probe.percentileMs(99.9)).as("%s: %s", provider, probe).isLessThan(LONGEST_TASK_MS);
        }
    }

    /**
     * Has others log in, who are to be refused.
     *
     * @return whether one who is known was let in, and one who is connected got an answer, while all others waited, of
     *     providers that have them wait
     */
    private boolean hasServedOthersMeanwhile(Logins logins, LoopProbe probe, Provider provider) throws Exception {
        List<CompletableFuture<Boolean>> others = new ArrayList<>();
        for (int i = 0; i < OTHERS; i++) {
            int number = count++;
            others.add(CompletableFuture.supplyAsync(() -> isLetIn(logins, number), readers));
        }
        long before = probe.answers();
        try (Socket known = logins.known()) {
            assertThat(isAccepted(known)).as("who is known").isTrue();
        }
        await().atMost(PATIENCE).until(() -> probe.answers() > before + 1);
        boolean othersWait = others.stream().noneMatch(CompletableFuture::isDone);
        for (CompletableFuture<Boolean> other : others) {
            assertThat(other.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("let in without an answer of %s", provider)
                    .isFalse();
        }
        return othersWait || !provider.hasLoginsWait;
    }

    private Socket knownClient(Logins logins) throws Exception {
        await().atMost(PATIENCE).until(() -> {
            try (Socket first = logins.known()) {
                return isAccepted(first);
            }
        });
        Socket known = logins.known();
        assertThat(isAccepted(known)).isTrue();
        return known;
    }

    private boolean isLetIn(Logins logins, int number) {
        try (Socket other = logins.other(number)) {
            return isAccepted(other);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isAccepted(Socket socket) {
        try {
            byte[] connAck = socket.getInputStream().readNBytes(4);
            return connAck.length == 4 && connAck[3] == 0;
        } catch (IOException refused) { // in the handshake
            return false;
        }
    }

    private Logins prepare(Provider provider) throws Exception {
        return switch (provider) {
            case LDAP -> directory();
            case KEY_SET -> keySet();
            case INTROSPECTION ->
                tokens("\"TokenCheck\": \"Introspection\", \"ResourceURL\": \"%s\"", "/introspect", "/introspect");
            case USER_INFO ->
                tokens(
                        "\"ResourceURL\": \"%s\", \"UserInfoURL\": \"%s\", \"TokenSendMethod\": \"HTTPHeader\"",
                        "/resource", "/user");
            case OCSP -> responder();
            case CRL -> list();
        };
    }

    private Logins directory() throws Exception {
        TestDirectory directory = keep(TestDirectory.start());
        rest.configure("{\"LDAP\": {\"URL\": \"" + directory.url() + "\", \"BaseDN\": \"" + TestDirectory.BASE
                + "\", \"BindDN\": \"" + TestDirectory.SERVICE + "\", \"BindPassword\": \"service\", \"CacheTimeout\":"
                + " 60, \"OfflineCacheTimeout\": 3600, \"Timeout\": " + TIMEOUT_S + "}}");
        int port = open("plain", "\"TLSEnabled\": false");
        return new Logins(() -> connect(port, "anna", "pencil"), n -> connect(port, "user" + n, "x"), directory::hold);
    }

    private Logins keySet() throws Exception {
        TestTokenServer tokens = keep(TestTokenServer.start());
        TestTokenServer quiet = keep(TestTokenServer.start());
        quiet.silent(true);
        rest.configure("{\"OAuthProfile\": {\"known\": {" + tokens.keySetProfile() + "}, \"quiet\": {"
                + quiet.keySetProfile() + ", \"Timeout\": " + TIMEOUT_S + "}}}");
        int port = open("known", "\"TLSEnabled\": false, \"OAuthProfile\": \"known\"");
        int other = open("quiet", "\"TLSEnabled\": false, \"OAuthProfile\": \"quiet\"");
        return new Logins(
                () -> connect(port, TOKEN_USER, tokens.token("anna", 600)),
                n -> connect(other, TOKEN_USER, quiet.token("user" + n, 600)),
                () -> tokens.silent(true));
    }

    private Logins tokens(String profile, String resource, String quiet) throws Exception {
        TestTokenServer tokens = keep(TestTokenServer.start());
        for (String token : List.of("good-token", "other-token")) {
            tokens.know(token, "{\"active\": true, \"sub\": \"anna\"}");
        }
        rest.configure("{\"OAuthProfile\": {\"o\": {" + profile.formatted(tokens.url(resource), tokens.url(quiet))
                + ", \"CacheTimeout\": 3600, \"Timeout\": " + TIMEOUT_S + "}}}");
        int port = open("tokens", "\"TLSEnabled\": false, \"OAuthProfile\": \"o\"");
        return new Logins(
                () -> connect(port, TOKEN_USER, "good-token"),
                n -> connect(port, TOKEN_USER, "other-token-" + n),
                () -> tokens.silentAt(quiet));
    }

    private Logins responder() throws Exception {
        TestResponder responder = keep(new TestResponder(authority));
        Issued device = authority.issue("device", responder.url());
        rest.configure("{\"OCSPProfile\": {\"o\": {\"Timeout\": " + TIMEOUT_S + "}}}");
        int port = openEncrypted("asked", "\"OCSPProfile\": \"o\"");
        return new Logins(
                () -> connect(port, device),
                n -> connect(port, authority.issueAlike(device, "device " + n, responder.url())),
                () -> responder.behave(TestResponder.Behavior.SILENT));
    }

    private Logins list() throws Exception {
        Issued device = authority.issue("device");
        byte[] list = Files.readAllBytes(authority.writeRevocations(
                work.resolve("list"),
                1,
                0,
                Instant.ofEpochMilli(clock.wallTimeMs()).plus(Duration.ofDays(1)),
                authority.issue("lost")));
        HttpServer web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        web.setExecutor(readers);
        web.createContext("/known.crl", exchange -> {
            exchange.sendResponseHeaders(200, list.length);
            exchange.getResponseBody().write(list);
            exchange.close();
        });
        web.createContext("/quiet.crl", exchange -> awaitEnd());
        web.start();
        opened.add(() -> web.stop(0));
        String url = "http://127.0.0.1:" + web.getAddress().getPort();
        rest.configure("{\"CRLProfile\": {\"known\": {\"CRLSource\": \"" + url + "/known.crl\"}, \"quiet\":"
                + " {\"CRLSource\": \"" + url + "/quiet.crl\"}}}");
        int port = openEncrypted("known", "\"CRLProfile\": \"known\"");
        int other = openEncrypted("quiet", "\"CRLProfile\": \"quiet\"");
        return new Logins(() -> connect(port, device), n -> connect(other, device), () -> {});
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private <T extends AutoCloseable> T keep(T server) {
        opened.add(server);
        return server;
    }

    /** @return the port of an endpoint whose SecurityProfile has that name and these properties */
    private int open(String profile, String properties) throws Exception {
        rest.configure("{\"SecurityProfile\": {\"" + profile + "\": {" + properties + "}}}");
        return rest.openEndpoint(profile, ", \"SecurityProfile\": \"" + profile + "\"");
    }

    /** The same for clients with certificates. */
    private int openEncrypted(String profile, String revocation) throws Exception {
        Issued server = authority.issue("localhost");
        upload(server.writeCertificate(work.resolve("server.pem")));
        upload(server.writeKey(work.resolve("server.key")));
        upload(authority.writeTo(work.resolve(profile + "-ca.pem")));
        rest.configure("""
                {"CertificateProfile": {"web": {"Certificate": "server.pem", "Key": "server.key"}},
                 "SecurityProfile": {"%1$s": {"CertificateProfile": "web", "UseClientCertificate": true,
                   "UsePasswordAuthentication": false, %2$s}},
                 "TrustedCertificate": {"%1$s-ca.pem": {"SecurityProfileName": "%1$s"}}}
                """.formatted(profile, revocation));
        return rest.openEndpoint(profile, ", \"SecurityProfile\": \"" + profile + "\"");
    }

    private void upload(Path file) throws Exception {
        HttpResponse<String> answer =
                rest.sendBytes("PUT", "/api/v1/file/" + file.getFileName(), Files.readAllBytes(file));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private Socket connect(int port, Issued certificate) throws IOException {
        SSLSocketFactory factory =
                authority.clientContext(certificate, "TLSv1.3").getSocketFactory();
        return send(factory.createSocket("127.0.0.1", port), connect("", ""));
    }

    private Socket connect(int port, String user, String password) throws IOException {
        return send(new Socket(InetAddress.getLoopbackAddress(), port), connect(user, password));
    }

    private static Socket send(Socket socket, byte[] packet) throws IOException {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
        try {
            socket.getOutputStream().write(packet);
        } catch (IOException refused) {
            // in the handshake, and reading tells
        }
        return socket;
    }

    private static byte[] connect(String user, String password) {
        ConnectBuilder connect = Connect.builder("").version(ProtocolVersion.V3_1_1);
        if (!user.isEmpty()) {
            connect = connect.userName(user).password(password.getBytes(UTF_8));
        }
        PacketWriter packet = new PacketWriter(1024, PacketFramer.MAX_PACKET_SIZE_BYTES);
        PacketEncoder.encode(ProtocolVersion.V3_1_1, connect.build(), packet);
        return packet.toByteArray();
    }

    /** Makes a socket with a CONNECT whose answer is to come. */
    private interface Login {
        Socket begin() throws Exception;
    }

    /** The same for any of many. */
    private interface NumberedLogin {
        Socket begin(int number) throws Exception;
    }

    private record Logins(Login login, NumberedLogin others, Runnable provider) {
        /** Of one whom the broker knows by then. */
        Socket known() throws Exception {
            return login.begin();
        }

        /** Of one about whom it has to ask. */
        Socket other(int number) throws Exception {
            return others.begin(number);
        }

        /** The provider takes questions and does not answer from now on. */
        void silence() {
            provider.run();
        }
    }
}
