package dev.avocet.dist.kill;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The bytes of MQTT 3.1.1 on one connection, for clients that keep their own account of what became of each packet. */
final class WireClient implements AutoCloseable {
    static final int CONNACK = 2;
    static final int PUBLISH = 3;
    static final int PUBACK = 4;
    static final int PUBREC = 5;
    static final int PUBREL = 6;
    static final int PUBCOMP = 7;
    static final int SUBACK = 9;

    private static final int TIMEOUT_MS = 20_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;
    private final boolean sessionPresent;

    /** Connects to a session that is to be kept. */
    WireClient(int port, String clientId) throws IOException {
        boolean connected = false;
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
            sessionPresent = connect(clientId);
            connected = true;
        } finally {
            if (!connected) {
                socket.close();
            }
        }
    }

    boolean sessionPresent() {
        return sessionPresent;
    }

    void subscribe(String filter, int qos) throws IOException {
        byte[] name = filter.getBytes(StandardCharsets.UTF_8);
        header(0x82, 2 + 2 + name.length + 1);
        out.writeShort(1);
        text(name);
        out.writeByte(qos);
        out.flush();
    }

    void publish(String topic, int qos, boolean dup, int packetId, int number) throws IOException {
        byte[] name = topic.getBytes(StandardCharsets.UTF_8);
        header(0x30 | qos << 1 | (dup ? 8 : 0), 2 + name.length + 2 + Integer.BYTES);
        text(name);
        out.writeShort(packetId);
        out.writeInt(number);
    }

    void acknowledge(int type, int packetId) throws IOException {
        header(type << 4 | (type == PUBREL ? 2 : 0), 2);
        out.writeShort(packetId);
    }

    void flush() throws IOException {
        out.flush();
    }

    /** True when a packet has begun to arrive. */
    boolean hasInput() throws IOException {
        return in.available() > 0;
    }

    /** Waits for the next packet. */
    Received read() throws IOException {
        int first = in.readUnsignedByte();
        byte[] body = new byte[remainingLength()];
        in.readFully(body);
        int type = first >> 4;
        int qos = first >> 1 & 3;
        if (type != PUBLISH) {
            return new Received(type, 0, body.length >= 2 ? number16(body, 0) : 0, 0);
        }
        int at = 2 + number16(body, 0);
        int packetId = qos == 0 ? 0 : number16(body, at);
        at += qos == 0 ? 0 : 2;
        int number = number16(body, at) << 16 | number16(body, at + 2);
        return new Received(type, qos, packetId, number);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket does not close", e);
        }
    }

    private boolean connect(String clientId) throws IOException {
        byte[] id = clientId.getBytes(StandardCharsets.UTF_8);
        header(0x10, 10 + 2 + id.length);
        text("MQTT".getBytes(StandardCharsets.UTF_8));
        out.writeByte(4);
        out.writeByte(0);
        out.writeShort(0);
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

    /** @param number what the payload says, of a PUBLISH */
    record Received(int type, int qos, int packetId, int number) {}
}
