package dev.avocet.dist.fault;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of MQTT 3.1.1 or 5 on one connection, for clients that keep their own account of what became of each
 * packet.
 */
public final class WireClient implements AutoCloseable {
    public static final int CONNACK = 2;
    public static final int PUBLISH = 3;
    public static final int PUBACK = 4;
    public static final int PUBREC = 5;
    public static final int PUBREL = 6;
    public static final int PUBCOMP = 7;
    public static final int SUBACK = 9;
    public static final int UNSUBACK = 11;
    public static final int PINGRESP = 13;

    public static final int MQTT_3_1_1 = 4;
    public static final int MQTT_5 = 5;

    static final int TIMEOUT_MS = 20_000;
    private static final int SESSION_EXPIRY_INTERVAL = 0x11;
    private static final int SESSION_EXPIRY_SECONDS = 86_400;

    private final int protocolLevel;
    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;
    private final boolean sessionPresent;

    /** Connects to a session that is to be kept. */
    public WireClient(int port, String clientId, int protocolLevel) throws IOException {
        this(port, clientId, protocolLevel, TIMEOUT_MS);
    }

    /** @param timeoutMs a broker that says nothing for so long, when it is waited for, is given up */
    public WireClient(int port, String clientId, int protocolLevel, int timeoutMs) throws IOException {
        this(port, clientId, protocolLevel, timeoutMs, true);
    }

    private WireClient(int port, String clientId, int protocolLevel, int timeoutMs, boolean isKept) throws IOException {
        this.protocolLevel = protocolLevel;
        boolean connected = false;
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMs);
            socket.setSoTimeout(timeoutMs);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
            sessionPresent = connect(clientId, isKept);
            connected = true;
        } finally {
            if (!connected) {
                socket.close();
            }
        }
    }

    /** Connects with MQTT 5 to a session that ends with the connection. */
    public static WireClient withoutSession(int port, String clientId) throws IOException {
        return new WireClient(port, clientId, MQTT_5, TIMEOUT_MS, false);
    }

    public boolean sessionPresent() {
        return sessionPresent;
    }

    public void subscribe(String filter, int qos) throws IOException {
        byte[] name = filter.getBytes(StandardCharsets.UTF_8);
        header(0x82, 2 + noPropertiesBytes() + 2 + name.length + 1);
        out.writeShort(1);
        noProperties();
        text(name);
        out.writeByte(qos);
        out.flush();
    }

    public void unsubscribe(String filter) throws IOException {
        byte[] name = filter.getBytes(StandardCharsets.UTF_8);
        header(0xA2, 2 + noPropertiesBytes() + 2 + name.length);
        out.writeShort(1);
        noProperties();
        text(name);
        out.flush();
    }

    public void ping() throws IOException {
        header(0xC0, 0);
        out.flush();
    }

    public void publish(String topic, int qos, boolean dup, int packetId, int number) throws IOException {
        publish(topic, qos, dup, packetId, number, new byte[0]);
    }

    /** @param rest of the payload, behind the number */
    public void publish(String topic, int qos, boolean dup, int packetId, int number, byte[] rest) throws IOException {
        publish(0x30 | qos << 1 | (dup ? 8 : 0), topic, packetId, number, rest);
    }

    /** At QoS 1, to be retained. */
    public void retain(String topic, int packetId, int number) throws IOException {
        retain(topic, packetId, number, new byte[0]);
    }

    /** @param rest of the payload, behind the number */
    public void retain(String topic, int packetId, int number, byte[] rest) throws IOException {
        publish(0x33, topic, packetId, number, rest);
    }

    private void publish(int first, String topic, int packetId, int number, byte[] rest) throws IOException {
        byte[] name = topic.getBytes(StandardCharsets.UTF_8);
        int packetIdBytes = (first & 6) == 0 ? 0 : 2;
        header(first, 2 + name.length + packetIdBytes + noPropertiesBytes() + Integer.BYTES + rest.length);
        text(name);
        if (packetIdBytes > 0) {
            out.writeShort(packetId);
        }
        noProperties();
        out.writeInt(number);
        out.write(rest);
    }

    public void acknowledge(int type, int packetId) throws IOException {
        header(type << 4 | (type == PUBREL ? 2 : 0), 2);
        out.writeShort(packetId);
    }

    public void flush() throws IOException {
        out.flush();
    }

    /** True when a packet has begun to arrive. */
    boolean hasInput() throws IOException {
        return in.available() > 0;
    }

    /** Waits for the next packet. */
    public Received read() throws IOException {
        int first = in.readUnsignedByte();
        byte[] body = new byte[remainingLength()];
        in.readFully(body);
        int type = first >> 4;
        int qos = first >> 1 & 3;
        if (type != PUBLISH) {
            boolean isLast = type == SUBACK || type == UNSUBACK; // behind the properties
            int reason = body.length > 2 ? body[isLast ? body.length - 1 : 2] & 0xFF : 0;
            return new Received(type, 0, body.length >= 2 ? number16(body, 0) : 0, 0, reason);
        }
        int at = 2 + number16(body, 0);
        int packetId = qos == 0 ? 0 : number16(body, at);
        at += qos == 0 ? 0 : 2;
        at += protocolLevel == MQTT_5 ? 1 + body[at] : 0;
        int number = number16(body, at) << 16 | number16(body, at + 2);
        return new Received(type, qos, packetId, number, 0);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket does not close", e);
        }
    }

    private boolean connect(String clientId, boolean isKept) throws IOException {
        byte[] id = clientId.getBytes(StandardCharsets.UTF_8);
        boolean hasProperties = protocolLevel == MQTT_5;
        header(0x10, 10 + (hasProperties ? 6 : 0) + 2 + id.length);
        text("MQTT".getBytes(StandardCharsets.UTF_8));
        out.writeByte(protocolLevel);
        out.writeByte(isKept ? 0 : 2);
        out.writeShort(0);
        if (hasProperties) {
            out.writeByte(1 + Integer.BYTES);
            out.writeByte(SESSION_EXPIRY_INTERVAL);
            out.writeInt(isKept ? SESSION_EXPIRY_SECONDS : 0);
        }
        text(id);
        out.flush();
        int first = in.readUnsignedByte();
        byte[] body = new byte[remainingLength()];
        in.readFully(body);
        if (first >> 4 != CONNACK || body[1] != 0) {
            throw new IOException("not connected: " + first + " " + body[1]);
        }
        return (body[0] & 1) != 0;
    }

    private void header(int first, int length) throws IOException {
        out.writeByte(first);
        int left = length;
        do {
            out.writeByte(left > 127 ? left & 127 | 128 : left);
            left >>= 7;
        } while (left > 0);
    }

    private int noPropertiesBytes() {
        return protocolLevel == MQTT_5 ? 1 : 0;
    }

    private void noProperties() throws IOException {
        if (protocolLevel == MQTT_5) {
            out.writeByte(0);
        }
    }

    private void text(byte[] utf8) throws IOException {
        out.writeShort(utf8.length);
        out.write(utf8);
    }

    private int remainingLength() throws IOException {
        int length = 0;
        int shift = 0;
        int next;
        do {
            next = in.readUnsignedByte();
            length |= (next & 127) << shift;
            shift += 7;
        } while (next > 127);
        return length;
    }

    private static int number16(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
    }

    /**
     * A packet.
     *
     * @param number what the payload says, of a PUBLISH
     * @param reasonCode of an acknowledgement; 0 where it has none
     */
    public record Received(int type, int qos, int packetId, int number, int reasonCode) {}
}
