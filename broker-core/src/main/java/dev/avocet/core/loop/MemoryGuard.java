package dev.avocet.core.loop;

/**
 * Decides from the free share of the heap what the broker still does, so that it sheds load in steps instead of dying.
 * Written by the heap sampler, read on every path that allocates for longer than one message.
 */
public final class MemoryGuard {
    private final Thresholds thresholds;
    private volatile MemoryLevel level = MemoryLevel.NORMAL;
    /** What of the level each message asks for. */
    private volatile boolean buffersMessages = true;

    private volatile double freePercent = 100;
    private volatile boolean referencesFit = true;

    public MemoryGuard(Thresholds thresholds) {
        this.thresholds = thresholds;
    }

    /** A guard with the reference product's thresholds. */
    public MemoryGuard() {
        this(Thresholds.DEFAULT);
    }

    public MemoryLevel level() {
        return level;
    }

    /** The last sample: the free share of the heap, 0 to 100. */
    public double freePercent() {
        return freePercent;
    }

    /** True while there is memory for messages that wait nowhere else. */
    public boolean buffersMessages() {
        return buffersMessages;
    }

    /** True while there is memory for references to messages that wait on disk. */
    public boolean storesMessages() {
        return referencesFit && level != MemoryLevel.REFUSE_CLIENTS;
    }

    /**
     * True while stored messages find no memory, but not because of the references to them: what takes it is let go or
     * collected soon, so who publishes should rather wait than be refused.
     */
    public boolean isShortForNow() {
        return referencesFit && level == MemoryLevel.REFUSE_CLIENTS;
    }

    public boolean acceptsClients() {
        return level != MemoryLevel.REFUSE_CLIENTS;
    }

    public boolean keepsCaches() {
        return level == MemoryLevel.NORMAL;
    }

    /** The level at which so much is free, in percent. */
    public MemoryLevel levelAt(double freePercent) {
        return thresholds.level(freePercent);
    }

    /**
     * Sets the level from a sample.
     *
     * @param freePercent free share of the heap after a collection, 0 to 100
     * @return true when the level has changed
     */
    public boolean sample(double freePercent) {
        this.freePercent = freePercent;
        MemoryLevel next = thresholds.level(freePercent);
        boolean changed = next != level;
        level = next;
        buffersMessages = !next.refusesMessages();
        return changed;
    }

    /**
     * Sets whether the references to stored messages leave room for more of them.
     *
     * @return true when that has changed
     */
    public boolean referencesFit(boolean fit) {
        boolean changed = fit != referencesFit;
        referencesFit = fit;
        return changed;
    }

    /** The free shares, in percent, below which each level begins. */
    public record Thresholds(double shrinkCaches, double rejectMessages, double refuseClients) {
        public static final Thresholds DEFAULT = new Thresholds(50, 15, 10);

        public Thresholds {
            if (!(shrinkCaches >= rejectMessages && rejectMessages >= refuseClients && refuseClients >= 0)) {
                throw new IllegalArgumentException("memory thresholds must fall from shrinkCaches to refuseClients: "
                        + shrinkCaches + ", " + rejectMessages + ", " + refuseClients);
            }
        }

        MemoryLevel level(double freePercent) {
            if (freePercent < refuseClients) {
                return MemoryLevel.REFUSE_CLIENTS;
            }
            if (freePercent < rejectMessages) {
                return MemoryLevel.REJECT_MESSAGES;
            }
            return freePercent < shrinkCaches ? MemoryLevel.SHRINK_CACHES : MemoryLevel.NORMAL;
        }
    }
}
