package dev.avocet.server.store;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.journal.commit.CommitSnapshot;
import dev.avocet.core.store.reclaim.StoreStatistics;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Writes how a store is, and its figures. Names stay as they are: scripts read them. */
public final class StoreJson {
    private StoreJson() {}

    /** Writes members into the present object. */
    public static void write(StoreHealth store, JsonGenerator json) throws IOException {
        json.writeStringField("mode", store.mode());
        json.writeStringField("state", store.state().toString());
        if (store.checkpointAgeMs() != null) {
            json.writeNumberField("checkpointAgeMs", store.checkpointAgeMs());
        }
    }

    /** Writes members into the present object. */
    public static void write(StoreFigures figures, JsonGenerator json) throws IOException {
        contents(figures.contents(), json);
        json.writeNumberField("pendingBytes", figures.pendingBytes());
        commits(figures.commits(), json);
    }

    private static void contents(StoreStatistics contents, JsonGenerator json) throws IOException {
        json.writeNumberField("segments", contents.segments());
        json.writeNumberField("diskBytes", contents.diskBytes());
        json.writeNumberField("liveReferences", contents.liveReferences());
        json.writeNumberField("liveBytes", contents.liveBytes());
        json.writeNumberField("livePercent", Math.round(contents.livePercent() * 10) / 10.0);
        json.writeNumberField("memoryBytes", contents.memoryBytes());
        json.writeNumberField("checkpoints", contents.checkpoints());
        json.writeNumberField("checkpointFailures", contents.checkpointFailures());
        json.writeNumberField("checkpointDurationMs", TimeUnit.NANOSECONDS.toMillis(contents.checkpointDurationNs()));
        json.writeNumberField("droppedSegments", contents.droppedSegments());
        json.writeNumberField("dropFailures", contents.dropFailures());
        json.writeNumberField("movedMessages", contents.movedMessages());
        json.writeNumberField("movedBytes", contents.movedBytes());
        json.writeNumberField("readBackMessages", contents.readBackMessages());
        json.writeNumberField("readBackBytes", contents.readBackBytes());
        json.writeNumberField("lostMessages", contents.lostMessages());
    }

    private static void commits(CommitSnapshot commits, JsonGenerator json) throws IOException {
        json.writeNumberField("commits", commits.commits());
        json.writeNumberField("records", commits.records());
        json.writeNumberField("entries", commits.entries());
        json.writeNumberField("writtenBytes", commits.bytes());
        percentiles("commitLatencyUs", commits.latencyNs(), 1_000, json);
        percentiles("forceUs", commits.forceNs(), 1_000, json);
        percentiles("recordsPerCommit", commits.commitRecords(), 1, json);
    }

    private static void percentiles(String name, Histogram histogram, int divisor, JsonGenerator json)
            throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField("p50", histogram.getValueAtPercentile(50) / divisor);
        json.writeNumberField("p99", histogram.getValueAtPercentile(99) / divisor);
        json.writeNumberField("p999", histogram.getValueAtPercentile(99.9) / divisor);
        json.writeNumberField("max", histogram.getMaxValue() / divisor);
        json.writeEndObject();
    }
}
