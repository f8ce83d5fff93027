package dev.avocet.amqp.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.impl.ProtonByteArrayBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
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

/** What is written by hand ProtonJ2 understands, and what is out of the ordinary is left to it. */
class FrameWriterTest {
    private static final byte[] PAYLOAD = {1, 2, 3, 4, 5};
    private static final int CHANNEL = 0x0102;
    private static final Binary TRANSACTION = new Binary(new byte[] {9, 8, 7});

    private final FrameWriter writer = new FrameWriter();
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

    private static Disposition disposition(@Nullable DeliveryState state) {
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
    void shouldWriteTransfersThatProtonUnderstands(Transfer transfer) {
        assertThat(writer.transfer(transfer, CHANNEL, PAYLOAD.length, 1024, false))
                .isTrue();

        byte[] frame = written(ProtonByteArrayBufferAllocator.wrapped(PAYLOAD));

        ProtonBuffer body = checkedBody(frame);
        Transfer read = decoder.readObject(body, decoder.newDecoderState(), Transfer.class);
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
    @MethodSource("writableTransfers")
    void shouldSayOfTransfersThatTheirAnswerIsNotUrgent(Transfer transfer) {
        // when
        assertThat(writer.transfer(transfer, CHANNEL, PAYLOAD.length, 1024, true))
                .isTrue();

        // then
        ProtonBuffer body = checkedBody(written(ProtonByteArrayBufferAllocator.wrapped(PAYLOAD)));
        Transfer read = decoder.readObject(body, decoder.newDecoderState(), Transfer.class);
        assertThat(read.getBatchable()).isTrue();
        assertThat(read.getSettled()).isEqualTo(transfer.getSettled());
        assertThat(String.valueOf(read.getState())).isEqualTo(String.valueOf(transfer.getState()));
        assertThat(read.getMore() || read.getResume() || read.getAborted()).isFalse();
        assertThat(body.getReadableBytes()).isEqualTo(PAYLOAD.length);
    }

    @ParameterizedTest
    @MethodSource("writableDispositions")
    void shouldWriteDispositionsThatProtonUnderstands(Disposition disposition) {
        assertThat(writer.disposition(disposition, CHANNEL)).isTrue();

        ProtonBuffer body = checkedBody(written(null));

        Disposition read = decoder.readObject(body, decoder.newDecoderState(), Disposition.class);
        assertThat(read).hasToString(disposition.toString());
        assertThat(body.isReadable()).isFalse();
    }

    @Test
    void shouldLeaveWhatIsOutOfTheOrdinaryToProton() {
        assertThat(writer.transfer(transfer().setMore(true), CHANNEL, 5, 1024, false))
                .isFalse();
        assertThat(writer.transfer(transfer().setDeliveryTag(new byte[65]), CHANNEL, 5, 1024, false))
                .isFalse();
        assertThat(writer.transfer(transfer().clearDeliveryTag(), CHANNEL, 5, 1024, false))
                .isFalse();
        assertThat(writer.transfer(transfer().setRcvSettleMode(ReceiverSettleMode.SECOND), CHANNEL, 5, 1024, false))
                .isFalse();
        assertThat(writer.transfer(transfer().setState(Released.getInstance()), CHANNEL, 5, 1024, false))
                .isFalse();
        assertThat(writer.transfer(transfer(), CHANNEL, 1020, 1024, false)).isFalse();
        assertThat(writer.disposition(disposition(new Modified().setDeliveryFailed(true)), CHANNEL))
                .isFalse();
        assertThat(writer.disposition(disposition(new Rejected()), CHANNEL)).isFalse();
    }

    /** The two forms of a disposition differ in no byte where they say the same. */
    @Test
    void shouldWriteADispositionOfTwoNumbersAsTheOneThatIsGiven() {
        assertThat(writer.disposition(disposition(Accepted.getInstance()).setLast(70_000), CHANNEL))
                .isTrue();
        byte[] given = written(null);

        assertThat(writer.disposition(CHANNEL, Role.RECEIVER, 300, 70_000, true, Accepted.getInstance()))
                .isTrue();

        assertThat(written(null)).isEqualTo(given);
    }

    @Test
    void shouldWriteTransfersInPartsThatProtonUnderstands() {
        writer.beginTransfer(CHANNEL, 3, 0xffff_ffff, 0x0102, true);
        int headBytes = writer.transferBytes();
        writer.endTransfer(true, PAYLOAD.length);
        assertThat(writer.headBytes()).isEqualTo(headBytes);
        Transfer first = read(written(ProtonByteArrayBufferAllocator.wrapped(PAYLOAD)), Transfer.class);
        writer.continueTransfer(CHANNEL, 3, 0xffff_ffff, true);
        writer.endTransfer(false, PAYLOAD.length);
        Transfer last = read(written(ProtonByteArrayBufferAllocator.wrapped(PAYLOAD)), Transfer.class);

        assertThat(first.getHandle()).isEqualTo(3);
        assertThat(first.getDeliveryId()).isEqualTo(0xffff_ffffL);
        assertThat(first.getDeliveryTag().tagBytes()).containsExactly(2, 1);
        assertThat(first.getSettled()).isTrue();
        assertThat(first.getMore()).isTrue();
        assertThat(last.getDeliveryTag()).isNull();
        assertThat(last.getDeliveryId()).isEqualTo(0xffff_ffffL);
        assertThat(last.getMore()).isFalse();
    }

    @Test
    void shouldWriteFlowsThatProtonUnderstands() {
        writer.beginFlow(CHANNEL, 7, 2048, 0, 0x7fff_ffff);
        writer.endFlow(1, 300, 64, true);

        Flow flow = read(written(null), Flow.class);

        assertThat(flow)
                .hasToString(new Flow()
                        .setNextIncomingId(7)
                        .setIncomingWindow(2048)
                        .setNextOutgoingId(0)
                        .setOutgoingWindow(0x7fff_ffff)
                        .setHandle(1)
                        .setDeliveryCount(300)
                        .setLinkCredit(64)
                        .setDrain(true)
                        .toString());
    }

    private <T> T read(byte[] frame, Class<T> type) {
        return decoder.readObject(checkedBody(frame), decoder.newDecoderState(), type);
    }

    private byte[] written(@Nullable ProtonBuffer payload) {
        ByteBuf out = Unpooled.buffer(1024);
        if (payload == null) {
            writer.write(out);
        } else {
            writer.write(out, payload);
        }
        byte[] frame = new byte[out.readableBytes()];
        out.readBytes(frame);
        return frame;
    }

    private static ProtonBuffer checkedBody(byte[] frame) {
        ProtonBuffer buffer = ProtonByteArrayBufferAllocator.wrapped(frame);
        assertThat(buffer.readInt()).isEqualTo(frame.length);
        assertThat(buffer.readInt()).isEqualTo(0x0200_0000 | CHANNEL);
        return buffer;
    }
}
