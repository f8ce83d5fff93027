package dev.avocet.core.store.inspect;

import dev.avocet.core.journal.Position;
import dev.avocet.core.store.entry.EntryKind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What is in a store.
 *
 * @param segments of the journal, oldest first
 * @param checkpoints newest first
 * @param entries how many of each kind recovery would read behind the newest checkpoint
 * @param sessions stored sessions
 * @param queues durable queues
 * @param references messages in these queues
 * @param retained topics with a retained message
 * @param prepared transactions that wait for their coordinator
 * @param damages what was found while looking; there may be more: only a verification reads everything
 * @param wallMs when this was found out, in milliseconds since 1970
 */
public record StoreStat(
        List<SegmentStat> segments,
        List<CheckpointStat> checkpoints,
        Map<EntryKind, Long> entries,
        long sessions,
        long queues,
        long references,
        long retained,
        long prepared,
        List<Damage> damages,
        long wallMs) {
    private static final int MIB = 1 << 20;

    public StoreStat {
        segments = List.copyOf(segments);
        checkpoints = List.copyOf(checkpoints);
        entries = Map.copyOf(entries);
        damages = List.copyOf(damages);
    }

    public long sizeBytes() {
        return segments.stream().mapToLong(SegmentStat::sizeBytes).sum()
                + checkpoints.stream().mapToLong(CheckpointStat::sizeBytes).sum();
    }

    /** For people, in several lines. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "%d sessions, %d queues with %d messages, %d retained messages",
                sessions,
                queues,
                references,
                retained);
        if (prepared > 0) {
            line(text, "%d prepared transactions", prepared);
        }
        line(text, "%d segments and %d checkpoints, %d MB", segments.size(), checkpoints.size(), sizeBytes() / MIB);
        checkpoints.forEach(checkpoint -> line(
                text,
                "checkpoint %d: %s",
                checkpoint.number(),
                checkpoint.whole()
                        ? "at " + Position.show(checkpoint.position()) + ", " + checkpoint.sizeBytes()
                                + " bytes, taken "
                                + Duration.ofMillis(Math.max(0, wallMs - checkpoint.wallMs()))
                                        .toSeconds() + " s ago"
                        : "damaged"));
        segments.forEach(segment -> line(
                text,
                "segment %d: %d bytes, %d %% alive, %d references",
                segment.number(),
                segment.sizeBytes(),
                segment.livePercent(),
                segment.liveReferences()));
        text.append(EntryCounts.text("entries behind the checkpoint", entries));
        damages.forEach(damage -> line(text, "damaged: %s", damage));
        return text.toString();
    }

    private static void line(StringBuilder text, String format, Object... parts) {
        text.append(String.format(Locale.ROOT, format, parts)).append('\n');
    }
}
