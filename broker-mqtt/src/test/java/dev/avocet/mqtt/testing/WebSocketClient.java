package dev.avocet.mqtt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A WebSocket client that sends the frames a test says, right or wrong, and answers nothing by itself. */
public final class WebSocketClient implements AutoCloseable {
    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    /** A request that is granted, without the line that ends it. */
    public static final String UPGRADE = String.join(
            "\r\n",
            "GET /mqtt HTTP/1.1",
            "Host: localhost",
            "Upgrade: websocket",
            "Connection: keep-alive, Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "");

    private static final int PATIENCE_MS = 30_000;
    private static final int MASK = 0x1B2C3DFE;

    private final Socket socket;
    private final DataInputStream in;

    public WebSocketClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MS);
            in = new DataInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A client whose connection has been upgraded. */
    public static WebSocketClient upgraded(int port) {
        WebSocketClient client = new WebSocketClient(port);
        String answer = client.request(UPGRADE + "Sec-WebSocket-Protocol: mqtt\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 101 ");
        return client;
    }

    /** Sends a request and returns the head of the answer, with the empty line that ends it. */
    public String request(String request) {
        sendRaw(request.getBytes(StandardCharsets.ISO_8859_1));
        return head();
    }

    /** The head of the answer. */
    public String head() {
        StringBuilder head = new StringBuilder();
        try {
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
        } catch (IOException e) {
            throw new AssertionError("no complete head: " + head, e);
        }
        return head.toString();
    }

    public void sendRaw(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a frame that is a message of its own. */
    public void send(int opcode, byte[] payload) {
        sendRaw(frame(true, opcode, payload));
    }

    /** Sends packets in one frame. */
    public void send(Packet... packets) {
        send(BINARY, encode(packets));
    }

    public static byte[] encode(Packet... packets) {
        PacketWriter writer = new PacketWriter(1024, PacketFramer.MAX_PACKET_SIZE_BYTES);
        for (Packet packet : packets) {
            PacketEncoder.encode(ProtocolVersion.V5, packet, writer);
        }
        return writer.toByteArray();
    }

    /** A masked frame. */
    public static byte[] frame(boolean last, int opcode, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 14);
        frame.put((byte) (opcode | (last ? 0x80 : 0)));
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else if (payload.length <= 0xFFFF) {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(payload.length);
        }
        frame.putInt(MASK);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ MASK >>> 24 - 8 * (i % 4)));
        }
        return Arrays.copyOf(frame.array(), frame.position());
    }

    /** The next frame. */
    public Frame receive() {
        try {
            int opcode = in.readUnsignedByte();
            assertThat(opcode & 0xF0).as("final, nothing reserved").isEqualTo(0x80);
            int start = in.readUnsignedByte();
            assertThat(start & 0x80).as("mask bit of a server").isZero();
            int length =
                    switch (start) {
                        case 126 -> in.readUnsignedShort();
                        case 127 -> (int) in.readLong();
                        default -> start;
                    };
            byte[] payload = new byte[length];
            in.readFully(payload);
            return new Frame(opcode & 0x0F, payload);
        } catch (IOException e) {
            throw new AssertionError("no frame", e);
        }
    }

    /** The next frame, which has to contain exactly one packet of this type. */
    public <P extends Packet> P receive(Class<P> type) {
        Frame frame = receive();
        assertThat(frame.opcode()).isEqualTo(BINARY);
        byte[] bytes = frame.payload();
        PacketFramer framer = new PacketFramer();
        try {
            assertThat(framer.next(bytes, 0, bytes.length, PacketFramer.MAX_PACKET_SIZE_BYTES))
                    .as("a whole packet")
                    .isTrue();
            Packet packet = PacketDecoder.decode(
                    Sender.SERVER, ProtocolVersion.V5, framer.header(), bytes, framer.bodyFrom(), framer.bodyTo());
            assertThat(framer.bodyTo()).isEqualTo(bytes.length);
            assertThat(packet).isInstanceOf(type);
            return type.cast(packet);
        } catch (MalformedPacketException e) {
            throw new AssertionError("the broker sent " + e.reason(), e);
        }
    }

    /** Asserts that the broker closes with this status, in a close frame and then the connection. */
    public void expectClose(int status) {
        Frame frame = receive();
        assertThat(frame.opcode()).isEqualTo(CLOSE);
        assertThat(frame.payload()).isEqualTo(status(status));
        expectEnd();
    }

    /** Asserts that the connection ends without another byte. */
    public void expectEnd() {
        try {
            assertThat(in.read()).as("a byte before the end").isNegative();
        } catch (SocketException | EOFException e) {
            assertThat(e).hasMessageContaining("reset"); // what we sent was not read to its end
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] status(int status) {
        return new byte[] {(byte) (status >>> 8), (byte) status};
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public record Frame(int opcode, byte[] payload) {}
}
