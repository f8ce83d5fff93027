package dev.avocet.ha.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.time.SystemClock;
import dev.avocet.ha.link.LinkRefusal.Reason;
import dev.avocet.ha.role.PairMessage;
import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.GroupNames;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.PairSecret;
import dev.avocet.ha.trust.ResumingCaller;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.turn.InTurn;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets a link where it is encrypted, over real sockets. Node a dials, node b listens. */
@InTurn
final class LinkTlsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration HANDSHAKE = Duration.ofSeconds(10); // for machines that do much beside it
    private static final String LOOPBACK = "127.0.0.1";
    private static final int CREDIT = 100_000;
    private static final int FRAME = 50_000;

    @TempDir
    private Path directory;

    private final TestAuthority authority = new TestAuthority("pair");
    private Duration handshake = HANDSHAKE;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void shouldEncryptWithASecretAlone() throws Exception {
        // given an end that dials through a stranger who writes down what passes
        Ends b = end("pair", "b", "a", 0, secret("of both"));
        try (Wiretap tap = new Wiretap(b.end.port())) {
            Ends a = end("pair", "a", "b", tap.port(), secret("of both"));
            await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());

            // when
            byte[] told = "what a client has published".getBytes(StandardCharsets.US_ASCII);
            await().atMost(PATIENCE).until(() -> a.link().trySend(new PairMessage.Records(1, 0, told.length, told)));
            await().atMost(PATIENCE).until(() -> b.messages.size() == 1);

            // then
            assertThat(tap.heard())
                    .startsWith("\u0016")
                    .doesNotContain("published")
                    .doesNotContain("pair");
        }
    }

    @Test
    void shouldRefuseAWrongSecretAtBothEnds() throws Exception {
        Ends b = end("pair", "b", "a", 0, secret("of both"));
        Ends a = end("pair", "a", "b", b.end.port(), secret("guessed"));

        LinkRefusal atDialer = firstRefusal(a);
        assertThat(atDialer.reason()).isEqualTo(Reason.WRONG_SECRET);
        assertThat(atDialer.text())
                .isEqualTo("does not know the secret of group pair: give all members the same secret file");
        LinkRefusal atListener = firstRefusal(b);
        assertThat(atListener.reason()).isEqualTo(Reason.CERTIFICATE);
        assertThat(atListener.text())
                .startsWith("does not take this node for a member of group pair (")
                .endsWith("): give all members the same secret file; its log says more");
        assertThat(a.links).isEmpty();
        assertThat(b.links).isEmpty();
    }

    @Test
    void shouldTellAnotherGroupAndAnotherNodeFromAWrongSecret() throws Exception {
        Ends b = end("pair", "b", "a", 0, secret("of both"));
        Ends other = end("other", "a", "b", b.end.port(), secret("of both"));
        assertThat(firstRefusal(other).reason()).isEqualTo(Reason.OTHER_GROUP);
        assertThat(firstRefusal(other).text()).startsWith("belongs to group pair, and this node to group other: ");

        // as an arbiter that makes itself out to be the partner
        Ends wrong = end("pair", "aa", "b", b.end.port(), secret("of both"));
        await().atMost(PATIENCE).until(() -> b.refusals.stream().anyMatch(each -> each.reason() == Reason.OTHER_NODE));
        assertThat(wrong.links).isEmpty();
        assertThat(b.links).isEmpty();
    }

    @Test
    void shouldTrustCertificatesOfTheAuthorityOnly() throws Exception {
        Ends b = end("pair", "b", "a", 0, files("b", authority, authority, inAYear()));
        Ends a = end("pair", "a", "b", b.end.port(), files("a", authority, authority, inAYear()));
        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());
        a.close();

        // when a certificate of another authority is shown to a node that trusts this one
        TestAuthority another = new TestAuthority("another");
        Ends c = end("pair", "b", "a", 0, files("b", authority, authority, inAYear()));
        Ends stranger = end("pair", "a", "b", c.end.port(), files("x", another, authority, inAYear()));

        // then
        assertThat(firstRefusal(c).reason()).isEqualTo(Reason.CERTIFICATE);
        assertThat(firstRefusal(c).text())
                .startsWith("shows the certificate of 'CN=x,O=Avocet', which nothing in ")
                .contains("vouches for");
        assertThat(firstRefusal(stranger).text()).contains("check this node's certificate, ");
        assertThat(c.links).isEmpty();
        assertThat(stranger.links).isEmpty();
    }

    @Test
    void shouldRefuseACertificateThatHasExpiredOrIsForAnotherHost() throws Exception {
        Ends b = end("pair", "b", "a", 0, files("b", authority, authority, inAYear()));
        Ends late = end(
                "pair",
                "a",
                "b",
                b.end.port(),
                files("a", authority, authority, Instant.parse("2020-01-02T03:04:05Z")));
        assertThat(firstRefusal(b).text())
                .isEqualTo("shows the certificate of 'CN=a,O=Avocet', which expired at 2020-01-02T03:04:05Z:"
                        + " replace it; that needs no restart");
        assertThat(late.links).isEmpty();

        GroupNames elsewhere = new GroupNames("pair", "b", Map.of("a", "10.9.8.7", "b", LOOPBACK));
        Ends strict = end(elsewhere, "a", 0, files("b", authority, authority, inAYear()));
        Ends a = end("pair", "a", "b", strict.end.port(), files("a", authority, authority, inAYear()));
        assertThat(firstRefusal(strict).text()).contains("which is not for 10.9.8.7, the host of a: ");
        assertThat(a.links).isEmpty();
        assertThat(strict.links).isEmpty();
    }

    @Test
    void shouldWantTheSecretBesideCertificatesWhereBothAreGiven() throws Exception {
        Ends b = end("pair", "b", "a", 0, files("b", authority, authority, inAYear(), secretOf("of both")));
        Ends a = end("pair", "a", "b", b.end.port(), files("a", authority, authority, inAYear(), secretOf("guessed")));

        assertThat(firstRefusal(b).reason()).isEqualTo(Reason.WRONG_SECRET);
        assertThat(a.links).isEmpty();
        assertThat(b.links).isEmpty();
    }

    @Test
    void shouldSayAtBothEndsThatOnlyOneSpeaksTls() throws Exception {
        // when one without TLS calls one with it
        Ends secured = end("pair", "b", "a", 0, secret("of both"));
        Ends plain = end("pair", "a", "b", secured.end.port(), Credentials.NONE);
        assertThat(firstRefusal(secured).reason()).isEqualTo(Reason.TLS);
        assertThat(firstRefusal(secured).text())
                .startsWith("does not speak TLS, and this node does: give all members the same secret file");
        assertThat(firstRefusal(plain).text())
                .startsWith("has refused this node: b says: the other one does not speak TLS");

        // when one with TLS calls one without it
        Ends open = end("pair", "b", "a", 0, Credentials.NONE);
        Ends caller = end("pair", "a", "b", open.end.port(), secret("of both"));
        assertThat(firstRefusal(open).text())
                .startsWith("speaks TLS, and this node has neither secret nor certificate: ");
        assertThat(firstRefusal(caller).text()).startsWith("does not speak TLS, and this node does: ");
        assertThat(List.of(secured.links, plain.links, open.links, caller.links))
                .allMatch(List::isEmpty);
    }

    @Test
    void shouldCloseConnectionsOfStrangersAndKeepTheLink() throws Exception {
        handshake = Duration.ofSeconds(2);
        Ends b = end("pair", "b", "a", 0, secret("of both"));
        Ends a = end("pair", "a", "b", b.end.port(), secret("of both"));
        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());

        assertThat(closesAfter(b.end.port(), "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .isTrue();
        // a record of TLS with no handshake in it
        assertThat(closesAfter(b.end.port(), new byte[] {22, 3, 3, 0, 4, 9, 9, 9, 9}))
                .isTrue();
        // one that is longer than any, one that ends early, and silence from the first
        assertThat(closesAfter(b.end.port(), new byte[] {22, 3, 3, -1, -1, 1})).isTrue();
        assertThat(closesAfter(b.end.port(), new byte[] {22, 3})).isTrue();
        assertThat(closesAfter(b.end.port(), new byte[0])).isTrue();

        await().atMost(PATIENCE).until(() -> b.refusals.size() == 5);
        assertThat(b.refusals)
                .extracting(LinkRefusal::reason)
                .containsExactly(Reason.FOREIGN, Reason.FOREIGN, Reason.TOO_SLOW, Reason.TOO_SLOW, Reason.TOO_SLOW);
        assertThat(a.isUp() && b.isUp()).isTrue();
        assertThat(b.links).hasSize(1);
    }

    @Test
    void shouldLetThePartnerInHoweverManyStrangersHoldConnections() throws Exception {
        Ends b = end("pair", "b", "a", 0, secret("of both"));
        for (int i = 0; i < 20; i++) {
            Socket silent = new Socket(InetAddress.getLoopbackAddress(), b.end.port());
            opened.add(silent);
        }

        Ends a = end("pair", "a", "b", b.end.port(), secret("of both"));

        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());
    }

    @Test
    void shouldHoldTheCertificateOfAResumedSessionAgainstThoseTrustedNow() throws Exception {
        // given a partner that resumes its sessions, which no dialing end of a link does
        handshake = Duration.ofSeconds(2);
        Credentials own = files("b", authority, authority, inAYear());
        Ends b = end("pair", "b", "a", 0, own);
        ResumingCaller partner = new ResumingCaller(authority, authority.issue("a", inAYear()));
        assertThat(partner.shakesHands(b.end.port())).isTrue();
        assertThat(partner.shakesHands(b.end.port())).isTrue();
        await().atMost(PATIENCE).until(() -> b.refusals.size() == 2);
        assertThat(b.refusals)
                .as("taken for the partner, which then says nothing")
                .allMatch(each -> each.reason() == Reason.TOO_SLOW);
        assertThat(partner.shownCertificates()).as("the second was resumed").isEqualTo(1);

        // when another authority is trusted in place of the one that has issued its certificate
        Files.move(
                new TestAuthority("next").writeTo(directory.resolve("next.ca")),
                own.files().trust(),
                StandardCopyOption.REPLACE_EXISTING);

        // then, as soon as the file is read again, it is refused though it resumes
        await().atMost(PATIENCE).until(() -> {
            boolean unused = partner.shakesHands(b.end.port());
            return b.refusals.stream().anyMatch(each -> each.reason() == Reason.CERTIFICATE);
        });
        assertThat(partner.shownCertificates()).isEqualTo(1);
        assertThat(b.refusals.get(b.refusals.size() - 1).text()).contains("'CN=a,O=Avocet', which nothing in ");
        assertThat(b.links).isEmpty();
    }

    @Test
    void shouldResumeNoSessionWhereItDials() throws Exception {
        GroupNames names = new GroupNames("pair", "a", Map.of("a", LOOPBACK, "b", LOOPBACK));
        try (MemberTls tls = MemberTls.open(secret("of both"), names, new SystemClock())) {
            SSLEngine dialing = LinkTls.of(tls, "b")
                    .newHandler(UnpooledByteBufAllocator.DEFAULT, true)
                    .engine();

            // then Java, which keeps sessions by host and port, has none for it
            assertThat(dialing.getPeerHost()).isNull();
            assertThat(dialing.getPeerPort()).isNegative();
        }
    }

    @Test
    void shouldRefuseAResumedSessionWhoseCertificateHasExpiredMeanwhile() throws Exception {
        // given a session that was resumed while its certificate was good
        handshake = Duration.ofSeconds(1);
        Ends b = end("pair", "b", "a", 0, files("b", authority, authority, inAYear()));
        SystemClock clock = new SystemClock();
        ResumingCaller partner = null;
        Instant expiry = null;
        for (int seconds = 6; partner == null; seconds *= 2) { // until it is enough for this machine
            expiry = Instant.ofEpochMilli(clock.wallTimeMs())
                    .truncatedTo(ChronoUnit.SECONDS)
                    .plusSeconds(seconds);
            ResumingCaller next = new ResumingCaller(authority, authority.issue("a", expiry));
            boolean isGood = next.shakesHands(b.end.port());
            boolean isGoodAgain = next.shakesHands(b.end.port());
            if (isGood && isGoodAgain && clock.wallTimeMs() < expiry.toEpochMilli()) {
                partner = next;
            }
        }
        assertThat(partner.shownCertificates()).isEqualTo(1);

        // when
        Instant end = expiry;
        await().atMost(PATIENCE).until(() -> clock.wallTimeMs() > end.toEpochMilli());
        boolean unused = partner.shakesHands(b.end.port());

        // then
        String text = "shows the certificate of 'CN=a,O=Avocet', which expired at " + expiry
                + ": replace it; that needs no restart";
        await().atMost(PATIENCE) // earlier calls are refused for their silence meanwhile
                .untilAsserted(() ->
                        assertThat(b.refusals).extracting(LinkRefusal::text).contains(text));
        assertThat(partner.shownCertificates()).as("it was resumed").isEqualTo(1);
        assertThat(b.links).isEmpty();
    }

    private static LinkRefusal firstRefusal(Ends end) {
        await().atMost(PATIENCE).until(() -> !end.refusals.isEmpty());
        return end.refusals.get(0);
    }

    /** Whether a server ends the connection by itself. */
    private static boolean closesAfter(int port, byte[] bytes) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException e) {
            return true; // reset, as not all of it was read
        }
    }

    private static PairSecret secretOf(String text) {
        return PairSecret.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static Credentials secret(String text) {
        return Credentials.of(secretOf(text));
    }

    private static Instant inAYear() {
        return Instant.ofEpochMilli(new SystemClock().wallTimeMs()).plus(Duration.ofDays(365));
    }

    private Credentials files(String name, TestAuthority issuer, TestAuthority trusted, Instant expiry) {
        return files(name, issuer, trusted, expiry, PairSecret.NONE);
    }

    private Credentials files(
            String name, TestAuthority issuer, TestAuthority trusted, Instant expiry, PairSecret secret) {
        TestAuthority.Issued issued = issuer.issue(name, expiry);
        String prefix = name + opened.size();
        return new Credentials(
                secret,
                new Credentials.Files(
                        issued.writeCertificate(directory.resolve(prefix + ".pem")),
                        issued.writeKey(directory.resolve(prefix + ".key")),
                        trusted.writeTo(directory.resolve(prefix + ".ca"))));
    }

    private Ends end(String group, String self, String partner, int port, Credentials credentials) throws Exception {
        return end(new GroupNames(group, self, Map.of(self, LOOPBACK, partner, LOOPBACK)), partner, port, credentials);
    }

    private Ends end(GroupNames names, String partner, int port, Credentials credentials) throws Exception {
        MemberTls tls = MemberTls.open(credentials, names, new SystemClock());
        if (tls != null) {
            opened.add(tls);
        }
        Ends end = new Ends(
                settings(names, partner, credentials.secret(), tls == null ? null : LinkTls.of(tls, partner)),
                port,
                new LinkState("store", false, 0, 0));
        opened.add(end);
        return end;
    }

    private LinkSettings settings(GroupNames names, String partner, PairSecret secret, @Nullable LinkTls tls) {
        return new LinkSettings(
                names.group(),
                names.self(),
                partner,
                secret,
                tls,
                LinkVersions.ALL,
                CREDIT,
                FRAME,
                Duration.ofMillis(100),
                Duration.ofMillis(2_000),
                handshake);
    }

    /** Passes one connection on, and keeps what the dialer sends. */
    private static final class Wiretap implements AutoCloseable {
        private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
        private final List<Socket> sockets = new ArrayList<>();

        Wiretap(int target) throws IOException {
            Thread thread = new Thread(() -> pass(target), "wiretap");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return listening.getLocalPort();
        }

        String heard() {
            return heard.toString(StandardCharsets.ISO_8859_1);
        }

        private void pass(int target) {
            try (Socket from = listening.accept();
                    Socket to = new Socket(InetAddress.getLoopbackAddress(), target)) {
                sockets.add(from);
                Thread back = new Thread(() -> copy(to, from, OutputStream.nullOutputStream()), "wiretap-back");
                back.setDaemon(true);
                back.start();
                copy(from, to, heard);
            } catch (IOException e) {
                assert listening.isClosed() || heard.size() > 0;
            }
        }

        private static void copy(Socket from, Socket to, OutputStream into) {
            byte[] some = new byte[8_192];
            try (InputStream in = from.getInputStream()) {
                for (int count = in.read(some); count >= 0; count = in.read(some)) {
                    into.write(some, 0, count);
                    to.getOutputStream().write(some, 0, count);
                    to.getOutputStream().flush();
                }
            } catch (IOException e) {
                assert into != null; // the connection has ended
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
