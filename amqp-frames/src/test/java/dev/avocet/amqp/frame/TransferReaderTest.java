package dev.avocet.amqp.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What ProtonJ2 writes is read here as it was meant, or not at all. */
class TransferReaderTest {
    private static final byte[] PAYLOAD = {1, 2, 3};

    private final TransferReader reader = new TransferReader();
    private final Encoder encoder = CodecFactory.getEncoder();

    private static Transfer transfer() {
        return new Transfer()
                .setHandle(3)
                .setDeliveryId(70_000)
                .setDeliveryTag(new byte[] {5, 6})
                .setMessageFormat(0);
    }

    private static TransactionalState in(int transaction) {
        return new TransactionalState().setTxnId(new Binary(new byte[] {9, 8, (byte) transaction}));
    }

    static Stream<Transfer> plain() {
        return Stream.of(
                transfer(),
                transfer().setDeliveryId(0).setHandle(0),
                transfer().setDeliveryId(0xFFFF_FFFFL).setSettled(true),
                transfer().setSettled(false).setMore(false).setMessageFormat(200),
                transfer().setMore(false).setBatchable(true),
                transfer().setState(in(1)),
                transfer().setSettled(false).setState(in(2)).setBatchable(true));
    }

    static Stream<Object> unusual() {
        return Stream.of(
                transfer().setMore(true),
                transfer().setAborted(true),
                transfer().clearDeliveryId(),
                transfer().setResume(true),
                transfer().setRcvSettleMode(ReceiverSettleMode.SECOND),
                transfer().setState(Accepted.getInstance()),
                transfer().setState(in(1).setOutcome(Accepted.getInstance())),
                new Transfer().setHandle(1),
                new Disposition().setRole(Role.SENDER).setFirst(1));
    }

    @ParameterizedTest
    @MethodSource("plain")
    void shouldReadPlainTransfers(Transfer meant) {
        // given
        Frame frame = frame(meant);

        // when
        Transfer read = Objects.requireNonNull(reader.read(frame));

        // then
        assertThat(read.getHandle()).isEqualTo(meant.getHandle());
        assertThat(read.getDeliveryId()).isEqualTo(meant.getDeliveryId());
        assertThat(read.getMessageFormat()).isEqualTo(meant.getMessageFormat());
        assertThat(read.getSettled()).isEqualTo(meant.getSettled());
        assertThat(read.getMore()).isFalse();
        assertThat(read.getAborted()).isFalse();
        assertThat(read.getBatchable()).isEqualTo(meant.getBatchable());
        assertThat(String.valueOf(read.getState())).isEqualTo(String.valueOf(meant.getState()));
        assertThat(frame.to() - reader.payloadFrom()).isEqualTo(PAYLOAD.length);
        assertThat(frame.channel()).isEqualTo(0x0102);
    }

    @ParameterizedTest
    @MethodSource("unusual")
    void shouldLeaveEverythingElseToProtonJ2(Object performative) {
        assertThat(reader.read(frame(performative))).isNull();
    }

    @Test
    void shouldGiveTransfersOfOneTransactionOneState() {
        // when
        Object first = stateOf(1);
        Object second = stateOf(1);
        Object other = stateOf(2);

        // then
        assertThat(second).isSameAs(first);
        assertThat(other).isNotSameAs(first);
    }

    @Test
    void shouldNotReadBehindATransferThatIsCutShort() {
        Frame whole = frame(transfer().setState(in(1)));
        for (int length = 8; length < whole.length() - PAYLOAD.length; length++) {
            assertThat(reader.read(new Frame(whole.bytes(), 0, length)))
                    .as("%d bytes of it", length)
                    .isNull();
        }
    }

    @Test
    void shouldSurviveAnyByteInThePerformative() {
        Frame whole = frame(transfer().setSettled(true).setState(in(1)));
        for (int at = 0; at < whole.length() - PAYLOAD.length; at++) {
            for (int value = 0; value < 256; value++) {
                byte[] changed = whole.bytes().clone();
                changed[at] = (byte) value;
                Transfer read = reader.read(new Frame(changed, 0, changed.length));
                assertThat(read == null || reader.payloadFrom() >= 8 && reader.payloadFrom() <= changed.length)
                        .isTrue();
            }
        }
    }

    private Object stateOf(int transaction) {
        return Objects.requireNonNull(reader.read(frame(transfer().setState(in(transaction)))))
                .getState();
    }

    private Frame frame(Object performative) {
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(512);
        encoder.writeObject(buffer, encoder.newEncoderState(), performative);
        int length = 8 + buffer.getReadableBytes() + PAYLOAD.length;
        byte[] bytes = new byte[length];
        bytes[3] = (byte) length;
        bytes[4] = 2;
        bytes[6] = 1;
        bytes[7] = 2;
        buffer.readBytes(bytes, 8, buffer.getReadableBytes());
        System.arraycopy(PAYLOAD, 0, bytes, length - PAYLOAD.length, PAYLOAD.length);
        return new Frame(bytes, 0, length);
    }
}
