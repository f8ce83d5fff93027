package dev.avocet.bench.mqtt.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between clients and a broker. Of one connection of each publisher nothing comes through behind CONNECT, as if
 * it had been on its way when the connection ended.
 */
final class CuttingProxy implements AutoCloseable {
    private static final String PUBLISHERS = "bp";

    private final Map<String, Integer> connections = new ConcurrentHashMap<>();
    private final AtomicInteger cut = new AtomicInteger();
    private final int which;
    private final PacketRelay relay;

    /** @param which of each publisher's connections is cut, from 1 */
    CuttingProxy(int brokerPort, int which) throws IOException {
        this.which = which;
        relay = new PacketRelay(brokerPort, this::up, InputStream::transferTo);
    }

    int port() {
        return relay.port();
    }

    /** How many packets did not come through. */
    int cut() {
        return cut.get();
    }

    @Override
    public void close() throws IOException {
        relay.close();
    }

    private void up(InputStream from, OutputStream out) throws IOException {
        DataInputStream in = new DataInputStream(from);
        boolean isCut = false;
        for (byte[] packet = PacketRelay.packet(in); packet != null; packet = PacketRelay.packet(in)) {
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
}
