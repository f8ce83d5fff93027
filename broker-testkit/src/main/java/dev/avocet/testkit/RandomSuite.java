package dev.avocet.testkit;

import java.util.stream.LongStream;

/**
 * How long a suite of random plays is, and with which seeds it plays. An ordinary build plays a tenth, from the seed on
 * that {@value #FIRST_SEED} names: CI takes it from the commit, so each commit plays others and the same commit plays
 * the same. The profile {@code nightly} plays all of them.
 *
 * <p>A suite names the seed that fails; {@code -Davocet.random.first=SEED} begins with it.
 */
public final class RandomSuite {
    private static final String FIRST_SEED = "avocet.random.first";
    private static final String WHOLE = "avocet.random.whole";
    private static final int SHARE = 10;

    private RandomSuite() {}

    /** The seeds of this build's share of a suite that has so many plays. */
    public static long[] seeds(final int plays) {
        return from(share(plays));
    }

    /** The seeds of a suite that names both lengths itself: in an ordinary build, and as a whole. */
    public static long[] seeds(final int ordinary, final int plays) {
        return from(Boolean.getBoolean(WHOLE) ? plays : ordinary);
    }

    private static long[] from(final int count) {
        final long first = Long.getLong(FIRST_SEED, 0);
        return LongStream.range(first, first + count).toArray();
    }

    /** This build's share of so many plays, at least one. */
    public static int share(final int plays) {
        return Boolean.getBoolean(WHOLE) ? plays : Math.max(1, plays / SHARE);
    }
}
