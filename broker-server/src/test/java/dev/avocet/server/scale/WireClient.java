package dev.avocet.server.scale;

import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/** An MQTT 5 client that sends and receives packet by packet, blocking. Small, as there are many. */
public final class WireClient implements AutoCloseable {
    private final SocketChannel channel;
    private final PacketFramer framer = new PacketFramer();
    private byte[] received = new byte[128];
    private int from;
    private int to;

    public WireClient(int port) throws IOException {
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    public ConnAck connect(Connect connect) throws IOException {
        send(connect);
        return receive(ConnAck.class);
    }

    public void send(Packet packet) throws IOException {
        PacketWriter writer = new PacketWriter(64, PacketFramer.MAX_PACKET_SIZE_BYTES);
        PacketEncoder.encode(ProtocolVersion.V5, packet, writer);
        channel.write(ByteBuffer.wrap(writer.toByteArray()));
    }

    /** The next packet, which has to be of this type. */
    public <P extends Packet> P receive(Class<P> type) throws IOException {
        try {
            while (!framer.next(received, from, to, PacketFramer.MAX_PACKET_SIZE_BYTES)) {
                fill();
            }
            from = framer.bodyTo();
            return type.cast(PacketDecoder.decode(
                    Sender.SERVER, ProtocolVersion.V5, framer.header(), received, framer.bodyFrom(), framer.bodyTo()));
        } catch (MalformedPacketException e) {
            throw new AssertionError(e.reason(), e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void fill() throws IOException {
        System.arraycopy(received, from, received, 0, to - from);
        to -= from;
        from = 0;
        if (to == received.length) {
            received = Arrays.copyOf(received, received.length * 2);
        }
        int count = channel.read(ByteBuffer.wrap(received, to, received.length - to));
        if (count < 0) {
            throw new EOFException("the broker closed the connection");
        }
        to += count;
    }
}
