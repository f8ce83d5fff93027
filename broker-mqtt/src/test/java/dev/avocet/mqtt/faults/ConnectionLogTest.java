package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ConnectionLogTest {
    private static final String CAUSE = "not authorized";

    private final Logger logger = (Logger) LoggerFactory.getLogger(ConnectionLog.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final ManualClock clock = new ManualClock();
    private final ConnectionLog log = new ConnectionLog(clock, Set.of());

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
    }

    @Test
    void shouldSayALineAMinuteForEachObjectOfACause() {
        // when
        refuse("a", 3);
        refuse("b", 2);
        log.closed("another cause", "a", "client 'c'", "detail");

        // then
        assertThat(lines())
                .containsExactly(
                        "Refused client 'c': not authorized: about a",
                        "Refused client 'c': not authorized: about b",
                        "Closed client 'c': another cause: detail");

        // when
        clock.advance(Duration.ofMinutes(1));
        refuse("a", 1);

        // then
        assertThat(lines())
                .last()
                .asString()
                .isEqualTo("Refused client 'c': not authorized: about a (2 more since the last line about this)");
    }

    @Test
    void shouldBoundTheLinesOfACauseWhateverNamesClientsChoose() {
        // when
        for (int i = 0; i < 1_000; i++) {
            refuse("topic/" + i, 1);
        }

        // then: a hundred, and one for all others
        assertThat(lines()).hasSize(101);

        // when: those are silent for a minute
        clock.advance(Duration.ofMinutes(1));
        refuse("another", 1);

        // then
        assertThat(lines()).hasSize(102).last().asString().endsWith("about another");
    }

    @Test
    void shouldShowNothingThatClientsChooseAsItIs() {
        // when
        log.closed("cause", "object", "client 'a\n2026 forged'", "x".repeat(10_000));

        // then
        assertThat(lines())
                .singleElement()
                .asString()
                .startsWith("Closed client 'a?2026 forged': cause: xxx")
                .hasSizeLessThan(800);
    }

    private void refuse(String object, int times) {
        for (int i = 0; i < times; i++) {
            log.refused(CAUSE, object, () -> "client 'c'", () -> "about " + object);
        }
    }

    private List<String> lines() {
        return appender.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
