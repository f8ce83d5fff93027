package dev.avocet.ha.role;

import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.Register;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of the register, and its one open attempt to change it. An attempt is repeated until it is known
 * what has become of it: a value of its revision or a later one is there. Thread of the pair.
 */
final class RegisterWrites {
    private final PairPort port;
    private final SafetyRules rules;
    private final long retryNs;

    private Register known = Register.NONE;
    private boolean isKnown;
    private @Nullable Register expected;
    private @Nullable Register attempted;
    private long askedNs;

    RegisterWrites(PairPort port, SafetyRules rules, long retryNs) {
        this.port = port;
        this.rules = rules;
        this.retryNs = retryNs;
    }

    Register known() {
        return known;
    }

    /** Whether the register was ever read. */
    boolean isKnown() {
        return isKnown;
    }

    /** The value that may get there, or may be there already. */
    @Nullable Register attempted() {
        return attempted;
    }

    void read(long nowNs) {
        askedNs = nowNs;
        port.readRegister();
    }

    /** Reads it, unless it was asked for a moment ago. */
    void readAgain(long nowNs) {
        if (nowNs - askedNs >= retryNs) {
            read(nowNs);
        }
    }

    void attempt(Register next, long nowNs) {
        assert attempted == null;
        expected = known;
        attempted = next;
        askedNs = nowNs;
        port.writeRegister(known, next);
    }

    /** Asks again for what is not known yet. */
    void tick(long nowNs) {
        if (nowNs - askedNs < retryNs) {
            return;
        }
        if (attempted != null && expected != null) {
            askedNs = nowNs;
            port.writeRegister(expected, attempted);
        } else if (!isKnown) {
            read(nowNs);
        }
    }

    /** A value that was in the register; returns the attempt if it has succeeded, or {@code null}. */
    @Nullable Register seen(Register value) {
        isKnown = true;
        if (value.revision() > known.revision()) {
            known = value;
        }
        Register open = attempted;
        if (open == null || value.revision() < open.revision()) {
            return null;
        }
        attempted = null;
        expected = null;
        return value.equals(open) ? open : null;
    }

    /** What the coordinator has answered to the attempt to write {@code next}. */
    @Nullable Register answered(CasResult result) {
        return seen(result.current());
    }

    /** The coordinator has not answered. */
    void unanswered(Register next) {
        if (next.equals(attempted) && rules.isOver(false)) {
            attempted = null;
            expected = null;
        }
    }
}
