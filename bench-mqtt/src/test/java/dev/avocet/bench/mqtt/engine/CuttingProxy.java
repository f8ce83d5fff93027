package dev.avocet.bench.mqtt.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between clients and a broker. Of one connection of each publisher nothing comes through behind CONNECT, as if it had been on its
 * way when the connection ended.
 */
final class CuttingProxy implements AutoCloseable {
    private static final String PUBLISHERS = "bp";

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ConcurrentLinkedQueue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> connections = new ConcurrentHashMap<>();
    private final AtomicInteger cut = new AtomicInteger();
    private final int brokerPort;
    private final int which;

    /** @param which of each publisher's connections is cut, from 1 */
    CuttingProxy(int brokerPort, int which) throws IOException {
        this.brokerPort = brokerPort;
        this.which = which;
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many packets did not come through. */
    int cut() {
        return cut.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
            sockets.add(client);
            sockets.add(broker);
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
            start(() -> {
                up(new DataInputStream(client.getInputStream()), broker.getOutputStream());
                broker.shutdownOutput();
            });
            start(() -> {
                broker.getInputStream().transferTo(client.getOutputStream());
                client.close();
            });
        }
    }

    private void up(DataInputStream in, OutputStream out) throws IOException {
        boolean isCut = false;
        for (byte[] packet = MeddlingProxy.packet(in); packet != null; packet = MeddlingProxy.packet(in)) {
            if (isCut) {
                cut.incrementAndGet();
            } else {
                out.write(packet);
                isCut = packet[0] == 0x10 && isChosen(packet);
            }
        }
    }

    /** Of a CONNECT of MQTT 3.1.1, or of MQTT 5 with a session expiry interval at most. */
    private boolean isChosen(byte[] connect) {
        String text = new String(connect, UTF_8);
        int at = text.indexOf(PUBLISHERS);
        return at >= 0 && connections.merge(text.substring(at), 1, Integer::sum) == which;
    }

    private interface Io {
        void run() throws IOException;
    }

    private static void start(Io work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException ended) {
                        return;
                    }
                },
                "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
