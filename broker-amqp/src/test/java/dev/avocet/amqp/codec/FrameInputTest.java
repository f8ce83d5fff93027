package dev.avocet.amqp.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.frame.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames come out as they were sent, however they come in, and whatever others of the loop read meanwhile. */
final class FrameInputTest {
    private static final int MAX_BYTES = 128 << 10;

    private final ReadArray shared = new ReadArray();

    @Test
    void shouldFindFramesOfTwoConnectionsThatReadInTurns() throws AmqpException {
        Random random = new Random(3);
        for (int round = 0; round < 200; round++) {
            Peer one = new Peer(random);
            Peer other = new Peer(random);
            while (one.hasMore() || other.hasMore()) {
                (random.nextBoolean() ? one : other).read(random);
            }
            one.takeRest();
            other.takeRest();
            assertThat(one.found).isEqualTo(one.sent);
            assertThat(other.found).isEqualTo(other.sent);
            assertThat(one.input.isEmpty()).isTrue();
        }
    }

    @Test
    void shouldFindALargeFrameThatComesByteByByte() throws AmqpException {
        // given
        FrameInput input = new FrameInput(new SymbolMemory(0), shared);
        byte[] frame = frame(100_000, (byte) 7);

        // when
        Frame found = null;
        for (byte each : frame) {
            assertThat(found).isNull();
            input.add(Unpooled.wrappedBuffer(new byte[] {each}));
            found = input.next(MAX_BYTES);
            if (found == null) {
                input.keep();
            }
        }

        // then
        assertThat(found).isNotNull();
        assertThat(bytes(found)).isEqualTo(frame);
    }

    private static byte[] bytes(Frame frame) {
        return Arrays.copyOfRange(frame.bytes(), frame.from(), frame.to());
    }

    private static byte[] frame(int length, byte content) {
        byte[] frame = new byte[length];
        Arrays.fill(frame, content);
        frame[0] = (byte) (length >>> 24);
        frame[1] = (byte) (length >>> 16);
        frame[2] = (byte) (length >>> 8);
        frame[3] = (byte) length;
        frame[4] = 2;
        frame[5] = 0;
        return frame;
    }

    /** Sends frames of all sizes, in reads of all sizes; sometimes the connection has to wait and takes none. */
    private final class Peer {
        final List<List<Byte>> sent = new ArrayList<>();
        final List<List<Byte>> found = new ArrayList<>();
        final FrameInput input = new FrameInput(new SymbolMemory(0), shared);
        private final ByteBuf stream = Unpooled.buffer();

        Peer(Random random) {
            for (int i = random.nextInt(20); i >= 0; i--) {
                int length = 8 + (random.nextInt(8) == 0 ? random.nextInt(100_000) : random.nextInt(300));
                byte[] frame = frame(length, (byte) random.nextInt(256));
                sent.add(summary(frame));
                stream.writeBytes(frame);
            }
        }

        boolean hasMore() {
            return stream.isReadable();
        }

        void read(Random random) throws AmqpException {
            int most = random.nextInt(3) == 0 ? 20 : 65_536;
            input.add(stream.readBytes(Math.min(stream.readableBytes(), 1 + random.nextInt(most))));
            if (random.nextInt(4) > 0) {
                take();
            }
            input.keep();
        }

        void takeRest() throws AmqpException {
            take();
            input.keep();
        }

        private void take() throws AmqpException {
            for (Frame frame = input.next(MAX_BYTES); frame != null; frame = input.next(MAX_BYTES)) {
                found.add(summary(bytes(frame)));
            }
        }

        /** The length, and all bytes of the content that are different. */
        private List<Byte> summary(byte[] frame) {
            List<Byte> all = new ArrayList<>();
            for (int i = 0; i < frame.length; i++) {
                if (i < 8 || frame[i] != frame[i - 1]) {
                    all.add(frame[i]);
                }
            }
            return all;
        }
    }
}
