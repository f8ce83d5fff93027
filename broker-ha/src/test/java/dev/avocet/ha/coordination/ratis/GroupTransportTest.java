package dev.avocet.ha.coordination.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.time.SystemClock;
import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.GroupNames;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.PairSecret;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connections that a member of the group makes. */
@InTurn
final class GroupTransportTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final String ARBITER = "arbiter";
    private static final int CONNECTIONS = 3;

    @TempDir
    private Path disk;

    private final Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();

    @Test
    void shouldHaveItsPeerProveItselfAnewInEachConnection() throws Exception {
        // given a peer that lets sessions be resumed, and ends each connection
        for (String member : List.of("a", "b", ARBITER)) {
            addresses.put(member, new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next()));
        }
        try (MemberTls own = tls("b");
                MemberTls of = tls("a");
                Peer peer = new Peer(of, addresses.get("a").getPort());
                GroupMember member = GroupMember.start(
                        new GroupSettings("pair", addresses, ARBITER, TIMEOUT, own), "b", disk.resolve("b"))) {
            // when the member has called it a few times
            await().atMost(PATIENCE).until(() -> peer.connections.size() >= CONNECTIONS);

            // then
            assertThat(member.leadsGroup()).isFalse();
            assertThat(peer.connections)
                    .as("whether it has shown its certificate")
                    .doesNotContain(false);
        }
    }

    private MemberTls tls(String member) throws Exception {
        Map<String, String> hosts = new LinkedHashMap<>();
        addresses.forEach((id, address) -> hosts.put(id, address.getHostString()));
        MemberTls tls = MemberTls.open(
                Credentials.of(PairSecret.of("of all".getBytes(StandardCharsets.US_ASCII))),
                new GroupNames("pair", member, hosts),
                new SystemClock());
        assert tls != null;
        return tls;
    }

    /** Takes a connection after the other, up to where its caller has read what came behind the tickets of TLS. */
    private static final class Peer implements AutoCloseable {
        private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0}; // of HTTP/2
        private static final String SETTINGS_READ = text(new byte[] {0, 0, 0, 4, 1, 0, 0, 0, 0});

        /** Whether the certificate was shown in each. */
        private final List<Boolean> connections = new CopyOnWriteArrayList<>();

        private final Asked keys;
        private final SSLServerSocket listening;

        Peer(MemberTls tls, int port) throws Exception {
            keys = new Asked(tls.keys());
            SSLContext context = SSLContext.getInstance(MemberTls.VERSION);
            context.init(new KeyManager[] {keys}, null, null);
            listening = (SSLServerSocket)
                    context.getServerSocketFactory().createServerSocket(port, 10, InetAddress.getLoopbackAddress());
            SSLParameters parameters = listening.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            listening.setSSLParameters(parameters);
            Thread thread = new Thread(this::serve, "peer");
            thread.setDaemon(true);
            thread.start();
        }

        private void serve() {
            while (!listening.isClosed()) {
                int before = keys.asked.get();
                try (SSLSocket socket = (SSLSocket) listening.accept()) {
                    socket.setSoTimeout((int) TIMEOUT.toMillis());
                    socket.startHandshake();
                    boolean isShown = keys.asked.get() > before;
                    socket.getOutputStream().write(SETTINGS);
                    socket.getOutputStream().flush();
                    ByteArrayOutputStream heard = new ByteArrayOutputStream();
                    while (!text(heard.toByteArray()).contains(SETTINGS_READ)) {
                        int next = socket.getInputStream().read();
                        if (next < 0) {
                            throw new EOFException("the member has ended it");
                        }
                        heard.write(next);
                    }
                    connections.add(isShown);
                } catch (IOException e) {
                    assert keys.asked.get() >= before; // the next one may go better
                }
            }
        }

        private static String text(byte[] bytes) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    /** Counts how often its key was asked for. */
    private static final class Asked extends X509ExtendedKeyManager {
        private final X509ExtendedKeyManager keys;
        private final AtomicInteger asked = new AtomicInteger();

        Asked(X509ExtendedKeyManager keys) {
            this.keys = keys;
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            asked.incrementAndGet();
            return keys.getPrivateKey(alias);
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return keys.chooseClientAlias(keyTypes, issuers, socket);
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return keys.getClientAliases(keyType, issuers);
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return keys.getServerAliases(keyType, issuers);
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return keys.chooseServerAlias(keyType, issuers, socket);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return keys.getCertificateChain(alias);
        }
    }
}
