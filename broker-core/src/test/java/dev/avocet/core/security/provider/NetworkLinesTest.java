package dev.avocet.core.security.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.security.login.SourceNetwork;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is next, and who is left out. */
final class NetworkLinesTest {
    private static final int PLACES = 4;
    private static final SourceNetwork RED = new SourceNetwork(4, 1);
    private static final SourceNetwork BLUE = new SourceNetwork(4, 2);
    private static final SourceNetwork GREEN = new SourceNetwork(6, 1);

    private final NetworkLines<String> lines = new NetworkLines<>(PLACES);

    @Test
    void shouldHaveNetworksTakeTurnsHoweverManyOfOneWait() {
        // given
        lines.add(RED, "red 1");
        lines.add(RED, "red 2");
        lines.add(RED, "red 3");

        // when
        lines.add(BLUE, "blue 1");

        // then
        assertThat(lines.size()).isEqualTo(4);
        assertThat(all()).containsExactly("red 1", "blue 1", "red 2", "red 3");
        assertThat(lines.size()).isZero();
    }

    @Test
    void shouldSendWhoComesAgainBehindTheOthers() {
        // given
        lines.add(RED, "red 1");
        lines.add(BLUE, "blue 1");
        lines.add(GREEN, "green 1");

        // when the first one has had its turn, and comes again
        assertThat(lines.next()).isEqualTo("red 1");
        lines.add(RED, "red 2");

        // then
        assertThat(all()).containsExactly("blue 1", "green 1", "red 2");
    }

    @Test
    void shouldLetOneNetworkHaveAllPlacesAndNoMore() {
        for (int i = 1; i <= PLACES; i++) {
            assertThat(lines.add(RED, "red " + i)).isNull();
        }
        assertThat(lines.add(RED, "red 5")).isEqualTo("red 5");
        assertThat(all()).containsExactly("red 1", "red 2", "red 3", "red 4");
    }

    @Test
    void shouldGiveThePlaceOfTheLastInTheLongestLineToWhoComesFromElsewhere() {
        // given
        fillWithRed();

        // when
        assertThat(lines.add(BLUE, "blue 1")).isEqualTo("red 4");
        assertThat(lines.add(GREEN, "green 1")).isEqualTo("red 3");

        // then
        assertThat(lines.size()).isEqualTo(PLACES);
        assertThat(all()).containsExactly("red 1", "blue 1", "green 1", "red 2");
    }

    @Test
    void shouldLeaveWhoWaitsInItsPlaceWhereTheLineOfTheNewcomerIsAsLong() {
        // given
        fillWithRed();
        lines.add(BLUE, "blue 1");
        lines.add(BLUE, "blue 2"); // now there are two of each

        // then one that would make its own line the longest is left out
        assertThat(lines.add(BLUE, "blue 3")).isEqualTo("blue 3");
        assertThat(lines.add(RED, "red 5")).isEqualTo("red 5");
        assertThat(all()).containsExactly("red 1", "blue 1", "red 2", "blue 2");
    }

    @Test
    void shouldTakeNoneWhenItIsClosed() {
        lines.add(RED, "red 1");
        lines.add(BLUE, "blue 1");

        assertThat(lines.close()).containsExactlyInAnyOrder("red 1", "blue 1");
        assertThat(lines.add(RED, "red 2")).isEqualTo("red 2");
        assertThat(lines.next()).isNull();
    }

    private void fillWithRed() {
        for (int i = 1; i <= PLACES; i++) {
            lines.add(RED, "red " + i);
        }
    }

    /** All that wait, in the order of their turns. */
    private List<String> all() {
        List<String> all = new ArrayList<>();
        for (@Nullable String next = lines.next(); next != null; next = lines.next()) {
            all.add(next);
        }
        return all;
    }
}
