package dev.avocet.mqtt.codec;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One PUBLISH packet at QoS 0 with a topic of 24 bytes and a payload of 32 bytes. Shows what the view saves over the
 * record, and what properties cost.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PublishCodecBenchmark {
    private static final byte[] TOPIC = "plant/7/line/3/sensor/41".getBytes(StandardCharsets.UTF_8);
    private static final byte[] PAYLOAD = new byte[32];

    /** Whether the message has a content type and two user properties. */
    @Param({"false", "true"})
    public boolean properties;

    private final PacketFramer framer = new PacketFramer();
    private final PublishView view = new PublishView();
    private final PacketWriter out = new PacketWriter(4096, 4096);
    private MessageProperties messageProperties = MessageProperties.NONE;
    private byte[] packet = {};

    /** Writes the packet that is read. */
    @Setup
    public void writePacket() {
        if (properties) {
            messageProperties = MqttMessageProperties.builder()
                    .contentType("application/json")
                    .userProperty("unit", "bar")
                    .userProperty("trace", "00f067aa0ba902b7")
                    .build();
        }
        encode();
        packet = out.toByteArray();
    }

    /** What a connection does for a topic that it has just seen. */
    @Benchmark
    public PublishView decodeView() throws MalformedPacketException {
        frame();
        PublishDecoder.decode(framer.header(), packet, framer.bodyFrom(), framer.bodyTo(), ProtocolVersion.V5, view);
        return view;
    }

    /** What a connection does for a new topic. */
    @Benchmark
    public PublishView decodeViewAndValidateTopic() throws MalformedPacketException {
        decodeView();
        PublishDecoder.validateTopicName(packet, view.topicOffset(), view.topicLength());
        return view;
    }

    /** The beaten alternative. */
    @Benchmark
    public Packet decodeRecord() throws MalformedPacketException {
        frame();
        return PacketDecoder.decode(
                Sender.CLIENT, ProtocolVersion.V5, framer.header(), packet, framer.bodyFrom(), framer.bodyTo());
    }

    private void frame() throws MalformedPacketException {
        if (!framer.next(packet, 0, packet.length, PacketFramer.MAX_PACKET_SIZE_BYTES)) {
            throw new IllegalStateException("incomplete");
        }
    }

    /** What a connection does for each delivery. */
    @Benchmark
    public int encode() {
        out.reset();
        return PublishEncoder.encode(
                out,
                ProtocolVersion.V5,
                false,
                QualityOfService.AT_MOST_ONCE,
                false,
                TOPIC,
                0,
                Publish.NO_ALIAS,
                Publish.NO_EXPIRY,
                messageProperties,
                DeliveryOptions.NO_IDENTIFIERS,
                PAYLOAD);
    }
}
