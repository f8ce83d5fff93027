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
    private final Runnable onAppended;
    private final Runnable onDurable;
    private final StandbyLag lag;
    private final AtomicLong end;
    private volatile long durable;
    private volatile long confirmed;
    private volatile boolean attended = true;
    private volatile @Nullable Commits commits;
    private volatile @Nullable String over;

    /**
     * @param end where the term begins, in the journal's count; all before it is durable
     * @param lag hears of all, too
     * @param onAppended is called when there is more in the log
     * @param onDurable is called when more of it is durable
     */
    PairGate(long end, StandbyLag lag, Runnable onAppended, Runnable onDurable) {
        this.end = new AtomicLong(end);
        this.durable = end;
        this.confirmed = end;
        this.lag = lag;
        this.onAppended = onAppended;
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

    @Override
    public void appended(long newEnd, long last) {
        lag.appended(LogPositions.ofJournal(newEnd), last);
        reached(newEnd);
    }

    private void reached(long newEnd) {
        if (end.getAndAccumulate(newEnd, Math::max) < newEnd) {
            onAppended.run();
        }
    }

    @Override
    public void durable(long newDurable) {
        lag.durable(LogPositions.ofJournal(newDurable));
        reached(newDurable); // who forces may be quicker than who appends; durable is never more than there is
        durable = newDurable;
        onDurable.run();
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
