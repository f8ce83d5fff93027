package dev.avocet.core.tls.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.tls.status.StatusMemory.Fingerprint;
import dev.avocet.testkit.ManualClock;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** For how long answers count. */
class StatusMemoryTest {
    private static final Fingerprint KEY = new Fingerprint(BigInteger.ONE);

    private final ManualClock clock = new ManualClock();
    private final StatusMemory memory = new StatusMemory(Duration.ofMinutes(60), clock);

    @Test
    void shouldUseAnAnswerUntilThereIsANewerOne() {
        memory.keep(KEY, answer(OcspAnswer.Status.GOOD, Duration.ofMinutes(10)));

        clock.advance(Duration.ofMinutes(9));
        assertThat(memory.find(KEY)).isNotNull();
        clock.advance(Duration.ofMinutes(1));
        assertThat(memory.find(KEY)).isNull();
    }

    @Test
    void shouldUseAnAnswerForTheIntervalAtMost() {
        memory.keep(KEY, answer(OcspAnswer.Status.GOOD, Duration.ofDays(7)));

        clock.advance(Duration.ofMinutes(59));
        assertThat(memory.find(KEY)).isNotNull();
        clock.advance(Duration.ofMinutes(1));
        assertThat(memory.find(KEY)).isNull();
    }

    @Test
    void shouldUseAnAnswerThatDoesNotSayForTheInterval() {
        memory.keep(KEY, answer(OcspAnswer.Status.GOOD, null));

        clock.advance(Duration.ofMinutes(59));
        assertThat(memory.find(KEY)).isNotNull();
    }

    @Test
    void shouldAskASilentResponderAgainSoon() {
        memory.keep(KEY, CertificateStatus.unknown("silent"));

        assertThat(memory.find(KEY)).isNotNull();
        clock.advance(Duration.ofSeconds(5));
        assertThat(memory.find(KEY)).isNull();
    }

    @Test
    void shouldNotMakeARevokedCertificateGoodBySilence() {
        memory.keep(KEY, answer(OcspAnswer.Status.REVOKED, Duration.ofMinutes(1)));
        clock.advance(Duration.ofMinutes(2));

        assertThat(memory.keep(KEY, CertificateStatus.unknown("silent"))
                        .status()
                        .isRevoked())
                .isTrue();
        assertThat(memory.find(KEY).status().isRevoked()).isTrue();
    }

    @Test
    void shouldNotTakeAnOlderAnswerInPlaceOfANewerOne() {
        CertificateStatus old = answer(OcspAnswer.Status.GOOD, Duration.ofHours(5));
        clock.advance(Duration.ofMinutes(1));
        memory.keep(KEY, answer(OcspAnswer.Status.REVOKED, Duration.ofHours(5)));

        assertThat(memory.keep(KEY, old).status().isRevoked()).isTrue();

        clock.advance(Duration.ofMinutes(1));
        assertThat(memory.keep(KEY, answer(OcspAnswer.Status.GOOD, null))
                        .status()
                        .isGood())
                .as("no longer on hold")
                .isTrue();
    }

    private CertificateStatus answer(OcspAnswer.Status status, @Nullable Duration goodFor) {
        Instant now = Instant.ofEpochMilli(clock.wallTimeMs());
        return new CertificateStatus(status, now, goodFor == null ? null : now.plus(goodFor), true, "");
    }
}
