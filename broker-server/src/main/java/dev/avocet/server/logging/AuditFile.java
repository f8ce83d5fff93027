package dev.avocet.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.net.SyslogAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.status.ErrorStatus;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.server.AuditLogTarget;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.server.objects.ConfigurationListener;
import dev.avocet.server.objects.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log: one line of JSON for each change, in a file or to a syslog server, as the configuration says. Logback
 * writes and rolls the file. Nothing is opened before the first line. Any thread.
 */
public final class AuditFile implements AuditSink, ConfigurationListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);
    private static final String FILE = "audit.log";
    private static final String OLD_FILES = "audit-%i.log.gz";
    private static final String FACILITY = "AUDIT";

    private final Path directory;
    private final ReentrantLock lock = new ReentrantLock();

    // under the lock
    private @Nullable Target target;
    private @Nullable Logger lines;
    private @Nullable LoggerContext context;
    private boolean hasFailed;

    /** @param directory where the file goes; made with the first line, for the user of the broker alone */
    public AuditFile(Path directory) {
        this.directory = directory;
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        Target wanted = Target.of(after.single(Singletons.class));
        lock.lock();
        try {
            if (!wanted.equals(target)) {
                stop();
                target = wanted;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void write(Map<String, ?> line) {
        lock.lock();
        try {
            Target wanted = target;
            if (wanted == null || wanted.kind == AuditLogTarget.NONE) {
                return;
            }
            Logger open = lines == null ? start(wanted) : lines;
            if (open != null) {
                open.info(JsonText.line(line));
            }
        } catch (IOException | RuntimeException e) {
            failed(e.toString());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            stop();
            target = null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A logger of a context of its own, so that no other configuration of logs concerns it; null when it cannot be
     * made.
     */
    private @Nullable Logger start(Target wanted) throws IOException {
        LoggerContext own = new LoggerContext();
        own.setMDCAdapter(new LogbackMDCAdapter());
        own.getStatusManager().add((StatusListener) this::heard);
        context = own;
        Appender<ILoggingEvent> begun = wanted.kind == AuditLogTarget.FILE ? file(own, wanted) : syslog(own, wanted);
        if (!begun.isStarted()) {
            stop();
            return null;
        }
        ch.qos.logback.classic.Logger logger = own.getLogger("AuditLog");
        logger.setLevel(Level.INFO);
        logger.addAppender(begun);
        lines = logger;
        return logger;
    }

    private Appender<ILoggingEvent> file(LoggerContext own, Target wanted) throws IOException {
        createDirectory();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(own);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setPattern("%msg%n");
        encoder.start();
        RollingFileAppender<ILoggingEvent> file = new RollingFileAppender<>();
        FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
        rolling.setContext(own);
        rolling.setParent(file);
        rolling.setFileNamePattern(directory.resolve(OLD_FILES).toString());
        rolling.setMinIndex(1);
        rolling.setMaxIndex(wanted.backups);
        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(own);
        size.setMaxFileSize(new FileSize(wanted.maxBytes));
        size.setCheckIncrement(Duration.buildByMilliseconds(1));
        size.start();
        file.setContext(own);
        file.setName("audit");
        file.setFile(directory.resolve(FILE).toString());
        file.setEncoder(encoder);
        file.setTriggeringPolicy(size);
        file.setRollingPolicy(rolling);
        rolling.start();
        file.start();
        return file;
    }

    private static Appender<ILoggingEvent> syslog(LoggerContext own, Target wanted) {
        SyslogAppender syslog = new SyslogAppender();
        syslog.setContext(own);
        syslog.setName("audit");
        syslog.setSyslogHost(wanted.host);
        syslog.setPort(wanted.port);
        syslog.setFacility(FACILITY);
        syslog.setSuffixPattern("avocet: %msg");
        syslog.setThrowableExcluded(true);
        syslog.start();
        return syslog;
    }

    private void createDirectory() throws IOException {
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(directory);
        }
    }

    private void stop() {
        lines = null;
        if (context != null) {
            context.stop(); // and its appender
            context = null;
        }
        hasFailed = false;
    }

    private void heard(Status status) {
        if (status instanceof ErrorStatus) {
            failed(status.getMessage());
        }
    }

    /** Said once, until the configuration of the audit log changes. */
    private void failed(String why) {
        if (!hasFailed) {
            hasFailed = true;
            LOG.error("The audit log cannot be written, and what administrators do is in the log alone: {}", why);
        }
    }

    /** What the configuration says of it. */
    private record Target(AuditLogTarget kind, long maxBytes, int backups, String host, int port) {
        static Target of(Singletons values) {
            return new Target(
                    values.auditLog(),
                    values.auditLogMaxBytes(),
                    values.auditLogBackupCount(),
                    values.auditLogHost(),
                    values.auditLogPort());
        }
    }
}
