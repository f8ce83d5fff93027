package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.Base64URL;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.PacketWriter;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.server.oauth.TestTokenServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand logins with tokens of unknown keys come from one address, while a client logs in from another. */
class LoginFloodTest {
    private static final int FLOOD = 10_000;
    private static final int ATTACKERS = 4;
    private static final int LOGINS = 100;
    private static final int TIMEOUT_MS = 60_000;
    /** What a busy machine may add to any login; those of the flood's address wait for 5,000 ms. */
    private static final double NOISE_MS = 2_000;

    private static final String ATTACKER = "127.0.0.1";
    private static final String CLIENT = "127.0.0.2";

    private final Clock clock = new SystemClock();

    @TempDir
    private Path data;

    private TestTokenServer tokens;
    private RestBroker rest;
    private int port;

    @BeforeEach
    void start() throws Exception {
        tokens = TestTokenServer.start();
        rest = RestBroker.start(data, "{\"security\": {\"allowAnonymous\": \"never\"}}");
        rest.configure("{\"OAuthProfile\": {\"o\": {" + tokens.keySetProfile() + "}}}");
        rest.configure("{\"SecurityProfile\": {\"p\": {\"TLSEnabled\": false, \"OAuthProfile\": \"o\"}}}");
        port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\"");
    }

    @AfterEach
    void stop() {
        rest.close();
        tokens.close();
    }

    @Test
    void shouldLetOthersInAsQuicklyWhileAFloodOfLoginsIsHeldOff() throws Exception {
        // given
        assertThat(login(CLIENT, tokens.token("anna", 600))).isTrue();
        double usualMs = slowestLoginMs();
        int fetchesBefore = tokens.keyRequests();

        // when
        String signed = TestTokenServer.sign(tokens.claims("eve", 600).build(), TestTokenServer.newKey("x"));
        String claimsAndSignature = signed.substring(signed.indexOf('.'));
        AtomicInteger attempts = new AtomicInteger();
        AtomicInteger successes = new AtomicInteger();
        CompletableFuture<?>[] attackers = new CompletableFuture<?>[ATTACKERS];
        Arrays.setAll(
                attackers,
                i -> CompletableFuture.runAsync(() -> {
                    try (OpenSockets waiting = new OpenSockets()) {
                        for (int n = attempts.getAndIncrement(); n < FLOOD; n = attempts.getAndIncrement()) {
                            String header = "{\"alg\":\"ES256\",\"kid\":\"" + n + "\"}";
                            if (attack(Base64URL.encode(header) + claimsAndSignature, waiting)) {
                                successes.incrementAndGet();
                            }
                        }
                    }
                }));
        double floodedMs = slowestLoginMs();
        CompletableFuture.allOf(attackers).get(TIMEOUT_MS, TimeUnit.MILLISECONDS);

        // then
        assertThat(successes).hasValue(0);
        assertThat(tokens.keyRequests() - fetchesBefore).as("once in 30 s").isLessThanOrEqualTo(3);
        assertThat(floodedMs).isLessThanOrEqualTo(Math.max(2 * usualMs, NOISE_MS));
    }

    /** What 99 of a hundred logins take at most. */
    private double slowestLoginMs() throws Exception {
        long[] tookNs = new long[LOGINS];
        for (int i = 0; i < LOGINS; i++) {
            String token = tokens.token("user" + i, 600);
            long startNs = clock.nanoTime();
            assertThat(login(CLIENT, token)).isTrue();
            tookNs[i] = clock.nanoTime() - startNs;
        }
        Arrays.sort(tookNs);
        return tookNs[LOGINS - 2] / 1e6;
    }

    /** A login whose answer is not awaited for long; a socket that still waits for one stays open. */
    private boolean attack(String token, OpenSockets waiting) {
        try {
            Socket socket = open(ATTACKER, token);
            waiting.add(socket);
            socket.setSoTimeout(5);
            return isAccepted(socket);
        } catch (IOException e) {
            return false;
        }
    }

    private boolean login(String from, String token) throws IOException {
        try (Socket socket = open(from, token)) {
            return isAccepted(socket);
        }
    }

    /** A client of MQTT 3.1.1 that has the token as its password. */
    private Socket open(String from, String token) throws IOException {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            socket.getOutputStream().write(connect(token));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static boolean isAccepted(Socket socket) throws IOException {
        byte[] connAck = socket.getInputStream().readNBytes(4);
        return connAck.length == 4 && connAck[3] == 0;
    }

    /** The last fifty sockets of an attacker; those before them are closed. */
    private static final class OpenSockets implements AutoCloseable {
        private static final int MOST = 50;

        private final Queue<Socket> sockets = new ArrayDeque<>();

        void add(Socket socket) throws IOException {
            sockets.add(socket);
            if (sockets.size() > MOST) {
                sockets.remove().close();
            }
        }

        @Override
        public void close() {
            for (Socket socket : sockets) {
                try {
                    socket.close();
                } catch (IOException e) {
                    // it is gone
                }
            }
        }
    }

    private static byte[] connect(String token) {
        PacketWriter packet = new PacketWriter(1024, PacketFramer.MAX_PACKET_SIZE_BYTES);
        PacketEncoder.encode(
                ProtocolVersion.V3_1_1,
                Connect.builder("")
                        .version(ProtocolVersion.V3_1_1)
                        .userName("IMA_OAUTH_ACCESS_TOKEN")
                        .password(token.getBytes(UTF_8))
                        .build(),
                packet);
        return packet.toByteArray();
    }
}
