package dev.avocet.core.topic;

/**
 * Whether a publisher looks for its topics among those that its loop remembers. A look that finds nothing costs about
 * half of what one saves that finds a route, as it fetches a part of a table that is not in the processor's caches any
 * more. So a publisher whose topics are too many to be remembered looks for one in {@value #SELDOM} of them, until some
 * are found.
 *
 * <p>Owned by the publisher's loop.
 */
public final class RouteLooks {
    static final int SELDOM = 16;
    private static final int WORTH_OF_FOUND = 2;
    private static final int WORTH_MAX = 64;

    private int worth = WORTH_MAX;
    private int passedOver;

    /** Whether to look for the next topic; what it comes to is told by {@link #found} or {@link #missed}. */
    public boolean isWorthIt() {
        if (worth > 0) {
            return true;
        }
        passedOver = (passedOver + 1) % SELDOM;
        return passedOver == 0;
    }

    /** The loop remembers the topic. */
    public void found() {
        worth = Math.min(WORTH_MAX, worth + WORTH_OF_FOUND);
    }

    /** The loop does not remember the topic. */
    public void missed() {
        worth = Math.max(0, worth - 1);
    }
}
