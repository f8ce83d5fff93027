package dev.avocet.server.system;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last lines of the log, in memory: the log itself goes where the operating system keeps it. Bounded in lines and
 * in their length. Any thread logs; logback lets one at a time in here.
 */
public final class RecentLog extends AppenderBase<ILoggingEvent> {
    private static final String NAME = "recent";
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %thread %logger{0}: %msg%n%ex{20}";
    private static final int LINES = 2_000;
    private static final int LONGEST_LINE = 4_096;

    private final PatternLayoutEncoder encoder;
    private final Deque<String> lines = new ArrayDeque<>();

    private RecentLog(PatternLayoutEncoder encoder) {
        this.encoder = encoder;
    }

    /** Begins to remember. Does nothing where logging is done by another library, or when it has begun. */
    public static void begin() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
            if (root.getAppender(NAME) == null) {
                PatternLayoutEncoder encoder = new PatternLayoutEncoder();
                encoder.setContext(context);
                encoder.setPattern(PATTERN);
                encoder.start();
                RecentLog recent = new RecentLog(encoder);
                recent.setContext(context);
                recent.setName(NAME);
                recent.start();
                root.addAppender(recent);
            }
        }
    }

    /** The lines that are remembered, the oldest first, each with its end; none when that has not begun. */
    static List<String> lines() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                        && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(NAME) instanceof RecentLog recent
                ? recent.copy()
                : List.of();
    }

    @Override
    protected void append(ILoggingEvent event) {
        String line = new String(encoder.encode(event), StandardCharsets.UTF_8);
        String kept = line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…\n";
        synchronized (lines) { // another thread may be reading; held for no more than a copy
            lines.addLast(kept);
            if (lines.size() > LINES) {
                lines.removeFirst();
            }
        }
    }

    private List<String> copy() {
        synchronized (lines) { // another thread may be logging
            return List.copyOf(lines);
        }
    }
}
