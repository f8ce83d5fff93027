package dev.avocet.server.rest.request;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Keeps what is said in the log {@code AdminLog}. Opened before the broker starts, which takes the levels that it finds
 * for those of the shipped configuration and returns to them with every change, and closed after it.
 */
public final class AuditTap implements AutoCloseable {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger adminLog = (Logger) LoggerFactory.getLogger("AdminLog");

    public AuditTap() {
        adminLog.setLevel(Level.INFO);
        log.start();
        adminLog.addAppender(log);
    }

    public List<String> lines() {
        return List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        adminLog.detachAppender(log);
        adminLog.setLevel(null);
    }
}
