package dev.avocet.bench.run;

/**
 * Which of a workload's clients are one party's: of all that are numbered from 0, each {@code count}-th from
 * {@code index} on. The shares of all parties are the workload, each client once.
 *
 * @param sends whether the senders of the share are its own too
 * @param receives whether the receivers of the share are its own too
 */
public record Share(int index, int count, boolean sends, boolean receives) {
    public static final Share WHOLE = new Share(0, 1, true, true);

    public Share {
        if (count < 1 || index < 0 || index >= count) {
            throw new IllegalArgumentException("share " + index + " of " + count + " does not exist");
        }
    }

    public boolean hasSender(int number) {
        return sends && number % count == index;
    }

    public boolean hasReceiver(int number) {
        return receives && number % count == index;
    }

    /** How many of so many senders those parties have that come before this one. */
    public int sendersBefore(int senders) {
        int before = 0;
        for (int party = 0; party < index; party++) {
            before += (senders - party + count - 1) / count;
        }
        return before;
    }
}
