package dev.avocet.ha.role;

import dev.avocet.core.time.Clock;
import dev.avocet.ha.coordination.Register;

/** What both roles of a node look at. Thread of the pair. */
final class PairState {
    static final long NO_LINK = 0;

    PairSettings settings;
    final SafetyRules rules;
    final PairLog log;
    final PairPort port;
    final RegisterWrites register;
    private final Clock clock;

    /** The link to the partner, or {@link #NO_LINK}. */
    long link = NO_LINK;

    /** The latest epoch that this node has heard of from its partner. */
    private long latestEpoch;

    /** Everything before it was committed, as far as this node has heard. */
    private long committed;

    private long requests;

    PairState(PairSettings settings, SafetyRules rules, Clock clock, PairLog log, PairPort port) {
        this.settings = settings;
        this.rules = rules;
        this.clock = clock;
        this.log = log;
        this.port = port;
        this.committed = log.committed();
        this.register = new RegisterWrites(port, rules, settings.retry().toNanos());
    }

    long nextRequest() {
        return ++requests;
    }

    long nowNs() {
        return clock.nanoTime();
    }

    String self() {
        return settings.self();
    }

    String partner() {
        return settings.partner();
    }

    Register known() {
        return register.known();
    }

    /** The latest epoch that this node knows of: by hearsay, by the register, or as it has records of it. */
    long latestEpoch() {
        return Math.max(
                Math.max(latestEpoch, log.starts().last()), register.known().epoch());
    }

    void heardOf(long epoch) {
        latestEpoch = Math.max(latestEpoch, epoch);
    }

    long committed() {
        return committed;
    }

    void committedUpTo(long position) {
        committed = Math.max(committed, position);
    }

    /** @param synced whether a leader has told this life where to go on */
    boolean mayPromote(boolean synced) {
        boolean ledLast = known().leader().equals(self());
        return rules.mayPromote(known(), self(), log.storeId())
                && rules.hasWhatItConfirmed(settings.confirmsInMemory(), synced, ledLast);
    }

    boolean mayAttempt() {
        return rules.mayAttempt(log.forced(), log.end(), settings.confirmsInMemory());
    }

    /** Up to where a follower confirms. */
    long confirmable() {
        return rules.confirmable(log.forced(), log.end(), settings.confirmsInMemory());
    }

    void send(PairMessage message) {
        if (link != NO_LINK) {
            port.send(link, message);
        }
    }
}
