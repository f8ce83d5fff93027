package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.client.wire.PerformativeReader.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is written by hand ProtonJ2 understands, and what ProtonJ2 writes is understood here or left to it: the two may
 * differ in no word.
 */
class FrameTest {
    private static final byte[] PAYLOAD = {1, 2, 3, 4, 5};
    private static final int CHANNEL = 0x0102;
    private static final Binary TRANSACTION = new Binary(new byte[] {9, 8, 7});

    private final FrameWriter writer = new FrameWriter();
    private final PerformativeReader reader = new PerformativeReader();
    private final Encoder encoder = CodecFactory.getEncoder();
    private final Decoder decoder = CodecFactory.getDecoder();

    private static Transfer transfer() {
        return new Transfer()
                .setHandle(0)
                .setDeliveryId(1000)
                .setDeliveryTag(new byte[] {5, 6})
                .setMessageFormat(0)
                .setSettled(false);
    }

    static Stream<Transfer> writableTransfers() {
        return Stream.of(
                transfer(),
                transfer().setHandle(77).setDeliveryId(0xffff_ffffL).setSettled(true),
                transfer().setDeliveryId(0).setDeliveryTag(new byte[64]),
                transfer().setState(new TransactionalState().setTxnId(TRANSACTION)),
                transfer()
                        .setState(new TransactionalState().setTxnId(TRANSACTION).setOutcome(Accepted.getInstance())));
    }

    private static Disposition disposition(final @Nullable DeliveryState state) {
        return new Disposition()
                .setRole(Role.RECEIVER)
                .setFirst(300)
                .setSettled(true)
                .setState(state);
    }

    static Stream<Disposition> writableDispositions() {
        return Stream.of(
                disposition(Accepted.getInstance()),
                disposition(Accepted.getInstance()).setLast(70_000).setSettled(false),
                disposition(null).setRole(Role.SENDER),
                disposition(new TransactionalState().setTxnId(TRANSACTION).setOutcome(Accepted.getInstance())));
    }

    @ParameterizedTest
    @MethodSource("writableTransfers")
    void shouldWriteTransfersThatProtonUnderstands(final Transfer transfer) {
        assertThat(writer.begin(transfer, CHANNEL, PAYLOAD.length, 1024)).isTrue();

        final byte[] frame = written(ProtonByteArrayBufferAllocator.wrapped(PAYLOAD));

        final ProtonBuffer body = checkedBody(frame);
        final Transfer read = decoder.readObject(body, decoder.newDecoderState(), Transfer.class);
        assertThat(read.getHandle()).isEqualTo(transfer.getHandle());
        assertThat(read.getDeliveryId()).isEqualTo(transfer.getDeliveryId());
        assertThat(read.getDeliveryTag()).isEqualTo(transfer.getDeliveryTag());
        assertThat(read.getMessageFormat()).isEqualTo(transfer.getMessageFormat());
        assertThat(read.getSettled()).isEqualTo(transfer.getSettled());
        assertThat(read.getMore()).isFalse();
        assertThat(String.valueOf(read.getState())).isEqualTo(String.valueOf(transfer.getState()));
        assertThat(Arrays.copyOfRange(frame, frame.length - PAYLOAD.length, frame.length))
                .isEqualTo(PAYLOAD);
        assertThat(body.getReadableBytes()).isEqualTo(PAYLOAD.length);
    }

    @ParameterizedTest
    @MethodSource("writableDispositions")
    void shouldWriteDispositionsThatProtonUnderstands(final Disposition disposition) {
        assertThat(writer.begin(disposition, CHANNEL)).isTrue();

        final ProtonBuffer body = checkedBody(written(null));

        final Disposition read = decoder.readObject(body, decoder.newDecoderState(), Disposition.class);
        assertThat(read).hasToString(disposition.toString());
        assertThat(body.isReadable()).isFalse();
    }

    @Test
    void shouldLeaveWhatIsOutOfTheOrdinaryToProton() {
        assertThat(writer.begin(transfer().setMore(true), CHANNEL, 5, 1024)).isFalse();
        assertThat(writer.begin(transfer().setDeliveryTag(new byte[65]), CHANNEL, 5, 1024))
                .isFalse();
        assertThat(writer.begin(transfer().clearDeliveryTag(), CHANNEL, 5, 1024))
                .isFalse();
        assertThat(writer.begin(transfer().setRcvSettleMode(ReceiverSettleMode.SECOND), CHANNEL, 5, 1024))
                .isFalse();
        assertThat(writer.begin(transfer().setState(Released.getInstance()), CHANNEL, 5, 1024))
                .isFalse();
        assertThat(writer.begin(transfer(), CHANNEL, 1020, 1024)).isFalse();
        assertThat(writer.begin(disposition(new Modified().setDeliveryFailed(true)), CHANNEL))
                .isFalse();
        assertThat(writer.begin(disposition(new Rejected()), CHANNEL)).isFalse();
    }

