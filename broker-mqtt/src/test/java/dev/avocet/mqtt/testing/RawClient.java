package dev.avocet.mqtt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;

/** A client that does exactly what a test says, packet by packet or byte by byte, and answers nothing by itself. */
public final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MS = 30_000;

    private final Socket socket;
    private final ProtocolVersion version;
    private final PacketFramer framer = new PacketFramer();
    private byte[] received = new byte[4 << 10];
    private int from;
    private int to;

    public RawClient(int port, ProtocolVersion version) {
        this.version = version;
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An MQTT 5 client with a clean start that is connected. */
    public static RawClient connected(int port, String clientId) {
        RawClient client = new RawClient(port, ProtocolVersion.V5);
        client.connect(Connect.builder(clientId).build());
        return client;
    }

    /** Sends CONNECT and returns the answer. */
    public ConnAck connect(Connect connect) {
        send(connect);
        return receive(ConnAck.class);
    }

    public SubAck subscribe(TopicSubscription... subscriptions) {
        send(new Subscribe(1, subscriptions));
        return receive(SubAck.class);
    }

    public SubAck subscribe(String filter, QualityOfService qos) {
        return subscribe(new TopicSubscription(filter, qos));
    }

    public void send(Packet... packets) {
        PacketWriter writer = new PacketWriter(1024, PacketFramer.MAX_PACKET_SIZE_BYTES);
        for (Packet packet : packets) {
            PacketEncoder.encode(version, packet, writer);
        }
        sendBytes(writer.toByteArray());
    }

    public void sendBytes(int... bytes) {
        byte[] narrow = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            narrow[i] = (byte) bytes[i];
        }
        sendBytes(narrow);
    }

    public void sendBytes(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next packet, which has to be of this type. */
    public <P extends Packet> P receive(Class<P> type) {
        Packet packet = receive();
        assertThat(packet).isInstanceOf(type);
        return type.cast(packet);
    }

    public Publish receivePublish() {
        return receive(Publish.class);
    }

    /** The next packet; fails when the connection ends or nothing comes. */
    public Packet receive() {
        Packet packet = receiveOrEnd();
        assertThat(packet).as("the connection was closed").isNotNull();
        return packet;
    }

    /**
     * Asserts that nothing has been sent to this client so far but what it has received: asks for a PINGRESP and gets
     * just that.
     */
    public void expectNothing() {
        send(PingReq.INSTANCE);
        assertThat(receive()).isInstanceOf(PingResp.class);
    }

    /** Asserts that the broker closes the connection, without sending anything more. */
    public void expectClosed() {
        assertThat(receiveOrEnd()).as("a packet before the end").isNull();
    }

    /** Closes the socket as if the cable had been cut: no DISCONNECT. */
    public void drop() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next packet, or null when the broker has closed the connection. */
    public Packet receiveOrEnd() {
        try {
            while (!framer.next(received, from, to, PacketFramer.MAX_PACKET_SIZE_BYTES)) {
                if (!fill()) {
                    return null;
                }
            }
            from = framer.bodyTo();
            return PacketDecoder.decode(
                    Sender.SERVER, version, framer.header(), received, framer.bodyFrom(), framer.bodyTo());
        } catch (MalformedPacketException e) {
            throw new AssertionError("the broker sent " + e.reason(), e);
        }
    }

    private boolean fill() {
        if (from > 0) {
            System.arraycopy(received, from, received, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to == received.length) {
            received = Arrays.copyOf(received, received.length * 2);
        }
        try {
            int count = socket.getInputStream().read(received, to, received.length - to);
            to += Math.max(0, count);
            return count >= 0;
        } catch (SocketTimeoutException e) {
            throw new AssertionError("nothing came within " + PATIENCE_MS + " ms", e);
        } catch (SocketException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
