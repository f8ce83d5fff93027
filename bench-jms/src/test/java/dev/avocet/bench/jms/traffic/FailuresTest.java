package dev.avocet.bench.jms.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;

final class FailuresTest {
    private final Failures failures = new Failures();

    @Test
    void shouldSayWhatIsBehindAFailure() {
        // given
        JMSException failure = new JMSException("no session factory");
        failure.setLinkedException(new IllegalStateException("no server", new ConnectException("Connection refused")));

        // when
        failures.add("open", failure);

        // then
        assertThat(failures.texts()).containsExactly("open: no session factory: Connection refused");
    }

    @Test
    void shouldNotSayItTwice() {
        // given
        JMSException failure = new JMSException("localhost:1883: Connection refused", "avocet:unreachable");
        failure.initCause(new ConnectException("Connection refused"));

        // when
        failures.add("open", failure);
        failures.add("open", failure);

        // then
        assertThat(failures.texts())
                .containsExactly("open: localhost:1883: Connection refused [avocet:unreachable] (2 times)");
    }

    @Test
    void shouldEndWhereCausesGoInACircle() {
        // given
        JMSException failure = new JMSException("first");
        failure.setLinkedException(new IllegalStateException("second", failure));

        // when
        failures.add("send", failure);

        // then
        assertThat(failures.texts()).hasSize(1);
    }
}
