package dev.avocet.bench.jms.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.jms.fake.Redelivery;
import dev.avocet.bench.jms.plan.MessageSizes;
import dev.avocet.bench.jms.traffic.Arrivals.Kind;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.run.RunClock;
import jakarta.jms.JMSException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ArrivalsTest {
    private static final int STREAM = 3;
    private static final int FAR = 1_000;

    private final RunClock clock = RunClock.system();
    private final Bodies bodies = new Bodies(MessageSizes.of("64"));
    private final Arrivals arrivals = new Arrivals(clock, new LatencyRecorder(), 64, null);

    @BeforeEach
    void begin() {
        arrivals.begin(0);
    }

    /** For which a client may have to decode the message's head. */
    @Test
    void shouldNotAskWhetherAMessageIsRedeliveredThatIsNewOrKnown() throws JMSException {
        for (int sequence : new int[] {1, 2, 2, 5, 4}) {
            // given
            Redelivery message = message(sequence, true);

            // when
            Kind kind = arrivals.receive(message);

            // then
            assertThat(kind).isEqualTo(Kind.WHOLE);
            assertThat(message.questions()).isZero();
        }
        assertThat(arrivals.figures().received()).isEqualTo(5);
        assertThat(arrivals.figures().duplicates()).isOne();
        assertThat(arrivals.figures().outOfOrder()).isOne();
    }

    @ParameterizedTest
    @CsvSource({"true, 1, 0", "false, 0, 1"})
    void shouldAskWhenAMessageIsSoLateThatItMayHaveComeBefore(boolean isRedelivered, long duplicates, long outOfOrder)
            throws JMSException {
        // given
        arrivals.receive(message(FAR, false));
        Redelivery late = message(1, isRedelivered);

        // when
        arrivals.receive(late);

        // then
        assertThat(late.questions()).isOne();
        assertThat(arrivals.figures().duplicates()).isEqualTo(duplicates);
        assertThat(arrivals.figures().outOfOrder()).isEqualTo(outOfOrder);
    }

    private Redelivery message(int sequence, boolean isRedelivered) {
        return Redelivery.of(isRedelivered, bodies.next(STREAM, sequence, clock.nanoTime()));
    }
}
