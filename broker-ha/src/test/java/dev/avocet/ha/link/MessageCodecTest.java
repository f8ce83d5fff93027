package dev.avocet.ha.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.ha.role.EpochStarts;
import dev.avocet.ha.role.PairMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MessageCodecTest {
    static Stream<PairMessage> messages() {
        return Stream.of(
                new PairMessage.Follow(3, "store", EpochStarts.NONE.with(1, 0).with(4, 17), 20),
                new PairMessage.Sync(3, 4, 17, "store"),
                new PairMessage.Refuse(4, "store", "another one"),
                new PairMessage.Configuration(4, 2, new byte[] {1, 2, 3}),
                new PairMessage.ConfigurationKept(4, 2, "the disk is full"),
                new PairMessage.Confirm(4, 18),
                new PairMessage.Heartbeat(4, -5, 18),
                new PairMessage.Echo(4, -5),
                new PairMessage.Fenced(5),
                new PairMessage.HandOver(4, 18),
                new PairMessage.Leave(4, true),
                new PairMessage.Left(4, false),
                new PairMessage.Resign(4));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void shouldReadWhatWasWrittenAndNothingElse(PairMessage message) {
        ByteBuf frame = Unpooled.buffer();
        MessageCodec.write(frame, message);
        int length = frame.readableBytes();

        assertThat(MessageCodec.read(frame.readUnsignedByte(), frame)).isEqualTo(message);
        // shorter, by each number of bytes, and longer
        for (int i = 1; i < length; i++) {
            ByteBuf shorter = frame.slice(0, i);
            assertThatThrownBy(() -> MessageCodec.read(shorter.readUnsignedByte(), shorter))
                    .as("%d of %d bytes", i, length)
                    .isInstanceOf(CorruptedFrameException.class);
        }
        ByteBuf longer = frame.readerIndex(0).writeByte(0);
        assertThatThrownBy(() -> MessageCodec.read(longer.readUnsignedByte(), longer))
                .isInstanceOf(CorruptedFrameException.class);
    }

    @Test
    void shouldReadRecords() {
        byte[] bytes = {1, 2, 3};
        ByteBuf frame = Unpooled.buffer();
        MessageCodec.write(frame, new PairMessage.Records(4, 17, 20, bytes));

        PairMessage read = MessageCodec.read(frame.readUnsignedByte(), frame);

        assertThat(read).isInstanceOfSatisfying(PairMessage.Records.class, records -> {
            assertThat(records.from()).isEqualTo(17);
            assertThat(records.end()).isEqualTo(20);
            assertThat(MessageCodec.bytesOf(records)).isEqualTo(bytes);
        });
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        assertThatThrownBy(() -> MessageCodec.read(99, Unpooled.EMPTY_BUFFER))
                .isInstanceOf(CorruptedFrameException.class);
    }
}
