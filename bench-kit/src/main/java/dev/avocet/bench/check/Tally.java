package dev.avocet.bench.check;

/**
 * The account of a whole run.
 *
 * @param sent messages, each once
 * @param expected how many arrivals they should make, with every receiver that wants a copy
 * @param received arrivals, with duplicates and damaged ones
 */
public record Tally(long sent, long expected, long received, long duplicates, long outOfOrder, long corrupt) {
    public static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0);

    /** Arrivals that did not happen; a damaged message has arrived. */
    public long lost() {
        return Math.max(0, expected - (received - duplicates));
    }

    /**
     * The same without arrivals that did not happen and need not have.
     *
     * @param arrivals of messages of which it is unknown whether the server had them
     */
    public Tally without(long arrivals) {
        return new Tally(sent, expected - arrivals, received, duplicates, outOfOrder, corrupt);
    }

    /** Both accounts as one. */
    public Tally plus(Tally other) {
        return new Tally(
                sent + other.sent,
                expected + other.expected,
                received + other.received,
                duplicates + other.duplicates,
                outOfOrder + other.outOfOrder,
                corrupt + other.corrupt);
    }

    /** With what a thread's receivers have received. */
    public Tally plus(ReceiverAccount.Figures figures) {
        return new Tally(
                sent,
                expected,
                received + figures.received(),
                duplicates + figures.duplicates(),
                outOfOrder + figures.outOfOrder(),
                corrupt + figures.corrupt());
    }

    /** With what a sender has sent. */
    public Tally plusSent(long messages, long copies) {
        return new Tally(sent + messages, expected + messages * copies, received, duplicates, outOfOrder, corrupt);
    }
}
