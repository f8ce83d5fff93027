package dev.avocet.amqp.faults;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Sends bytes, and reads what comes until the broker closes. */
final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MS = 30_000;

    private final Socket socket;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MS);
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** A protocol header. */
    RawClient header(int protocolId) throws IOException {
        return send(new byte[] {'A', 'M', 'Q', 'P', (byte) protocolId, 1, 0, 0});
    }

    /** A frame of type AMQP on channel 0. */
    RawClient frame(byte[] body) throws IOException {
        return frame(0, body);
    }

    RawClient frame(int type, byte[] body) throws IOException {
        return frame(type, 0, body);
    }

    RawClient frame(int type, int channel, byte[] body) throws IOException {
        return send(ByteBuffer.allocate(8 + body.length)
                .putInt(8 + body.length)
                .put((byte) 2)
                .put((byte) type)
                .putShort((short) channel)
                .put(body)
                .array());
    }

    /** The protocol header and open of a well-behaved client without SASL. */
    RawClient open() throws IOException {
        return header(0).frame(described(0x10, list(string("raw"))));
    }

    /** What comes until it holds this text. */
    String until(String text) throws IOException {
        StringBuilder all = new StringBuilder();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (all.indexOf(text) < 0) {
            all.append((char) in.readUnsignedByte());
        }
        return all.toString();
    }

    /** So many bytes, each as a character. */
    String next(int count) throws IOException {
        byte[] bytes = new byte[count];
        new DataInputStream(socket.getInputStream()).readFully(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** The next frame, from its channel on: two bytes, and what comes behind the head. */
    byte[] nextFrame() throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int size = in.readInt();
        in.skipNBytes(2);
        byte[] rest = new byte[size - 6];
        in.readFully(rest);
        return rest;
    }

    /** Everything until the end of the connection, as text in which symbols can be found. */
    String untilClosed() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        for (int b = in.read(); b >= 0; b = in.read()) {
            all.write(b);
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    static byte[] described(int code, byte[] value) {
        return ByteBuffer.allocate(3 + value.length)
                .put((byte) 0)
                .put((byte) 0x53)
                .put((byte) code)
                .put(value)
                .array();
    }

    static byte[] list(byte[]... elements) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] element : elements) {
            content.writeBytes(element);
        }
        return ByteBuffer.allocate(9 + content.size())
                .put((byte) 0xD0)
                .putInt(content.size() + 4)
                .putInt(elements.length)
                .put(content.toByteArray())
                .array();
    }

    static byte[] string(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + utf8.length)
                .put((byte) 0xA1)
                .put((byte) utf8.length)
                .put(utf8)
                .array();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
