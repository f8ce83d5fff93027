package dev.avocet.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What holds for all packets, and for bytes that are none. */
class CodecProperties {
    private static final int BYTES_PER_BYTE = 400;
    private static final int BYTES_PER_PACKET = 8_192;

    @Property(tries = 3000)
    void shouldReadWhatItWrites(@ForAll long seed, @ForAll ProtocolVersion version, @ForAll Sender sender)
            throws MalformedPacketException {
        // given
        Packet packet = new AnyPackets(seed, version).next(sender);

        // when
        byte[] written = Wire.encode(version, packet);
        Packet read = Wire.decode(sender, version, written);

        // then
        assertThat(read).usingRecursiveComparison().isEqualTo(packet);
        assertThat(Wire.encode(version, read)).isEqualTo(written);
    }

    @Property(tries = 3000)
    void shouldRefuseEveryTruncatedPacketOrReadItWhole(
            @ForAll long seed, @ForAll ProtocolVersion version, @ForAll Sender sender, @ForAll Random random)
            throws MalformedPacketException {
        byte[] packet = Wire.encode(version, new AnyPackets(seed, version).next(sender));
        PacketFramer framer = new PacketFramer();
        int to = random.nextInt(packet.length);
        assertThat(framer.next(packet, 0, to, PacketFramer.MAX_PACKET_SIZE_BYTES))
                .isFalse();
        assertThat(framer.missingBytes()).isPositive().isLessThanOrEqualTo(packet.length - to);
    }

    @Property(tries = 20_000)
    void shouldSurviveAnyBytes(
            @ForAll ProtocolVersion version,
            @ForAll Sender sender,
            @ForAll @IntRange(min = 0, max = 255) int header,
            @ForAll @Size(max = 100) byte[] body) {
        assertSurvives(sender, version, header, body);
    }

    @Property(tries = 20_000)
    void shouldSurviveDamagedPackets(
            @ForAll long seed, @ForAll ProtocolVersion version, @ForAll Sender sender, @ForAll Random random)
            throws MalformedPacketException {
        // given
        byte[] packet = Wire.encode(version, new AnyPackets(seed, version).next(sender));
        PacketFramer framer = new PacketFramer();
        framer.next(packet, 0, packet.length, PacketFramer.MAX_PACKET_SIZE_BYTES);
        byte[] body = Arrays.copyOfRange(packet, framer.bodyFrom(), framer.bodyTo());

        // when
        for (int i = random.nextInt(4); i >= 0 && body.length > 0; i--) {
            body = damage(body, random);
        }

        // then
        assertSurvives(sender, version, packet[0] & 0xFF, body);
        assertSurvives(sender == Sender.CLIENT ? Sender.SERVER : Sender.CLIENT, version, packet[0] & 0xFF, body);
    }

    private static byte[] damage(byte[] body, Random random) {
        int at = random.nextInt(body.length);
        byte[] damaged = body.clone();
        switch (random.nextInt(5)) {
            case 0 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> damaged[at] = (byte) random.nextInt();
            case 2 -> damaged[at] = (byte) (damaged[at] + (random.nextBoolean() ? 1 : -1));
            case 3 -> damaged = Arrays.copyOf(body, at);
            default -> damaged = Arrays.copyOf(body, body.length + random.nextInt(5));
        }
        return damaged;
    }

    /**
     * Nothing but {@link MalformedPacketException}, memory in proportion, and a result that can be written and read
     * again.
     */
    private static void assertSurvives(Sender sender, ProtocolVersion version, int header, byte[] body) {
        long mostBytes = BYTES_PER_PACKET + (long) BYTES_PER_BYTE * body.length;
        if (bytesToDecode(sender, version, header, body) >= mostBytes) {
            // What is decoded first in a JVM links the words of errors, which counts too; what is out of proportion
            // stays so.
            assertThat(bytesToDecode(sender, version, header, body))
                    .as("bytes allocated for a body of %d bytes", body.length)
                    .isLessThan(mostBytes);
        }
        try {
            assertStable(sender, version, PacketDecoder.decode(sender, version, header, body, 0, body.length));
        } catch (MalformedPacketException e) {
            assertThat(e.reasonCode().isError()).isTrue();
        }
    }

    private static long bytesToDecode(Sender sender, ProtocolVersion version, int header, byte[] body) {
        long before = Allocations.bytesOfThisThread();
        try {
            PacketDecoder.decode(sender, version, header, body, 0, body.length);
        } catch (MalformedPacketException e) {
            // It was refused; what that took counts.
        }
        return Allocations.bytesOfThisThread() - before;
    }

    private static void assertStable(Sender sender, ProtocolVersion version, Packet packet) {
        try {
            byte[] once = Wire.encode(version, packet);
            assertThat(Wire.encode(version, Wire.decode(sender, version, once))).isEqualTo(once);
        } catch (MalformedPacketException e) {
            throw new AssertionError("wrote what it does not read: " + packet, e);
        }
    }
}
