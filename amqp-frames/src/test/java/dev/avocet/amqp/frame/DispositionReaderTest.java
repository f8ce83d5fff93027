package dev.avocet.amqp.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What ProtonJ2 writes is read here as it was meant, or not at all; and nothing that comes is read beyond its end. */
final class DispositionReaderTest {
    private static final int FROM = 5;

    private final DispositionReader reader = new DispositionReader();
    private final Encoder encoder = CodecFactory.getEncoder();

    private static Disposition disposition() {
        return new Disposition().setRole(Role.RECEIVER).setFirst(70_000).setSettled(true);
    }

    private static TransactionalState in(int transaction) {
        return new TransactionalState().setTxnId(new Binary(new byte[] {9, 8, (byte) transaction}));
    }

    static Stream<Disposition> usual() {
        return Stream.of(
                disposition(),
                disposition().setState(Accepted.getInstance()),
                disposition().setFirst(0).setLast(0xFFFF_FFFFL).setState(Accepted.getInstance()),
                disposition().setSettled(false).setState(Accepted.getInstance()),
                disposition().setRole(Role.SENDER).setFirst(3),
                disposition().setState(in(1)),
                disposition().setState(in(1).setOutcome((Outcome) Accepted.getInstance())),
                disposition().setState(Accepted.getInstance()).setBatchable(true));
    }

    static Stream<Object> unusual() {
        return Stream.of(
                disposition().setState(Released.getInstance()),
                disposition().setState(new Rejected()),
                disposition().setState(new Modified().setDeliveryFailed(true)),
                disposition().setState(in(1).setOutcome((Outcome) Released.getInstance())),
                new Transfer().setHandle(1));
    }

    @ParameterizedTest
    @MethodSource("usual")
    void shouldReadWhatIsUsual(Disposition meant) {
        // when
        Disposition read = Objects.requireNonNull(reader.read(frame(meant)));

        // then
        assertThat(read.getRole()).isEqualTo(meant.getRole());
        assertThat(read.getFirst()).isEqualTo(meant.getFirst());
        assertThat(read.hasLast()).isEqualTo(meant.hasLast());
        assertThat(read.getLast()).isEqualTo(meant.getLast());
        assertThat(read.getSettled()).isEqualTo(meant.getSettled());
        assertThat(String.valueOf(read.getState())).isEqualTo(String.valueOf(meant.getState()));
    }

    @ParameterizedTest
    @MethodSource("unusual")
    void shouldLeaveWhatIsNot(Object performative) {
        assertThat(reader.read(frame(performative))).isNull();
    }

    @Test
    void shouldGiveOneStateForWhatFollowsInATransaction() {
        Disposition meant = disposition().setState(in(1).setOutcome((Outcome) Accepted.getInstance()));

        Object first = Objects.requireNonNull(reader.read(frame(meant))).getState();
        Object second = Objects.requireNonNull(reader.read(frame(meant))).getState();

        assertThat(second).isSameAs(first);
    }

    /** It has no payload: what is behind it is for ProtonJ2 to judge. */
    @Test
    void shouldLeaveADispositionWithSomethingBehindIt() {
        Frame whole = frame(disposition());

        byte[] longer = Arrays.copyOf(whole.bytes(), FROM + whole.length() + 1);

        assertThat(reader.read(longer, FROM, longer.length)).isNull();
    }

    @Test
    void shouldNotReadBehindADispositionThatIsCutShort() {
        Frame whole = frame(disposition().setState(in(1).setOutcome((Outcome) Accepted.getInstance())));
        for (int length = 8; length < whole.length(); length++) {
            byte[] cut = Arrays.copyOf(whole.bytes(), FROM + length); // reading beyond it would throw
            assertThat(reader.read(cut, FROM, cut.length))
                    .as("%d bytes of it", length)
                    .isNull();
        }
    }

    @Test
    void shouldReadWhatIsTrueInTheLongForm() {
        byte[] bytes = {0, 0, 0, 20, 2, 0, 0, 0, 0, 0x53, 0x15, (byte) 0xC0, 7, 4, 0x56, 1, 0x43, 0x40, 0x56, 1};

        Disposition read = Objects.requireNonNull(reader.read(bytes, 0, bytes.length));

        assertThat(read.getRole()).isEqualTo(Role.RECEIVER);
        assertThat(read.getSettled()).isTrue();
    }

    private Frame frame(Object performative) {
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(128);
        encoder.writeObject(buffer, encoder.newEncoderState(), performative);
        int length = 8 + buffer.getReadableBytes();
        byte[] bytes = new byte[FROM + length];
        bytes[FROM + 3] = (byte) length;
        bytes[FROM + 4] = 2;
        buffer.readBytes(bytes, FROM + 8, buffer.getReadableBytes());
        return new Frame(bytes, FROM, length);
    }
}
