package dev.avocet.testkit;

import java.util.List;
import java.util.stream.IntStream;
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
        return from(isWhole() ? plays : ordinary);
    }

    private static long[] from(final int count) {
        final long first = firstSeed();
        return LongStream.range(first, first + count).toArray();
    }

    /**
     * This build's share of what is tried in the same way with each of a list: one of so many, and which ones the first
     * seed says. So many builds with consecutive seeds try all.
     */
    public static <T> List<T> oneOf(final int many, final List<T> list) {
        return isWhole() ? list : oneOf(many, list, firstSeed());
    }

    static <T> List<T> oneOf(final int many, final List<T> list, final long seed) {
        final int first = Math.floorMod(seed, many);
        return IntStream.range(0, list.size())
                .filter(at -> at % many == first)
                .mapToObj(list::get)
                .toList();
    }

    /** The seed with which this build begins; the same commit has the same in {@code .ci/run}. */
    public static long firstSeed() {
        return Long.getLong(FIRST_SEED, 0);
    }

    /** Whether this build plays the whole of each suite. */
    public static boolean isWhole() {
        return Boolean.getBoolean(WHOLE);
    }

    /** This build's share of so many plays, at least one. */
    public static int share(final int plays) {
        return isWhole() ? plays : Math.max(1, plays / SHARE);
    }
}
