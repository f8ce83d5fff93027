package dev.avocet.server.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.MalformedPacketException;
import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.PacketWriter;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Many clients that connect, perhaps subscribe, and then do nothing: a socket each and one buffer for all of them. */
final class IdleClients implements AutoCloseable {
    private static final int KEEP_ALIVE_SECONDS = 600;

    private final InetSocketAddress address;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final PacketWriter writer = new PacketWriter(256, PacketFramer.MAX_PACKET_SIZE_BYTES);
    private final PacketFramer framer = new PacketFramer();
    private final ByteBuffer answer = ByteBuffer.allocate(4096);
    private int subscribed;

    IdleClients(int port) {
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Connects more clients until there are this many. */
    void connectUpTo(int count) throws IOException {
        while (channels.size() < count) {
            SocketChannel channel = SocketChannel.open(address);
            channels.add(channel);
            Connect connect = Connect.builder(clientId(channels.size() - 1))
                    .keepAliveSeconds(KEEP_ALIVE_SECONDS)
                    .build();
            ConnAck answered = (ConnAck) exchange(channel, connect);
            assertThat(answered.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        }
    }

    /** Gives further clients a subscription of their own until this many have one. */
    void subscribeUpTo(int count) throws IOException {
        for (; subscribed < count; subscribed++) {
            String filter = "devices/" + clientId(subscribed) + "/commands";
            Subscribe subscribe = new Subscribe(1, new TopicSubscription(filter, QualityOfService.AT_LEAST_ONCE));
            SubAck answered = (SubAck) exchange(channels.get(subscribed), subscribe);
            assertThat(answered.reasonCodes()).containsExactly(ReasonCode.GRANTED_QOS_1);
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    private static String clientId(int number) {
        return "client-" + (100_000 + number);
    }

    private Packet exchange(SocketChannel channel, Packet packet) throws IOException {
        writer.reset();
        PacketEncoder.encode(ProtocolVersion.V5, packet, writer);
        channel.write(ByteBuffer.wrap(writer.toByteArray()));
        answer.clear();
        try {
            while (!framer.next(answer.array(), 0, answer.position(), answer.capacity())) {
                if (channel.read(answer) < 0) {
                    throw new EOFException("the broker closed the connection after " + channels.size());
                }
            }
            return PacketDecoder.decode(
                    Sender.SERVER,
                    ProtocolVersion.V5,
                    framer.header(),
                    answer.array(),
                    framer.bodyFrom(),
                    framer.bodyTo());
        } catch (MalformedPacketException e) {
            throw new AssertionError(e.reason(), e);
        }
    }
}
