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
    private final AtomicLong end;
    private volatile long durable;
    private volatile long confirmed;
    private volatile boolean attended = true;
    private volatile @Nullable Commits commits;
    private volatile @Nullable String over;

    /**
     * @param end where the term begins, in the journal's count; all before it is durable
     * @param onAppended is called when there is more in the log
     * @param onDurable is called when more of it is durable
     */
    PairGate(long end, Runnable onAppended, Runnable onDurable) {
        this.end = new AtomicLong(end);
        this.durable = end;
        this.confirmed = end;
        this.onAppended = onAppended;
        this.onDurable = onDurable;
    }

    /** Makes the commits of the store; once. */
    Commits prepare(CommitSetup setup) {
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
    public void appended(long newEnd) {
        if (end.getAndAccumulate(newEnd, Math::max) < newEnd) {
            onAppended.run();
        }
    }

    @Override
    public void durable(long newDurable) {
        appended(newDurable); // who forces may be quicker than who appends; durable is never more than there is
        durable = newDurable;
        onDurable.run();
    }

    /** Everything before that position may be acknowledged. */
    void confirm(long position) {
        if (over == null && position > confirmed) {
            confirmed = position;
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