    @Test
    void shouldReadTransfersOfProton() {
        final Transfer sent = transfer().setHandle(3).setMore(false).setBatchable(true);

        final byte[] frame = frame(sent, PAYLOAD);

        assertThat(reader.read(frame, 0, frame.length)).isEqualTo(Kind.TRANSFER);
        assertThat(reader.transfer().getHandle()).isEqualTo(3);
        assertThat(reader.transfer().getDeliveryId()).isEqualTo(1000);
        assertThat(reader.transfer().getSettled()).isFalse();
        assertThat(reader.end()).isEqualTo(frame.length - PAYLOAD.length);
        final byte[] settled = frame(transfer().setSettled(true).setMore(true), PAYLOAD);
        assertThat(reader.read(settled, 0, settled.length)).isEqualTo(Kind.TRANSFER);
        assertThat(reader.transfer().getSettled()).isTrue();
        assertThat(reader.transfer().getMore()).isTrue();
    }

    @Test
    void shouldReadDispositionsOfProton() {
        final Disposition sent = disposition(Accepted.getInstance()).setLast(301);

        final byte[] frame = frame(sent, new byte[0]);

        assertThat(reader.read(frame, 0, frame.length)).isEqualTo(Kind.DISPOSITION);
        assertThat(reader.disposition()).hasToString(sent.toString());
    }

    static Stream<Object> foreign() {
        return Stream.of(
                transfer().setState(Accepted.getInstance()),
                transfer().setAborted(true),
                transfer().clearDeliveryId(),
                transfer().setRcvSettleMode(ReceiverSettleMode.SECOND),
                disposition(Released.getInstance()),
                disposition(new Modified()),
                new Flow().setIncomingWindow(1).setNextOutgoingId(1).setOutgoingWindow(1));
    }

    @ParameterizedTest
    @MethodSource("foreign")
    void shouldLeaveOtherFramesToProton(final Object performative) {
        final byte[] frame = frame(performative, new byte[0]);

        assertThat(reader.read(frame, 0, frame.length)).isEqualTo(Kind.OTHER);
    }

    /** Nothing is read beyond the frame, and a frame that is cut off is no frame. */
    @Test
    void shouldLeaveEveryTruncatedFrameToProton() {
        final byte[] transfer = frame(transfer(), new byte[0]);
        final byte[] disposition = frame(disposition(Accepted.getInstance()), new byte[0]);

        for (int length = 8; length < transfer.length; length++) {
            assertThat(reader.read(Arrays.copyOf(transfer, length), 0, length)).isEqualTo(Kind.OTHER);
        }
        for (int length = 8; length < disposition.length; length++) {
            assertThat(reader.read(Arrays.copyOf(disposition, length), 0, length))
                    .isEqualTo(Kind.OTHER);
        }
    }

    /** Whatever byte is another one, nothing is thrown and nothing read that ends beyond the frame. */
    @Test
    void shouldSurviveEveryChangedByte() {
        final byte[] frame = frame(transfer(), PAYLOAD);

        for (int at = 0; at < frame.length; at++) {
            for (int value = 0; value < 256; value++) {
                final byte[] changed = frame.clone();
                changed[at] = (byte) value;
                if (reader.read(changed, 0, changed.length) == Kind.TRANSFER) {
                    assertThat(reader.end()).isBetween(8, changed.length);
                }
            }
        }
    }

    private byte[] written(final @Nullable ProtonBuffer payload) {
        final ByteBuf out = Unpooled.buffer(1024);
        writer.write(out, payload);
        final byte[] frame = new byte[out.readableBytes()];
        out.readBytes(frame);
        return frame;
    }

    private static ProtonBuffer checkedBody(final byte[] frame) {
        final ProtonBuffer buffer = ProtonByteArrayBufferAllocator.wrapped(frame);
        assertThat(buffer.readInt()).isEqualTo(frame.length);
        assertThat(buffer.readInt()).isEqualTo(0x0200_0000 | CHANNEL);
        return buffer;
    }

    private byte[] frame(final Object performative, final byte[] payload) {
        final ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate();
        buffer.writeInt(0).writeInt(0x0200_0000 | CHANNEL);
        encoder.writeObject(buffer, encoder.newEncoderState(), performative);
        buffer.writeBytes(payload);
        final byte[] frame = new byte[buffer.getReadableBytes()];
        buffer.readBytes(frame, 0, frame.length);
        frame[3] = (byte) frame.length;
        return frame;
    }
}
