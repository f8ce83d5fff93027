package dev.avocet.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.avocet.core.config.object.server.LogDetail;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.value.TraceComponent;
import dev.avocet.core.config.value.TraceLevels;
import dev.avocet.core.trace.TraceSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.LoggerFactory;

/**
 * Gives Logback's loggers the levels that the configuration wants. {@code NORMAL} leaves them as
 * {@code conf/logback.xml} says; the trace gets what its components want beyond that, and the log does not.
 *
 * <p>{@link #apply} is called by one thread at a time.
 */
final class LogControl implements AutoCloseable {
    private static final Level FIRST_TRACED = Level.DEBUG;
    private static final int DEBUG_FROM = 7;
    private static final int EVERYTHING_FROM = 9;

    private final LoggerContext context;
    private final TraceSink trace;
    private final Map<String, Level> asShipped = new HashMap<>();
    /** What was set on those that were changed, before that; nothing where they went by their parents. */
    private final Map<String, Optional<Level>> changed = new HashMap<>();

    private final LogFilter logFilter = new LogFilter();
    private final TraceAppender traceAppender = new TraceAppender();
    private volatile LevelsByName logged = new LevelsByName(Map.of());
    private volatile LevelsByName traced = new LevelsByName(Map.of());

    LogControl(LoggerContext context, TraceSink trace) {
        this.context = context;
        this.trace = trace;
        for (LogCategory category : LogCategory.values()) {
            category.loggers()
                    .forEach(name -> asShipped.put(name, context.getLogger(name).getEffectiveLevel()));
        }
        traceAppender.setContext(context);
        traceAppender.setName("trace");
    }

    /** Over what SLF4J logs to in this process. */
    static LogControl ofProcess(TraceSink trace) {
        return new LogControl((LoggerContext) LoggerFactory.getILoggerFactory(), trace);
    }

    void apply(Singletons values) {
        logged = logLevels(values);
        traced = traceLevels(TraceLevels.ofStored(values.traceLevel()));
        if (traced.names().isEmpty()) {
            tap(false);
        }
        Set<String> names = new HashSet<>(logged.names());
        names.addAll(traced.names());
        Set<String> over = new HashSet<>(changed.keySet());
        over.removeAll(names);
        over.forEach(this::reset);
        names.forEach(this::setLevel);
        if (!traced.names().isEmpty()) {
            tap(true);
        }
    }

    /** Everything is as {@code conf/logback.xml} says again. */
    @Override
    public void close() {
        tap(false);
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
                .iteratorForAppenders()
                .forEachRemaining(this::unguard);
        Set.copyOf(changed.keySet()).forEach(this::reset);
    }

    private void reset(String name) {
        Optional<Level> before = changed.remove(name);
        context.getLogger(name).setLevel(before == null ? null : before.orElse(null));
    }

    private LevelsByName logLevels(Singletons values) {
        Map<String, Level> levels = new HashMap<>();
        for (LogCategory category : LogCategory.values()) {
            LogDetail detail = category.detail(values);
            for (String name : category.loggers()) {
                levels.put(name, level(detail, name));
            }
        }
        return new LevelsByName(levels);
    }

    private Level level(LogDetail detail, String name) {
        return switch (detail) {
            case MIN -> Level.WARN;
            case NORMAL -> asShipped.get(name);
            case MAX -> Level.DEBUG;
        };
    }

    private static LevelsByName traceLevels(TraceLevels levels) {
        Map<String, Level> wanted = new HashMap<>();
        boolean any = false;
        for (TraceComponent component : TraceComponent.values()) {
            int level = levels.of(component);
            any |= level >= DEBUG_FROM;
            for (String name : TracedLoggers.of(component)) {
                wanted.put(
                        name, level >= EVERYTHING_FROM ? Level.TRACE : level >= DEBUG_FROM ? FIRST_TRACED : Level.OFF);
            }
        }
        return new LevelsByName(any ? wanted : Map.of());
    }

    private void setLevel(String name) {
        Level forLog = logged.of(name);
        Level forTrace = traced.of(name);
        Level lower = forTrace == null || (forLog != null && forTrace.isGreaterOrEqual(forLog)) ? forLog : forTrace;
        Logger logger = context.getLogger(name);
        changed.computeIfAbsent(name, first -> Optional.ofNullable(logger.getLevel()));
        logger.setLevel(lower);
    }

    /** Lets the trace listen in, or not; while it does, the log must be kept from what only the trace wants. */
    private void tap(boolean on) {
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        if (on == traceAppender.isStarted()) {
            return;
        }
        if (on) {
            root.iteratorForAppenders().forEachRemaining(this::guard);
            traceAppender.start();
            root.addAppender(traceAppender);
        } else {
            traceAppender.stop();
            root.detachAppender(traceAppender);
        }
    }

    private void guard(Appender<ILoggingEvent> appender) {
        if (!appender.getCopyOfAttachedFiltersList().contains(logFilter)) {
            appender.addFilter(logFilter);
        }
    }

    private void unguard(Appender<ILoggingEvent> appender) {
        List<Filter<ILoggingEvent>> others = new ArrayList<>(appender.getCopyOfAttachedFiltersList());
        if (others.remove(logFilter)) {
            appender.clearAllFilters();
            others.forEach(appender::addFilter);
        }
    }

    private final class LogFilter extends Filter<ILoggingEvent> {
        @Override
        public FilterReply decide(ILoggingEvent event) {
            return logged.wants(event.getLoggerName(), event.getLevel()) ? FilterReply.NEUTRAL : FilterReply.DENY;
        }
    }

    private final class TraceAppender extends ch.qos.logback.core.AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            if (traced.of(event.getLoggerName()) != null && traced.wants(event.getLoggerName(), event.getLevel())) {
                trace.write("log " + event.getLevel() + ' ' + event.getThreadName() + ' ' + event.getLoggerName() + ": "
                        + event.getFormattedMessage());
            }
        }
    }
}
