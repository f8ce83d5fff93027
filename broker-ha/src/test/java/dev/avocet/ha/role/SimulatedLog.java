package dev.avocet.ha.role;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** A log on a disk that can be slow, and can lose what was not forced. A position counts records. */
final class SimulatedLog implements PairLog {
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** A record, and the hash of the log up to its end. */
    record Entry(long id, long epoch, long hash) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Runnable whenAppended;
    private String storeId;
    private EpochStarts starts = EpochStarts.NONE;
    private long forced;

    SimulatedLog(String storeId, Runnable whenAppended) {
        this.storeId = storeId;
        this.whenAppended = whenAppended;
    }

    @Override
    public String storeId() {
        return storeId;
    }

    @Override
    public long end() {
        return entries.size();
    }

    @Override
    public long forced() {
        return forced;
    }

    @Override
    public EpochStarts starts() {
        return starts;
    }

    /** Of everything before that position. */
    long hash(long position) {
        return position == 0 ? 0 : entries.get((int) position - 1).hash();
    }

    void append(long id, long epoch) {
        starts = starts.with(epoch, end());
        entries.add(new Entry(id, epoch, (hash(end()) + id * 31 + epoch) * MIX));
        whenAppended.run();
    }

    @Override
    public void append(PairMessage.Records records) {
        for (Object record : (List<?>) records.records()) {
            Entry entry = (Entry) record;
            append(entry.id(), entry.epoch());
        }
    }

    List<Entry> read(long from, long end) {
        long last = Math.min(end, end());
        return from >= last ? List.of() : List.copyOf(entries.subList((int) from, (int) last));
    }

    @Override
    public void cutBack(long position) {
        entries.subList((int) position, entries.size()).clear();
        starts = starts.cutBack(position);
        forced = Math.min(forced, position);
    }

    @Override
    public void adopt(String store) {
        assert entries.isEmpty();
        storeId = store;
    }

    void forcedUpTo(long position) {
        forced = Math.max(forced, Math.min(position, end()));
    }

    /** What was not forced may be there afterwards, up to some record. */
    void losePower(RandomGenerator random, boolean forgets) {
        long kept = forgets ? forced / 2 : forced;
        cutBack(kept + random.nextLong(end() - kept + 1));
    }

    /** Another disk in the place of this one. */
    void wipe(RandomGenerator random) {
        cutBack(0);
        storeId = new UUID(random.nextLong(), random.nextLong()).toString();
    }

    /** At the start of a process. */
    void recover() {
        forced = end();
    }
}
