package dev.avocet.bench.mqtt.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Vector;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.bouncycastle.tls.BasicTlsPSKExternal;
import org.bouncycastle.tls.PRFAlgorithm;
import org.bouncycastle.tls.PSKTlsServer;
import org.bouncycastle.tls.ProtocolVersion;
import org.bouncycastle.tls.PskIdentity;
import org.bouncycastle.tls.TlsPSKExternal;
import org.bouncycastle.tls.TlsPSKIdentityManager;
import org.bouncycastle.tls.TlsServerProtocol;
import org.bouncycastle.tls.crypto.TlsCrypto;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaTlsCryptoProvider;

/** Takes TLS with pre-shared keys off what clients send to a broker, and puts it round what comes back. */
final class PskProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final Queue<String> identities = new ConcurrentLinkedQueue<>();
    private final AtomicInteger goodEnds = new AtomicInteger();
    private final AtomicInteger badEnds = new AtomicInteger();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final TlsCrypto crypto = new JcaTlsCryptoProvider().create(new SecureRandom());
    private final int brokerPort;
    private final Map<String, byte[]> keys;

    PskProxy(int brokerPort, Map<String, byte[]> keys) throws IOException {
        this.brokerPort = brokerPort;
        this.keys = keys;
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Who came, each time. */
    List<String> identities() {
        return List.copyOf(identities);
    }

    /** How many said close_notify. */
    int goodEnds() {
        return goodEnds.get();
    }

    int badEnds() {
        return badEnds.get();
    }

    /** Waits for its threads. */
    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            sockets.add(client);
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client;
                Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort)) {
            sockets.add(broker);
            client.setTcpNoDelay(true);
            TlsServerProtocol tls = new TlsServerProtocol(client.getInputStream(), client.getOutputStream());
            tls.accept(new Server());
            start(() -> broker.getInputStream().transferTo(tls.getOutputStream()));
            countEnd(() -> forward(tls.getInputStream(), broker.getOutputStream()));
        }
    }

    private void countEnd(Work untilItsEnd) {
        try {
            untilItsEnd.run();
            goodEnds.incrementAndGet();
        } catch (IOException cutOff) {
            badEnds.incrementAndGet();
        }
    }

    /** To the end, whether or not the broker still listens. */
    private static void forward(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[8192];
        boolean isTaken = true;
        for (int size = from.read(buffer); size >= 0; size = from.read(buffer)) {
            isTaken = isTaken && isWritten(to, buffer, size);
        }
    }

    private static boolean isWritten(OutputStream to, byte[] buffer, int size) {
        try {
            to.write(buffer, 0, size);
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    /** Of both versions. */
    private final class Server extends PSKTlsServer {
        Server() {
            super(crypto, new Identities());
        }

        @Override
        protected ProtocolVersion[] getSupportedVersions() {
            return ProtocolVersion.TLSv13.downTo(ProtocolVersion.TLSv12);
        }

        @Override
        protected int[] getSupportedCipherSuites() {
            return Stream.of(
                            "TLS_AES_128_GCM_SHA256",
                            "TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256",
                            "TLS_PSK_WITH_AES_256_CBC_SHA")
                    .mapToInt(PskProxy::suite)
                    .toArray();
        }

        @Override
        @SuppressWarnings("rawtypes") // the library's interface has it so
        public TlsPSKExternal getExternalPSK(Vector offered) {
            byte[] identity = ((PskIdentity) offered.get(0)).getIdentity();
            byte[] key = new Identities().getPSK(identity);
            return key == null
                    ? null
                    : new BasicTlsPSKExternal(identity, crypto.createSecret(key), PRFAlgorithm.tls13_hkdf_sha256);
        }
    }

    private static int suite(String name) {
        try {
            return Class.forName("org.bouncycastle.tls.CipherSuite")
                    .getField(name)
                    .getInt(null);
        } catch (ReflectiveOperationException unknown) {
            throw new IllegalArgumentException(unknown);
        }
    }

    private final class Identities implements TlsPSKIdentityManager {
        @Override
        public byte[] getHint() {
            return null;
        }

        @Override
        public byte[] getPSK(byte[] identity) {
            identities.add(new String(identity, UTF_8));
            byte[] key = keys.get(new String(identity, UTF_8));
            return key == null ? null : key.clone();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // Somebody is gone.
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }
}
