package dev.avocet.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Notes by the JVM's flight recorder when all threads of the harness stood still. It is read when the run is over, so
 * that nothing is allocated for it before. Owned by the thread that leads the run. Records nothing where there is no
 * flight recorder.
 */
public final class PauseRecording implements AutoCloseable {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LARGEST_BYTES = 64 << 20;

    private final Instant origin;
    private final long originNs;
    private final @Nullable Recording recording;
    private long measuredFromNs;
    private long measuredToNs;

    private PauseRecording(RunClock clock, @Nullable Recording recording) {
        this.recording = recording;
        origin = clock.now();
        originNs = clock.nanoTime();
        measuredFromNs = originNs;
        measuredToNs = originNs;
    }

    /** Begins; the first in a process takes about half a second, so it belongs before the run. */
    public static PauseRecording start(RunClock clock) {
        boolean isThere = ModuleLayer.boot().findModule("jdk.jfr").isPresent() && FlightRecorder.isAvailable();
        return new PauseRecording(clock, isThere ? recording() : null);
    }

    static PauseRecording none(RunClock clock) {
        return new PauseRecording(clock, null);
    }

    private static Recording recording() {
        Recording recording = new Recording();
        PauseEvents.NAMES.forEach(
                name -> recording.enable(name).withoutThreshold().withoutStackTrace());
        recording.setMaxSize(LARGEST_BYTES);
        recording.start();
        return recording;
    }

    void measuredFrom(long nanoTime) {
        measuredFromNs = nanoTime;
    }

    void measuredTo(long nanoTime) {
        measuredToNs = nanoTime;
    }

    /**
     * The same with the pauses; ends the recording. Where it cannot be read, as in a process that is told to end, in
     * which the flight recorder stops by itself, it is the same: the collector's own account counts then, and the rest
     * of the result is kept.
     *
     * @param runStartNs since when the run counts its seconds
     */
    public HarnessLoad addTo(HarnessLoad load, long runStartNs) {
        if (recording == null) {
            return load;
        }
        try {
            return withStops(load, read(recording), runStartNs);
        } catch (IOException | IllegalStateException unreadable) {
            return load;
        }
    }

    private HarnessLoad withStops(HarnessLoad load, List<PauseEvents.Stop> stops, long runStartNs) {
        long longestNs = 0;
        long totalNs = 0;
        for (PauseEvents.Stop stop : stops) {
            long atNs = nanoTime(stop.begin());
            if (atNs >= measuredFromNs && atNs <= measuredToNs) {
                longestNs = Math.max(longestNs, stop.durationNs());
                totalNs += stop.durationNs();
            }
        }
        return new HarnessLoad(
                load.busiestThreadShare(),
                load.processors(),
                longestNs,
                totalNs,
                PauseEvents.worthTelling(stops).stream()
                        .map(stop -> pause(stop, runStartNs))
                        .toList());
    }

    private Pause pause(PauseEvents.Stop stop, long runStartNs) {
        double seconds = (nanoTime(stop.begin()) - runStartNs) / SECOND_NS;
        return new Pause(stop.kind(), stop.cause(), seconds, stop.durationNs());
    }

    private long nanoTime(Instant moment) {
        return originNs + Duration.between(origin, moment).toNanos();
    }

    private static List<PauseEvents.Stop> read(Recording recording) throws IOException {
        Path file = Files.createTempFile("pauses", ".jfr");
        try {
            recording.stop();
            recording.dump(file);
            return new PauseEvents(RecordingFile.readAllEvents(file)).stops();
        } finally {
            Files.delete(file);
        }
    }

    @Override
    public void close() {
        if (recording != null) {
            recording.close();
        }
    }
}
