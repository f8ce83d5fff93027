package dev.avocet.mqtt.codec;

import static dev.avocet.mqtt.codec.Refusals.assertRefused;
import static dev.avocet.mqtt.codec.Wire.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.ReasonCode;
import org.junit.jupiter.api.Test;

class PacketFramerTest {
    private static final int MAX = PacketFramer.MAX_PACKET_SIZE_BYTES;

    private final PacketFramer framer = new PacketFramer();

    @Test
    void shouldFindPacketsOneAfterTheOther() throws MalformedPacketException {
        // given two PINGREQ and a PUBACK
        byte[] buf = bytes(0xC0, 0, 0xC0, 0, 0x40, 2, 0, 7);

        // when
        assertThat(framer.next(buf, 2, buf.length, MAX)).isTrue();

        // then
        assertThat(framer.header()).isEqualTo(0xC0);
        assertThat(framer.bodyFrom()).isEqualTo(4);
        assertThat(framer.bodyTo()).isEqualTo(4);

        // when
        assertThat(framer.next(buf, framer.bodyTo(), buf.length, MAX)).isTrue();

        // then
        assertThat(framer.header()).isEqualTo(0x40);
        assertThat(framer.bodyFrom()).isEqualTo(6);
        assertThat(framer.bodyTo()).isEqualTo(8);
    }

    @Test
    void shouldSayHowMuchIsMissing() throws MalformedPacketException {
        // given a PUBLISH with a remaining length of 300
        byte[] buf = bytes(0x30, 0xAC, 0x02, new byte[300]);

        // then
        assertMissing(buf, 0, 2);
        assertMissing(buf, 1, 1);
        assertMissing(buf, 2, 1);
        assertMissing(buf, 3, 300);
        assertMissing(buf, 302, 1);
        assertThat(framer.next(buf, 0, 303, MAX)).isTrue();
        assertThat(framer.missingBytes()).isZero();
    }

    private void assertMissing(byte[] buf, int to, int missing) throws MalformedPacketException {
        assertThat(framer.next(buf, 0, to, MAX)).isFalse();
        assertThat(framer.missingBytes()).isEqualTo(missing);
    }

    @Test
    void shouldNotReadBeyondTheLimit() throws MalformedPacketException {
        assertThat(framer.next(bytes(0xC0, 0), 0, 1, MAX)).isFalse();
    }

    @Test
    void shouldRefuseARemainingLengthOfFiveBytes() {
        assertRefused(
                () -> framer.next(bytes(0x30, 0x80, 0x80, 0x80, 0x80), 0, 5, MAX),
                ReasonCode.MALFORMED_PACKET,
                "more than four bytes");
    }

    /** [MQTT-1.5.5-1] binds the sender; the standard names no error for the receiver. */
    @Test
    void shouldAcceptARemainingLengthThatIsLongerThanNeeded() throws MalformedPacketException {
        assertThat(framer.next(bytes(0xC0, 0x80, 0x00), 0, 3, MAX)).isTrue();
        assertThat(framer.bodyFrom()).isEqualTo(3);
        assertThat(framer.bodyTo()).isEqualTo(3);
    }

    @Test
    void shouldRefuseALargePacketBeforeItsBodyArrives() throws MalformedPacketException {
        // given a remaining length of 100, thus 102 bytes
        byte[] buf = bytes(0x30, 100);

        // then
        assertThat(framer.next(buf, 0, 2, 102)).isFalse();
        assertRefused(() -> framer.next(buf, 0, 2, 101), ReasonCode.PACKET_TOO_LARGE, "102 bytes"); // [MQTT-3.2.2-15]
    }

    @Test
    void shouldKnowTheGreatestPacket() throws MalformedPacketException {
        assertThat(framer.next(bytes(0x30, 0xFF, 0xFF, 0xFF, 0x7F), 0, 5, MAX)).isFalse();
        assertThat(framer.missingBytes()).isEqualTo(268_435_455);
    }

    @Test
    void shouldRefuseTheReservedPacketType() {
        assertRefused(() -> framer.next(bytes(0x0F, 100), 0, 2, MAX), ReasonCode.MALFORMED_PACKET, "type 0");
    }
}
