package dev.avocet.bench.mqtt.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.mqtt.wire.PacketReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UnacknowledgedTest {
    private static final int SIZE_BYTES = 32;

    private final Payloads payloads = new Payloads(SIZE_BYTES, SIZE_BYTES);
    private final PublishStream stream = new PublishStream(7, "t", 2, false, 4, 3);
    private final Unacknowledged unacknowledged = new Unacknowledged();
    private final ByteQueue bytes = new ByteQueue();

    @Test
    void shouldSendAgainInTheOrderOfOldFirstOnesThatWereReceived() {
        // given five messages, of which the third is acknowledged, and the fifth was received before the second
        for (int identifier : new int[] {9, 1, 4, 20, 2}) {
            send(identifier);
        }
        unacknowledged.acknowledged(4);
        unacknowledged.received(2);
        unacknowledged.received(1);

        // when
        unacknowledged.beginAgain();

        // then
        assertThat(unacknowledged.stillAgain()).isEqualTo(4);
        assertThat(again()).containsExactly("PUBREL 2", "PUBREL 1", "DUP 9 of 1", "DUP 20 of 4");
        assertThat(unacknowledged.stillAgain()).isZero();
    }

    @Test
    void shouldSayWhatIsForgotten() {
        send(1);
        send(2);
        unacknowledged.acknowledged(1);
        unacknowledged.acknowledged(77);
        CutOff cutOff = new CutOff();

        unacknowledged.forget(cutOff);

        List<String> seen = new ArrayList<>();
        cutOff.forEach((number, sequence) -> seen.add(number + "/" + sequence));
        assertThat(seen).containsExactly("7/2");
        assertThat(cutOff.messages.value()).isEqualTo(1);
        assertThat(cutOff.arrivals.value()).isEqualTo(3);
        unacknowledged.beginAgain();
        assertThat(unacknowledged.stillAgain()).isZero();
    }

    private void send(int identifier) {
        byte[] array = bytes.reserve(stream.maxPacketBytes(payloads));
        stream.write(array, 0, identifier, payloads, 0, 1);
        unacknowledged.sent(identifier, stream, 0, 1);
    }

    private List<String> again() {
        List<String> packets = new ArrayList<>();
        while (unacknowledged.stillAgain() > 0) {
            bytes.resize(0);
            boolean isPublish = unacknowledged.writeNext(bytes, payloads) == stream;
            byte[] packet = bytes.copy();
            int payloadAt = packet.length - SIZE_BYTES;
            packets.add(
                    isPublish
                            ? (packet[0] == 0x3C ? "DUP " : "NO DUP ") + PacketReader.twoBytes(packet, payloadAt - 2)
                                    + " of " + MessageHead.sequence(packet, payloadAt)
                            : (packet[0] == 0x62 ? "PUBREL " : "WRONG ") + PacketReader.twoBytes(packet, 2));
        }
        return packets;
    }
}
