package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** What was logged, by whomever, while it was open: warnings and worse. */
final class CapturedLog implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    CapturedLog() {
        appender.start();
        root.addAppender(appender);
    }

    /**
     * Asserts that no more than one line was written for any cause and what it is about (the client that was closed, or
     * what was refused to it), none with a stack trace and none by another logger.
     */
    void shouldNameEachCauseOnce() {
        List<ILoggingEvent> lines = lines();
        assertThat(lines)
                .allSatisfy(line -> assertThat(line.getLoggerName()).matches(".*\\.(ConnectionLog|Mismatch)"))
                .allSatisfy(line -> assertThat(line.getThrowableProxy()).isNull());
        assertThat(lines.stream()
                        .collect(Collectors.groupingBy(CapturedLog::causeAndObject, Collectors.counting()))
                        .values())
                .allMatch(count -> count == 1);
    }

    /** Asserts that this cause was named. */
    void shouldName(String cause) {
        assertThat(lines()).anyMatch(line -> cause(line).equals(cause));
    }

    /** All lines as they were written. */
    List<String> texts() {
        return lines().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** What kind of line it is: what the connection log names, or a text of the endpoint's. */
    private static Object cause(ILoggingEvent line) {
        return line.getLoggerName().endsWith(".ConnectionLog") ? line.getArgumentArray()[2] : line.getMessage();
    }

    private static String causeAndObject(ILoggingEvent line) {
        if (!line.getLoggerName().endsWith(".ConnectionLog")) {
            return cause(line).toString();
        }
        Object[] arguments = line.getArgumentArray();
        String client = arguments[1].toString().replaceFirst(":\\d+$", "");
        return cause(line) + " " + client + (arguments[0].equals("Refused") ? " " + arguments[3] : "");
    }

    private List<ILoggingEvent> lines() {
        synchronized (appender) { // the appender's own lock, which its writers hold
            return appender.list.stream()
                    .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                    .toList();
        }
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        appender.stop();
    }
}
