package dev.avocet.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One message in a hundred thousand that is not as it should be is found, and nothing else. */
final class OneOfManyTest {
    private static final int MESSAGES = 100_000;
    private static final int STREAMS = 10;
    private static final int CHOSEN = 54_321;
    private static final int SIZE = MessageHead.SIZE_BYTES + 8;

    private final ReceiverAccount.Figures figures = new ReceiverAccount.Figures();
    private final ReceiverAccount account = new ReceiverAccount(figures, null);
    private final byte[] payload = new byte[SIZE];

    @ParameterizedTest
    @CsvSource({
        "DROP, 1, 0, 0, 0",
        "DOUBLE, 0, 1, 0, 0",
        "LATE, 0, 0, 1, 0",
        "CORRUPT, 0, 0, 0, 1",
        "NOTHING, 0, 0, 0, 0"
    })
    void shouldFindIt(String what, long lost, long doubled, long late, long corrupt) {
        // when
        for (int i = 0; i < MESSAGES; i++) {
            boolean isChosen = i == CHOSEN;
            if (isChosen && (what.equals("DROP") || what.equals("LATE"))) {
                continue;
            }
            receive(i, isChosen && what.equals("CORRUPT"));
            if (isChosen && what.equals("DOUBLE")) {
                receive(i, false);
            }
            if (i == CHOSEN + STREAMS && what.equals("LATE")) {
                receive(CHOSEN, false);
            }
        }

        // then
        Tally tally = new Tally(MESSAGES, MESSAGES, 0, 0, 0, 0).plus(figures);
        assertThat(tally.lost()).isEqualTo(lost);
        assertThat(tally.duplicates()).isEqualTo(doubled);
        assertThat(tally.outOfOrder()).isEqualTo(late);
        assertThat(tally.corrupt()).isEqualTo(corrupt);
    }

    private void receive(int number, boolean isDamaged) {
        long bodyHash = MessageHead.bodyHash(payload, MessageHead.SIZE_BYTES, SIZE - MessageHead.SIZE_BYTES);
        MessageHead.write(payload, 0, number % STREAMS, 1 + number / STREAMS, 1, bodyHash);
        payload[SIZE - 1] ^= (byte) (isDamaged ? 1 : 0);
        account.receive(payload, 0, SIZE, false);
        payload[SIZE - 1] ^= (byte) (isDamaged ? 1 : 0);
    }
}
