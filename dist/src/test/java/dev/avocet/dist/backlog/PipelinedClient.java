package dev.avocet.dist.backlog;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** The bytes of MQTT 3.1.1 on one blocking connection, many packets to a call. */
final class PipelinedClient implements AutoCloseable {
    static final int CONNACK = 2;
    static final int PUBLISH = 3;
    static final int PUBACK = 4;
    static final int SUBACK = 9;
    static final int PINGRESP = 13;

    private static final int BUFFER_BYTES = 1 << 18;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();
    private ByteBuffer body = in;

    /** Connects to a session that is to be kept. */
    PipelinedClient(int port, String clientId) throws IOException {
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        try {
            connect(clientId);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    void subscribe(String... filters) throws IOException {
        int length = 2;
        for (String filter : filters) {
            length += 2 + utf8(filter).length + 1;
        }
        header(0x82, length);
        out.putShort((short) 1);
        for (String filter : filters) {
            putText(out, utf8(filter));
            out.put((byte) 1);
        }
        flush();
        if (next() != SUBACK) {
            throw new IOException("no answer to a SUBSCRIBE");
        }
    }

    /** At QoS 1; not sent before {@link #flush}, unless the buffer is full. */
    void publish(byte[] topic, int packetId, ByteBuffer payload) throws IOException {
        int length = 2 + topic.length + 2 + payload.remaining();
        header(0x32, length);
        putText(out, topic);
        out.putShort((short) packetId);
        out.put(payload);
    }

    /** Not sent before {@link #flush}, unless the buffer is full. */
    void acknowledge(int packetId) throws IOException {
        header(PUBACK << 4, 2);
        out.putShort((short) packetId);
    }

    void ping() throws IOException {
        header(0xC0, 0);
        flush();
    }

    void flush() throws IOException {
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
        out.clear();
    }

    /** True when {@link #next} would not have to wait. */
    boolean hasPacket() {
        return packetBytes() <= in.remaining();
    }

    /** Waits for a packet and returns its type; {@link #body} has the rest until the next call. */
    int next() throws IOException {
        while (!hasPacket()) {
            fill();
        }
        int from = in.position();
        int to = from + packetBytes();
        body = in.duplicate().limit(to).position(from + 1 + lengthBytes());
        in.position(to);
        return (in.get(from) & 0xFF) >> 4;
    }

    ByteBuffer body() {
        return body;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void connect(String clientId) throws IOException {
        byte[] id = utf8(clientId);
        header(0x10, 10 + 2 + id.length);
        putText(out, utf8("MQTT"));
        out.put((byte) 4).put((byte) 0).putShort((short) 0);
        putText(out, id);
        flush();
        if (next() != CONNACK || body.get(body.position() + 1) != 0) {
            throw new IOException("not connected");
        }
    }

    /** Begins a packet, for all of which there is room then. */
    private void header(int first, int length) throws IOException {
        if (out.remaining() < 5 + length) {
            flush();
        }
        out.put((byte) first);
        int left = length;
        do {
            out.put((byte) (left > 127 ? left & 127 | 128 : left));
            left >>= 7;
        } while (left > 0);
    }

    private void fill() throws IOException {
        in.compact();
        int count = channel.read(in);
        in.flip();
        if (count < 0) {
            throw new EOFException("the broker closed the connection");
        }
    }

    /** Size of the packet that begins here; more than there is when that is not known yet. */
    private int packetBytes() {
        int bytes = lengthBytes();
        if (bytes == 0) {
            return Integer.MAX_VALUE;
        }
        int length = 0;
        for (int i = bytes; i > 0; i--) {
            length = length << 7 | in.get(in.position() + i) & 127;
        }
        return 1 + bytes + length;
    }

    /** Bytes of the remaining length; 0 when not all of them are here. */
    private int lengthBytes() {
        for (int i = 1; i < in.remaining(); i++) {
            if (in.get(in.position() + i) >= 0) {
                return i;
            }
        }
        return 0;
    }

    private static void putText(ByteBuffer target, byte[] utf8) {
        target.putShort((short) utf8.length).put(utf8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
