package dev.avocet.core.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.avocet.core.loop.MemoryGuard.Thresholds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryGuardTest {
    @ParameterizedTest
    @CsvSource({
        "100, NORMAL",
        "50, NORMAL",
        "49.9, SHRINK_CACHES",
        "15, SHRINK_CACHES",
        "14.9, REJECT_MESSAGES",
        "10, REJECT_MESSAGES",
        "9.9, REFUSE_CLIENTS",
        "0, REFUSE_CLIENTS"
    })
    void shouldShedLoadInSteps(double freePercent, MemoryLevel expected) {
        MemoryGuard guard = new MemoryGuard();

        assertThat(guard.sample(freePercent)).isEqualTo(expected != MemoryLevel.NORMAL);

        assertThat(guard.level()).isEqualTo(expected);
        assertThat(guard.keepsCaches()).isEqualTo(expected == MemoryLevel.NORMAL);
        assertThat(guard.buffersMessages())
                .isEqualTo(expected == MemoryLevel.NORMAL || expected == MemoryLevel.SHRINK_CACHES);
        assertThat(guard.storesMessages()).isEqualTo(expected != MemoryLevel.REFUSE_CLIENTS);
        assertThat(guard.acceptsClients()).isEqualTo(expected != MemoryLevel.REFUSE_CLIENTS);
    }

    @Test
    void shouldSayWhenTheLevelChangesAndRecover() {
        MemoryGuard guard = new MemoryGuard();
        assertThat(guard.sample(5)).isTrue();
        assertThat(guard.sample(6)).isFalse();
        assertThat(guard.sample(80)).isTrue();
        assertThat(guard.buffersMessages()).isTrue();
    }

    @Test
    void shouldStoreNothingWhileReferencesDoNotFit() {
        MemoryGuard guard = new MemoryGuard();
        assertThat(guard.referencesFit(true)).as("changed").isFalse();

        assertThat(guard.referencesFit(false)).as("changed").isTrue();
        assertThat(guard.storesMessages()).isFalse();
        assertThat(guard.buffersMessages()).isTrue();

        guard.referencesFit(true);
        assertThat(guard.storesMessages()).isTrue();
    }

    @Test
    void shouldRefuseThresholdsThatDoNotFall() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Thresholds(10, 15, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new Thresholds(50, 15, Double.NaN));
    }
}
