package dev.avocet.amqp.codec;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.avocet.amqp.frame.DispositionReader;
import dev.avocet.amqp.frame.Frame;
import dev.avocet.amqp.frame.TransferReader;
import java.util.Arrays;
import java.util.Random;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.junit.jupiter.api.Test;

/** Transfers and dispositions are read before they are scanned: what is read must be what a scan finds well-formed. */
final class UnscannedFramesTest {
    private static final int FROM = 5;

    private final Encoder encoder = CodecFactory.getEncoder();

    private static Disposition disposition() {
        return new Disposition().setRole(Role.RECEIVER).setFirst(70_000).setSettled(true);
    }

    private static TransactionalState in(int transaction) {
        return new TransactionalState().setTxnId(new Binary(new byte[] {9, 8, (byte) transaction}));
    }

    @Test
    void shouldReadNothingThatIsMalformed() {
        DispositionReader dispositions = new DispositionReader();
        TransferReader transfers = new TransferReader();
        SymbolMemory symbols = new SymbolMemory(0);
        Random random = new Random(11);
        Object[] all = {
            disposition(),
            disposition().setFirst(0).setLast(0xFFFF_FFFFL).setState(Accepted.getInstance()),
            disposition().setRole(Role.SENDER).setFirst(3),
            disposition().setState(in(1)),
            disposition().setState(in(1).setOutcome((Outcome) Accepted.getInstance())),
            disposition().setState(Accepted.getInstance()).setBatchable(true),
            new Transfer()
                    .setHandle(3)
                    .setDeliveryId(7)
                    .setDeliveryTag(new byte[] {1})
                    .setMessageFormat(0)
                    .setState(in(2))
        };
        for (int i = 0; i < 200_000; i++) {
            Frame whole = frame(all[i % all.length]);
            byte[] bytes = whole.bytes();
            int length = whole.length() - (random.nextInt(3) == 0 ? random.nextInt(whole.length() - 7) : 0);
            for (int change = random.nextInt(4); change > 0; change--) {
                bytes[FROM + 8 + random.nextInt(whole.length() - 8)] = (byte) random.nextInt(256);
            }
            Frame frame = new Frame(Arrays.copyOf(bytes, FROM + length), FROM, length); // reading beyond it would throw
            if (dispositions.read(frame) != null || transfers.read(frame) != null) {
                assertThatCode(() -> TypeScan.performativeEnd(frame.bytes(), frame.bodyFrom(), frame.to(), symbols))
                        .as("what was read")
                        .doesNotThrowAnyException();
            }
        }
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
