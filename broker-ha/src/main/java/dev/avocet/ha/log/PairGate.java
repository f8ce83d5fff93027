package dev.avocet.ha.log;

import dev.avocet.core.journal.CommitGate;
import dev.avocet.core.journal.commit.CommitSetup;
import dev.avocet.core.journal.commit.Commits;
import dev.avocet.core.journal.commit.GroupCommit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the commits of the active node wait for, in one term: the pair lets through what all in sync have. Told by the
 * threads of the journal, raised by the thread of the pair.
 */
final class PairGate implements CommitGate {
    private final MemberLog.Listener listener;
    private final Runnable onDurable;
    private final StandbyLag lag;
    private final RecentRecords recent;
    private final AtomicLong end;
    private volatile long durable;
    private volatile long confirmed;
    private volatile long awaited = Long.MAX_VALUE;
    private volatile boolean attended = true;
    private volatile @Nullable Commits commits;
    private volatile @Nullable String over;

    /**
     * @param end where the term begins, in the journal's count; all before it is durable
     * @param lag hears of all, too
     * @param listener hears that there is more in the log, and that more is durable of what is
     *     {@linkplain #awaits awaited}
     * @param onDurable is called when more is durable
     */
    PairGate(long end, StandbyLag lag, MemberLog.Listener listener, Runnable onDurable) {
        this.end = new AtomicLong(end);
        this.durable = end;
        this.confirmed = end;
        this.lag = lag;
        recent = new RecentRecords(LogPositions.ofJournal(end), RecentBlocks.usualLimitBytes());
        this.listener = listener;
        this.onDurable = onDurable;
    }

    /** Makes the commits of the store; once. */
    Commits prepare(CommitSetup setup) {
        lag.begins(setup.nextSequence() - 1);
        Commits made = new GroupCommit(setup, this);
        commits = made;
        String why = over;
        if (why != null) {
            made.abandon(why);
        }
        return made;
    }

    long end() {
        return end.get();
    }

    long durable() {
        return durable;
    }

    @Override
    public long confirmedPosition() {
        return confirmed;
    }

    @Override
    public boolean isAttended() {
        return attended;
    }

    void attended(boolean isAttended) {
        attended = isAttended;
    }

    /** What was appended lately. */
    RecentRecords recent() {
        return recent;
    }

    @Override
    public void appended(long position, byte[] record, int length) {
        recent.add(LogPositions.ofJournal(position), record, length);
    }

    @Override
    public void appended(long newEnd, long last) {
        lag.appended(LogPositions.ofJournal(newEnd), last);
        long unused = end.accumulateAndGet(newEnd, Math::max);
        recent.addedUpTo(LogPositions.ofJournal(newEnd));
        listener.onAppendedHere();
    }

    @Override
    public void durable(long newDurable) {
        lag.durable(LogPositions.ofJournal(newDurable));
        // Who forces may be quicker than who appends; durable is never more than there is.
        long unused = end.accumulateAndGet(newDurable, Math::max);
        long before = durable;
        durable = newDurable;
        onDurable.run();
        if (before < awaited) { // read after durable is written: the other half of awaits
            listener.onForced();
        }
    }

    /** What becomes durable beyond that position need not be told. The caller looks at {@link #durable} afterwards. */
    void awaits(long position) {
        awaited = position;
    }

    /** Everything before that position may be acknowledged. */
    void confirm(long position) {
        if (over == null && position > confirmed) {
            confirmed = position;
            lag.committed(LogPositions.ofJournal(position));
            Commits running = commits;
            if (running != null) {
                running.gateMoved();
            }
        }
    }

    /** Nothing more is acknowledged, from before this returns. */
    void close(String why) {
        over = why;
        Commits running = commits;
        if (running != null) {
            running.abandon(why);
        }
    }
}
