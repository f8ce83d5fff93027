package dev.avocet.ha.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.ha.role.EpochStarts;
import dev.avocet.ha.role.PairMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.CorruptedFrameException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                new PairMessage.Left(4),
                new PairMessage.Start(
                        7, 4, "store", 88, EpochStarts.NONE.with(1, 0).with(4, 50)),
                new PairMessage.Whole(4, 90),
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

    /** Kept as nodes of version 1 have written them. */
    @ParameterizedTest
    @CsvSource({
        "1f 0000000000000004 01, Left[epoch=4]",
        "1f 0000000000000004 00, null",
        "16 0000000000000004 0000000000000012, 'Confirm[epoch=4, position=18]'",
        "14 0000000000000004 0005 73746f7265 0003 6f6c64, 'Refuse[epoch=4, storeId=store, why=old]'",
        "1a 0000000000000004 0000000000000012, 'HandOver[epoch=4, end=18]'"
    })
    void shouldReadTheFirstVersion(String written, String expected) {
        ByteBuf frame = Unpooled.wrappedBuffer(HexFormat.of().parseHex(written.replace(" ", "")));

        assertThat(String.valueOf(FirstVersion.read(frame.readUnsignedByte(), frame)))
                .isEqualTo(expected);
    }

    @Test
    void shouldWriteNoCheckpointInTheFirstVersion() {
        ByteBuf frame = Unpooled.buffer();
        assertThatThrownBy(() -> FirstVersion.write(frame, new PairMessage.Whole(4, 90)))
                .hasMessageContaining("carries no checkpoints");
        FirstVersion.write(frame, new PairMessage.Left(4));
        assertThat(ByteBufUtil.hexDump(frame)).isEqualTo("1f000000000000000400");
    }

    @Test
    void shouldReadAPartOfACheckpoint() {
        byte[] bytes = {1, 2, 3};
        ByteBuf frame = Unpooled.buffer();
        MessageCodec.write(frame, new PairMessage.Part(4, bytes));

        PairMessage read = MessageCodec.read(frame.readUnsignedByte(), frame);

        assertThat(read).isInstanceOfSatisfying(PairMessage.Part.class, part -> {
            assertThat(part.epoch()).isEqualTo(4);
            assertThat(part.content()).isEqualTo(bytes);
        });
        assertThat(MessageCodec.creditFor(read)).isEqualTo(3);
    }

    @Test
    void shouldPassOnThePeoplesTextWholeUpToALength() {
        // given
        String why = "the store of b is another one: ".repeat(20);
        String tooLong = "ü".repeat(5_000);

        // then
        assertThat(passed(new PairMessage.ConfigurationKept(1, 2, why)))
                .isEqualTo(new PairMessage.ConfigurationKept(1, 2, why));
        assertThat(passed(new PairMessage.Refuse(1, "store", why))).isEqualTo(new PairMessage.Refuse(1, "store", why));
        assertThat(passed(new PairMessage.Refuse(1, "store", tooLong)))
                .isEqualTo(new PairMessage.Refuse(1, "store", "ü".repeat(400)));
    }

    private static PairMessage passed(PairMessage message) {
        ByteBuf frame = Unpooled.buffer();
        MessageCodec.write(frame, message);
        return MessageCodec.read(frame.readUnsignedByte(), frame);
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
    void shouldWriteRecordsInABufferAsThoseInAnArray() {
        // given
        byte[] bytes = {1, 2, 3};
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4}, 1, bytes.length);
        ByteBuf ofArray = Unpooled.buffer();
        ByteBuf ofBuffer = Unpooled.buffer();

        // when
        MessageCodec.write(ofArray, new PairMessage.Records(4, 17, 20, bytes));
        MessageCodec.write(ofBuffer, new PairMessage.Records(4, 17, 20, buffer));

        // then
        assertThat(ofBuffer).isEqualTo(ofArray);
        assertThat(MessageCodec.creditFor(new PairMessage.Records(4, 17, 20, buffer)))
                .isEqualTo(bytes.length);
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        assertThatThrownBy(() -> MessageCodec.read(99, Unpooled.EMPTY_BUFFER))
                .isInstanceOf(CorruptedFrameException.class);
    }
}
