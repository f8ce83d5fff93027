package dev.avocet.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.ManualClock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private final ManualClock clock = new ManualClock();
    private final Sessions sessions = new Sessions(clock, new SecureRandom());

    @Test
    void shouldFindASessionByItsIdentifierAlone() {
        // when
        Session anna = open("anna");

        // then
        assertThat(sessions.find(anna.id(), true)).isEqualTo(anna);
        assertThat(sessions.find(anna.id() + "x", true)).isNull();
        assertThat(anna.id()).hasSize(43).isNotEqualTo(open("anna").id());
        assertThat(anna.toString()).doesNotContain(anna.id(), anna.token());
    }

    @Test
    void shouldEndASessionInWhichItsUserDoesNothing() {
        // given
        Session anna = open("anna");
        Duration almost = Sessions.LONGEST_IDLE.minusSeconds(1);

        // when
        clock.advance(almost);
        sessions.find(anna.id(), true);
        clock.advance(almost);

        // then
        assertThat(sessions.find(anna.id(), false)).isNotNull();

        // when: its page goes on looking by itself
        clock.advance(Duration.ofSeconds(1));

        // then
        assertThat(sessions.find(anna.id(), false)).isNull();
    }

    @Test
    void shouldEndTheSessionThatWasIdleLongestWhenAUserHasTooMany() {
        // given
        List<Session> own = new ArrayList<>();
        for (int i = 0; i < Sessions.MOST_OF_A_USER; i++) {
            own.add(open("anna"));
            clock.advance(Duration.ofSeconds(1));
        }
        sessions.find(own.get(0).id(), true);

        // when
        Session more = open("anna");

        // then
        assertThat(sessions.find(own.get(0).id(), true)).isNotNull();
        assertThat(sessions.find(own.get(1).id(), true)).isNull();
        assertThat(sessions.find(more.id(), true)).isNotNull();
    }

    @Test
    void shouldOpenNoMoreThanItsLimitUntilOthersAreOver() {
        // given
        for (int i = 0; i < Sessions.MOST; i++) {
            open("user" + i);
        }

        // then
        assertThat(sessions.open("another", "token")).isNull();

        // when
        clock.advance(Sessions.LONGEST_IDLE);

        // then
        assertThat(sessions.open("another", "token")).isNotNull();
    }

    @Test
    void shouldEndAllSessionsOfAUser() {
        // given
        Session first = open("anna");
        Session second = open("anna");
        Session other = open("otto");

        // when
        int closed = sessions.closeAllOf("anna");

        // then
        assertThat(closed).isEqualTo(2);
        assertThat(sessions.find(first.id(), true)).isNull();
        assertThat(sessions.find(second.id(), true)).isNull();
        assertThat(sessions.find(other.id(), true)).isNotNull();
    }

    private Session open(String user) {
        return Objects.requireNonNull(sessions.open(user, "token of " + user));
    }
}
