package dev.avocet.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShareTest {
    @ParameterizedTest
    @CsvSource({"1,10", "3,10", "4,3", "5,0"})
    void shouldGiveEachClientToOneParty(int parties, int clients) {
        List<Share> shares = IntStream.range(0, parties)
                .mapToObj(party -> new Share(party, parties, true, true))
                .toList();

        int before = 0;
        for (Share share : shares) {
            assertThat(share.sendersBefore(clients)).isEqualTo(before);
            before += (int) IntStream.range(0, clients).filter(share::hasSender).count();
        }
        assertThat(before).isEqualTo(clients);
        assertThat(IntStream.range(0, clients))
                .allMatch(client -> shares.stream()
                                .filter(share -> share.hasReceiver(client))
                                .count()
                        == 1);
    }

    @Test
    void shouldKeepToItsSide() {
        assertThat(new Share(0, 1, false, true).hasSender(0)).isFalse();
        assertThat(new Share(0, 1, true, false).hasReceiver(0)).isFalse();
        assertThatThrownBy(() -> new Share(2, 2, true, true)).isInstanceOf(IllegalArgumentException.class);
    }
}
