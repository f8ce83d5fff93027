package dev.avocet.ha.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.ha.link.LinkRefusal.Reason;
import dev.avocet.ha.role.PairMessage;
import dev.avocet.ha.trust.PairSecret;
import dev.avocet.testkit.FaultyNetwork;
import dev.avocet.testkit.FaultyNetwork.Fault;
import dev.avocet.testkit.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two ends over real sockets, without TLS. Node a dials, node b listens. */
final class LinkEndTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final PairSecret SECRET = secret("of both");
    private static final int CREDIT = 100_000;
    private static final int FRAME = 50_000;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void shouldCarryMessagesInTheirOrderBothWays() throws Exception {
        Ends b = listener(SECRET);
        Ends a = dialer(b.end.port(), SECRET);
        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());

        for (int i = 0; i < 100; i++) {
            a.link().send(new PairMessage.Confirm(1, i));
            b.link().send(new PairMessage.Heartbeat(1, i, i));
        }

        await().atMost(PATIENCE).until(() -> a.messages.size() == 100 && b.messages.size() == 100);
        assertThat(b.messages).first().isEqualTo(new PairMessage.Confirm(1, 0));
        assertThat(b.messages).last().isEqualTo(new PairMessage.Confirm(1, 99));
        assertThat(a.messages).last().isEqualTo(new PairMessage.Heartbeat(1, 99, 99));
        assertThat(b.link().peer()).isEqualTo(a.state);
        assertThat(a.link().peer()).isEqualTo(b.state);
    }

    @Test
    void shouldSendNoMoreRecordsThanThereIsCreditFor() throws Exception {
        Ends b = listener(SECRET);
        Ends a = dialer(b.end.port(), SECRET);
        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());
        PairMessage.Records records = new PairMessage.Records(1, 0, 1, new byte[40_000]);
        await().atMost(PATIENCE).until(() -> a.link().trySend(records));

        // when the partner uses nothing
        assertThat(a.link().trySend(records)).isTrue();
        assertThat(a.link().trySend(records)).isFalse();
        a.link().send(new PairMessage.Confirm(1, 1)); // what needs no credit passes
        await().atMost(PATIENCE).until(() -> b.messages.size() == 3);

        // when it has used them
        b.link().used(80_000);
        await().atMost(PATIENCE).until(() -> a.link().trySend(records));
        await().atMost(PATIENCE).until(() -> b.messages.size() == 4);
    }

    @Test
    void shouldSendRecordsOutOfABufferAndSayWhenTheyAreWritten() throws Exception {
        // given
        Ends b = listener(SECRET);
        Ends a = dialer(b.end.port(), SECRET);
        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());
        byte[] bytes = new byte[40_000];
        Arrays.fill(bytes, (byte) 7);
        PairMessage.Records records = new PairMessage.Records(
                1, 0, 1, ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
        AtomicInteger written = new AtomicInteger();

        // when
        await().atMost(PATIENCE).until(() -> a.link().trySend(records, written::incrementAndGet));
        assertThat(a.link().trySend(records, written::incrementAndGet)).isTrue();

        // then
        await().atMost(PATIENCE).until(() -> written.get() == 2 && b.messages.size() == 2);
        assertThat(b.messages)
                .allSatisfy(message -> assertThat(message)
                        .isInstanceOfSatisfying(
                                PairMessage.Records.class,
                                come -> assertThat(come.records()).isEqualTo(bytes)));

        // when there is no credit, or no link
        assertThat(a.link().trySend(records, written::incrementAndGet)).isFalse();
        assertThat(written).hasValue(2);
        b.link().used(2 * bytes.length);
        b.end.close();
        await().atMost(PATIENCE).until(() -> !a.isUp());
        boolean isTaken = a.link().trySend(records, written::incrementAndGet);
        await().atMost(PATIENCE).until(() -> written.get() == (isTaken ? 3 : 2));
    }

    @Test
    void shouldFreeItsPortWhileThePartnerDials() throws Exception {
        // given
        AtomicBoolean over = new AtomicBoolean();
        int port = FreePort.next();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Thread dialing = new Thread(() -> {
            while (!over.get()) {
                try (Socket socket = new Socket()) {
                    socket.connect(address);
                } catch (IOException e) {
                    Thread.onSpinWait(); // nothing listens at the moment
                }
            }
        });
        dialing.start();
        try {
            for (int i = 0; i < 50; i++) {
                // when
                try (Ends again = new Ends(settings("pair", "b", "a", SECRET), port, state("s", false, 0, 0))) {
                    // then
                    assertThat(again.end.port()).isEqualTo(port);
                }
            }
        } finally {
            over.set(true);
            dialing.join();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1, 2", "1, 2, 1, 1", "1, 2, 2, 3"})
    void shouldSpeakTheLatestVersionThatBothSpeak(int oldestOfA, int latestOfA, int oldestOfB, int latestOfB)
            throws Exception {
        // given
        LinkVersions ofA = new LinkVersions(oldestOfA, latestOfA);
        LinkVersions ofB = new LinkVersions(oldestOfB, latestOfB);
        Ends b = open(settings("pair", "b", "a", SECRET, ofB), 0);
        Ends a = open(settings("pair", "a", "b", SECRET, ofA), b.end.port());
        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());

        // when
        a.link().send(new PairMessage.ConfigurationKept(4, 2, "the disk is full, ".repeat(20)));
        b.link().send(new PairMessage.Left(4));
        b.link().send(new PairMessage.Confirm(4, 7));

        // then version 1 has short texts, and an answer that says something else there is left out
        boolean isFirst = Math.min(latestOfA, latestOfB) == 1;
        await().atMost(PATIENCE)
                .until(() -> !b.messages.isEmpty() && a.messages.contains(new PairMessage.Confirm(4, 7)));
        String text = "the disk is full, ".repeat(20);
        assertThat(b.messages)
                .containsExactly(new PairMessage.ConfigurationKept(4, 2, isFirst ? text.substring(0, 80) : text));
        assertThat(a.messages).hasSize(isFirst ? 1 : 2);
        assertThat(a.link().carriesStores()).isEqualTo(!isFirst);
    }

    @Test
    void shouldRefuseByNameANodeThatSpeaksNoVersionInCommon() throws Exception {
        // given
        Ends b = open(settings("pair", "b", "a", SECRET, new LinkVersions(1, 2)), 0);
        Ends a = open(settings("pair", "a", "b", SECRET, new LinkVersions(3, 4)), b.end.port());

        // then
        await().atMost(PATIENCE).until(() -> !a.refusals.isEmpty() && !b.refusals.isEmpty());
        assertThat(b.refusals.get(0).reason()).isEqualTo(Reason.VERSION);
        assertThat(b.refusals.get(0).text())
                .isEqualTo("speaks versions 3 to 4 of the link, and b speaks versions 1 to 2: upgrade the older one");
        assertThat(a.refusals.get(0).text()).contains("b speaks versions 1 to 2: upgrade the older one");
        assertThat(a.links).isEmpty();
        assertThat(b.links).isEmpty();
    }

    @Test
    void shouldNotCallANodeSlowThatCannotBeReached() throws Exception {
        // given
        int port = FreePort.next();
        LinkSettings settings = settings("pair", "a", "b", SECRET);
        Ends a = open(settings, port);

        // then
        await().during(settings.handshake().plusSeconds(1)).atMost(PATIENCE).until(() -> a.refusals.isEmpty());

        // when it is there
        open(settings("pair", "b", "a", SECRET), port);
        await().atMost(PATIENCE).until(a::isUp);
        assertThat(a.refusals).isEmpty();
    }

    @Test
    void shouldRefuseAWrongSecret() throws Exception {
        Ends b = listener(SECRET);
        Ends a = dialer(b.end.port(), secret("guessed"));

        await().atMost(PATIENCE).until(() -> !a.refusals.isEmpty() && !b.refusals.isEmpty());
        assertThat(b.refusals.get(0).reason()).isEqualTo(Reason.WRONG_SECRET);
        assertThat(b.refusals.get(0).text())
                .isEqualTo("does not know the secret of group pair: give both nodes the same secret file");
        assertThat(a.refusals.get(0).reason()).isEqualTo(Reason.WRONG_SECRET);
        assertThat(a.links).isEmpty();
        assertThat(b.links).isEmpty();
    }

    @Test
    void shouldRefuseAListenerThatDoesNotKnowTheSecret() throws Exception {
        // given a stranger at the listener's address that plays back what a listener would say
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ends a = dialer(stranger.getLocalPort(), SECRET);
            try (Socket socket = stranger.accept()) {
                readFrame(socket.getInputStream());
                writeFrame(
                        socket.getOutputStream(),
                        2,
                        ByteBuffer.allocate(33).put((byte) 1).array());
                readFrame(socket.getInputStream());
                writeFrame(socket.getOutputStream(), 4, new byte[32 + 2 + 17]);

                await().atMost(PATIENCE).until(() -> !a.refusals.isEmpty());
                assertThat(a.refusals.get(0).reason()).isEqualTo(Reason.WRONG_SECRET);
                assertThat(a.links).isEmpty();
            }
        }
    }

    @Test
    void shouldRefuseAnotherGroupAndAnotherNode() throws Exception {
        Ends b = listener(SECRET);
        opened.add(new Ends(settings("other", "a", "b", SECRET), b.end.port(), state("s", false, 0, 0)));
        await().atMost(PATIENCE).until(() -> !b.refusals.isEmpty());
        assertThat(b.refusals.get(0).reason()).isEqualTo(Reason.OTHER_GROUP);

        Ends c = listener(SECRET);
        opened.add(new Ends(settings("pair", "aa", "b", SECRET), c.end.port(), state("s", false, 0, 0)));
        await().atMost(PATIENCE).until(() -> !c.refusals.isEmpty());
        assertThat(c.refusals.get(0).reason()).isEqualTo(Reason.OTHER_NODE);
        assertThat(c.refusals.get(0).text()).contains("is node aa and looks for node b");
    }

    @Test
    void shouldRefuseAnotherStoreUnlessOneIsEmpty() throws Exception {
        Ends b = listener(SECRET);
        Ends a = dialer(b.end.port(), SECRET, state("another", false, 0, 0));
        await().atMost(PATIENCE).until(() -> !b.refusals.isEmpty());
        assertThat(b.refusals.get(0).reason()).isEqualTo(Reason.OTHER_STORE);
        assertThat(a.links).isEmpty();

        a.state = state("another", true, 0, 0);
        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());
    }

    @Test
    void shouldRefuseALeaderOfAnOlderEpochAndTellItOfTheLatest() throws Exception {
        Ends b = listener(SECRET);
        b.state = state("store", false, 5, 5);
        Ends a = dialer(b.end.port(), SECRET, state("store", false, 4, 4));

        await().atMost(PATIENCE).until(() -> !a.refusals.isEmpty());
        assertThat(a.refusals.get(0).reason()).isEqualTo(Reason.OLDER_EPOCH);
        assertThat(a.refusals.get(0).epoch()).isEqualTo(5);
        assertThat(b.links).isEmpty();

        // it has become a standby, and comes back
        a.state = state("store", false, 0, 5);
        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());
    }

    @Test
    void shouldCloseConnectionsOfStrangersAndKeepTheLink() throws Exception {
        Ends b = listener(SECRET);
        Ends a = dialer(b.end.port(), SECRET);
        await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());

        assertThat(answerTo(b.end.port(), "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .isEmpty();
        assertThat(answerTo(b.end.port(), new byte[] {0, 0, 0, 9, 1, 1, 2, 3, 4, 5, 6, 7, 8}))
                .isEmpty();
        assertThat(answerTo(b.end.port(), new byte[] {0, 0, 0, 1, 22})).isEmpty(); // of an open link
        assertThat(answerTo(b.end.port(), new byte[] {0, 0, 4, 1})).isEmpty(); // longer than before the proof
        assertThat(answerTo(b.end.port(), new byte[] {0, 0, 0, 20, 1})).isEmpty(); // and then nothing

        await().atMost(PATIENCE).until(() -> b.refusals.size() == 5); // a client sees the end before it is reported
        assertThat(b.refusals)
                .extracting(LinkRefusal::reason)
                .containsExactly(Reason.FOREIGN, Reason.FOREIGN, Reason.FOREIGN, Reason.FOREIGN, Reason.TOO_SLOW);
        assertThat(a.isUp() && b.isUp()).isTrue();
        assertThat(b.links).hasSize(1);
    }

    @Test
    void shouldNoticeAHalfOpenLinkAndDialAgain() throws Exception {
        Ends b = listener(SECRET);
        try (FaultyNetwork network = FaultyNetwork.to(b.end.port())) {
            Ends a = dialer(network.port(), SECRET);
            await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());

            network.halfOpen();
            await().atMost(PATIENCE).until(() -> !a.downs.isEmpty() && !b.downs.isEmpty());
            assertThat(a.downs.get(0)).isEqualTo("nothing has come for 1000 ms");

            network.heal();
            network.cut();
            await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp() && a.links.size() > 1);
            a.link().send(new PairMessage.Confirm(1, 1));
            await().atMost(PATIENCE).until(() -> b.messages.contains(new PairMessage.Confirm(1, 1)));
        }
    }

    @Test
    void shouldNoticeThatNothingComesFromOneSide() throws Exception {
        Ends b = listener(SECRET);
        try (FaultyNetwork network = FaultyNetwork.to(b.end.port())) {
            Ends a = dialer(network.port(), SECRET);
            await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());

            network.toClient(Fault.BLACKHOLE);
            await().atMost(PATIENCE).until(() -> !a.downs.isEmpty());

            network.heal();
            network.cut();
            await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp() && b.links.size() > 1);
        }
    }

    @Test
    void shouldGetThroughByteByByte() throws Exception {
        Ends b = listener(SECRET);
        try (FaultyNetwork network = FaultyNetwork.to(b.end.port())) {
            network.toServer(Fault.dribble(1, Duration.ofMillis(1)));
            Ends a = dialer(network.port(), SECRET);
            await().atMost(PATIENCE).until(() -> a.isUp() && b.isUp());
            network.heal();
        }
    }

    /** What a server answers to these bytes before it closes. */
    private static byte[] answerTo(int port, byte[] bytes) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            return new byte[0]; // reset, as not all of it was read
        }
    }

    private static byte[] readFrame(InputStream in) throws Exception {
        int length = ByteBuffer.wrap(in.readNBytes(4)).getInt();
        return in.readNBytes(length);
    }

    private static void writeFrame(OutputStream out, int type, byte[] body) throws Exception {
        out.write(
                ByteBuffer.allocate(5).putInt(body.length + 1).put((byte) type).array());
        out.write(body);
        out.flush();
    }

    @Test
    void shouldSayWhyWhenItCannotGoOnItself() throws Exception {
        Ends b = listener(SECRET);
        Ends a = dialer(b.end.port(), SECRET, state("a name that is too long".repeat(4_000), false, 0, 0));

        await().atMost(PATIENCE).until(() -> !a.refusals.isEmpty());
        assertThat(a.refusals.get(0).text())
                .startsWith("has got no answer, as this node could not go on: java.io.UncheckedIOException");
        assertThat(a.links).isEmpty();
    }

    private Ends open(LinkSettings settings, int port) throws IOException {
        Ends end = new Ends(settings, port, state("store", false, 0, 0));
        opened.add(end);
        return end;
    }

    private Ends listener(PairSecret secret) throws Exception {
        Ends end = new Ends(settings("pair", "b", "a", secret), 0, state("store", false, 0, 0));
        opened.add(end);
        return end;
    }

    private Ends dialer(int port, PairSecret secret) throws Exception {
        return dialer(port, secret, state("store", false, 0, 0));
    }

    private Ends dialer(int port, PairSecret secret, LinkState state) throws Exception {
        Ends end = new Ends(settings("pair", "a", "b", secret), port, state);
        opened.add(end);
        return end;
    }

    private static PairSecret secret(String text) {
        return PairSecret.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static LinkState state(String store, boolean isEmpty, long leads, long latest) {
        return new LinkState(store, isEmpty, leads, latest);
    }

    private static LinkSettings settings(String group, String self, String partner, PairSecret secret) {
        return settings(group, self, partner, secret, LinkVersions.ALL);
    }

    private static LinkSettings settings(
            String group, String self, String partner, PairSecret secret, LinkVersions versions) {
        return new LinkSettings(
                group,
                self,
                partner,
                secret,
                null,
                versions,
                CREDIT,
                FRAME,
                Duration.ofMillis(100),
                Duration.ofMillis(1_000),
                Duration.ofMillis(3_000));
    }
}
