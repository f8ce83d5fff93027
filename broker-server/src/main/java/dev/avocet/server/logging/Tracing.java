package dev.avocet.server.logging;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.value.TraceLevels;
import dev.avocet.core.config.value.TraceSelection;
import dev.avocet.core.time.Clock;
import dev.avocet.core.trace.TraceRules;
import dev.avocet.server.objects.ConfigurationListener;
import java.io.IOException;
import java.nio.file.Path;

/** Applies what the single values of the configuration say of the log and of the trace. */
public final class Tracing implements ConfigurationListener, AutoCloseable {
    private final Broker broker;
    private final TraceFile file;
    private final LogControl logs;

    /** @param directory where the trace goes, made when something is traced */
    public Tracing(Broker broker, Path directory, Clock clock) {
        this.broker = broker;
        this.file = new TraceFile(directory, clock);
        this.logs = LogControl.ofProcess(file);
        broker.tracer().sink(file);
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        Singletons values = after.single(Singletons.class);
        file.limits(new TraceFile.Limits(
                values.traceMaxBytes(), values.traceBackup() == 0 ? 0 : values.traceBackupCount()));
        logs.apply(values);
        broker.trace(new TraceRules(
                TraceLevels.ofStored(values.traceLevel()),
                TraceLevels.ofStored(values.traceSelected()),
                TraceSelection.ofStored(values.traceConnection()),
                values.traceMessageDataBytes()));
    }

    /** Returns when everything that was traced before is in the file. Not for event loops. */
    public void flush() throws IOException {
        file.flush();
    }

    /** The last so many bytes of what was traced, from the beginning of a line. Not for event loops. */
    public byte[] end(int bytes) throws IOException {
        return file.end(bytes);
    }

    /** Writes what waits; the log is as it was at first. */
    @Override
    public void close() {
        logs.close();
        file.close();
    }
}
