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
    private long awaited = Long.MAX_VALUE;

    /** Records before it were dropped; the checkpoint says what they said. */
    private long kept;

    /** A store that is received: what its checkpoint says, and the records, in their places. */
    private final List<Entry> incoming = new ArrayList<>();

    private EpochStarts incomingStarts = EpochStarts.NONE;
    private String incomingId = "";
    private long incomingCheckpoint;

    private final Runnable whenComplete;

    /** @param whenComplete hears that a store that was received is complete, and to be forced */
    SimulatedLog(String storeId, Runnable whenAppended, Runnable whenComplete) {
        this.storeId = storeId;
        this.whenAppended = whenAppended;
        this.whenComplete = whenComplete;
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
    public void awaits(long position) {
        awaited = position;
    }

    /** Whether what is forced next is to be told to a leader. */
    boolean isAwaited() {
        return forced < awaited;
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

    @Override
    public boolean reaches(long position) {
        return position >= kept;
    }

    /** Position of the newest checkpoint. */
    long checkpoint() {
        return kept;
    }

    /** A checkpoint was taken there, and what is before it is dropped. */
    void drop(long position) {
        kept = Math.max(kept, Math.min(position, forced));
    }

    /** What a checkpoint says of the records between two positions. */
    List<Entry> state(long from, long end) {
        return List.copyOf(entries.subList((int) from, (int) end));
    }

    /** A part of a checkpoint. */
    record State(long from, List<Entry> records) {}

    @Override
    public void receive(PairMessage.Start start) {
        incoming.clear();
        incomingStarts = start.starts();
        incomingId = start.storeId();
        incomingCheckpoint = start.checkpoint();
        while (incoming.size() < start.checkpoint()) {
            incoming.add(new Entry(-1, 0, 0));
        }
    }

    @Override
    public void receive(PairMessage.Part part) {
        State state = (State) part.content();
        for (int i = 0; i < state.records().size(); i++) {
            incoming.set((int) state.from() + i, state.records().get(i));
        }
    }

    @Override
    public void receive(PairMessage.Records records) {
        for (Object record : (List<?>) records.records()) {
            incoming.add((Entry) record);
        }
    }

    @Override
    public void complete(long end) {
        whenComplete.run();
    }

    @Override
    public void dropReceived() {
        incoming.clear();
    }

    /** What was received takes the place of this log, between two lives. */
    void replace() {
        List<Entry> come = List.copyOf(incoming);
        entries.clear();
        starts = EpochStarts.NONE;
        storeId = incomingId;
        kept = 0;
        for (Entry entry : come) {
            entries.add(new Entry(entry.id(), entry.epoch(), (hash(end()) + entry.id() * 31 + entry.epoch()) * MIX));
        }
        starts = incomingStarts.cutBack(end());
        for (int i = (int) incomingCheckpoint; i < come.size(); i++) {
            starts = come.get(i).epoch() > starts.last()
                    ? starts.with(come.get(i).epoch(), i)
                    : starts;
        }
        kept = Math.min(incomingCheckpoint, end());
        forced = end();
        incoming.clear();
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
        kept = Math.min(kept, position);
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
        kept = 0;
        cutBack(0);
        storeId = new UUID(random.nextLong(), random.nextLong()).toString();
    }

    /** At the start of a process. */
    void recover() {
        incoming.clear();
        forced = end();
    }
}
