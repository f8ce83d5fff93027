package dev.avocet.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ReceiverAccountTest {
    private static final int LENGTH = 40;

    private final ReceiverAccount.Figures figures = new ReceiverAccount.Figures();
    private final ReceiverAccount account = new ReceiverAccount(figures, null);

    @Test
    void shouldFindNothingWrongWithWhatComesInOrder() {
        LongStream.rangeClosed(1, 1000).forEach(sequence -> receive(account, 7, sequence));

        assertThat(tally(1000)).isEqualTo(new Tally(1000, 1000, 1000, 0, 0, 0));
        assertThat(tally(1000).lost()).isZero();
    }

    @Test
    void shouldMissWhatDoesNotCome() {
        LongStream.of(1, 2, 4, 5).forEach(sequence -> receive(account, 7, sequence));

        assertThat(tally(5).lost()).isEqualTo(1);
        assertThat(tally(5).outOfOrder()).isZero();
    }

    @Test
    void shouldTellDoubledFromLate() {
        LongStream.of(1, 2, 4, 4, 3, 3, 5).forEach(sequence -> receive(account, 7, sequence));

        assertThat(tally(5)).isEqualTo(new Tally(5, 5, 7, 2, 1, 0));
        assertThat(tally(5).lost()).isZero();
    }

    @Test
    void shouldKeepManyStreamsApart() {
        for (int sequence = 1; sequence <= 3; sequence++) {
            for (int stream = 0; stream < 10_000; stream++) {
                receive(account, stream * 31, sequence);
            }
        }

        assertThat(tally(30_000)).isEqualTo(new Tally(30_000, 30_000, 30_000, 0, 0, 0));
    }

    @Test
    void shouldJudgeWhatIsOlderThanItsWindowByItsFlag() {
        receive(account, 1, 1000);
        assertThat(receive(account, 1, 10, true)).isTrue();
        assertThat(receive(account, 1, 11, false)).isTrue();

        assertThat(figures.duplicates()).isEqualTo(1);
        assertThat(figures.outOfOrder()).isEqualTo(1);
    }

    @Test
    void shouldFindADamagedByteWhereverItIs() {
        for (int at = 0; at < LENGTH; at++) {
            byte[] payload = payload(3, at + 1);
            payload[at] ^= 1;
            assertThat(account.receive(payload, 0, LENGTH, false))
                    .as("byte %d", at)
                    .isFalse();
        }
        assertThat(account.receive(payload(3, 1), 0, LENGTH - 1, false)).isFalse();
        assertThat(account.receive(new byte[3], 0, 3, false)).isFalse();

        assertThat(figures.corrupt()).isEqualTo(LENGTH + 2);
    }

    @Test
    void shouldKnowOfEachMessageWhetherItIsMissing() {
        // given
        ReceiverAccount noting = ReceiverAccount.notingWhatIsMissing(figures);
        for (int sequence : new int[] {3, 4, 8, 200, 300}) {
            receive(noting, 5, sequence);
        }

        // when some come late, near and far behind, and some again
        for (int sequence : new int[] {6, 1, 150, 3, 150, 201, 299}) {
            receive(noting, 5, sequence);
        }

        // then
        List<String> gaps = new ArrayList<>();
        assertThat(noting.missing()).isNotNull();
        noting.missing().forEach((stream, first, last) -> gaps.add(stream + ": " + first + " to " + last));
        assertThat(gaps)
                .containsExactlyInAnyOrder(
                        "5: 2 to 2", "5: 5 to 5", "5: 7 to 7", "5: 9 to 149", "5: 151 to 199", "5: 202 to 298");
        assertThat(figures.outOfOrder()).isEqualTo(5);
        assertThat(figures.duplicates()).isEqualTo(2);
    }

    @Test
    void shouldFindADuplicateAmongReceiversThatShare() {
        // given
        SharedStreams shared = new SharedStreams(8, 1024);
        ReceiverAccount first = new ReceiverAccount(figures, shared);
        ReceiverAccount second = new ReceiverAccount(figures, shared);

        // when each gets every other message, and one both
        for (int sequence = 1; sequence <= 10_000; sequence++) {
            receive(sequence % 2 == 0 ? first : second, 5, sequence);
        }
        receive(first, 5, 9_999);

        // then
        assertThat(tally(10_000)).isEqualTo(new Tally(10_000, 10_000, 10_001, 1, 0, 0));
    }

    @Test
    void shouldLetThreadsShareWithoutLosingCount() throws InterruptedException {
        SharedStreams shared = new SharedStreams(1, 1 << 20);
        Counter[] fresh = {new Counter(), new Counter()};
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            Counter mine = fresh[i];
            threads[i] = new Thread(() -> LongStream.rangeClosed(1, 100_000)
                    .filter(sequence -> shared.isNew(0, sequence))
                    .forEach(sequence -> mine.increment()));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(fresh[0].value() + fresh[1].value()).isEqualTo(100_000);
    }

    @Test
    void shouldNotAllocatePerMessage() {
        // given a receiver that has warmed up
        byte[] payload = payload(3, 1);
        long bodyHash = MessageHead.bodyHash(payload, MessageHead.SIZE_BYTES, LENGTH - MessageHead.SIZE_BYTES);
        long sequence = receiveMany(payload, bodyHash, 0);

        // when
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        sequence = receiveMany(payload, bodyHash, sequence);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // then less than a byte per message: what the JVM does on its own account
        assertThat(allocated).isLessThan(sequence / 2);
        assertThat(figures.corrupt()).isZero();
    }

    private long receiveMany(byte[] payload, long bodyHash, long sequence) {
        long next = sequence;
        for (int i = 0; i < 100_000; i++) {
            MessageHead.write(payload, 0, 3, ++next, 5, bodyHash);
            account.receive(payload, 0, LENGTH, false);
        }
        return next;
    }

    private Tally tally(long sent) {
        return Tally.NONE.plusSent(sent, 1).plus(figures);
    }

    private static void receive(ReceiverAccount account, int stream, long sequence) {
        assertThat(account.receive(payload(stream, sequence), 0, LENGTH, false)).isTrue();
    }

    private boolean receive(ReceiverAccount to, int stream, long sequence, boolean isRedelivered) {
        return to.receive(payload(stream, sequence), 0, LENGTH, isRedelivered);
    }

    private static byte[] payload(int stream, long sequence) {
        byte[] payload = new byte[LENGTH];
        for (int i = MessageHead.SIZE_BYTES; i < LENGTH; i++) {
            payload[i] = (byte) (i * 7);
        }
        long hash = MessageHead.bodyHash(payload, MessageHead.SIZE_BYTES, LENGTH - MessageHead.SIZE_BYTES);
        MessageHead.write(payload, 0, stream, sequence, 123_456_789_012L, hash);
        return payload;
    }
}
