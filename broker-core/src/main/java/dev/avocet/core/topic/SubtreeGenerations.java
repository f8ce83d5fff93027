package dev.avocet.core.topic;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.topic.level.Level;
import dev.avocet.core.topic.level.TopicHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the changes of a {@link TopicTree} by subtree, so that a route that was computed earlier can be trusted while
 * nothing that concerns it has changed, and subscribers that come and go elsewhere do not matter.
 *
 * <p>A change bumps exactly one counter: that of the filter's first two levels when both are concrete, that of the
 * first level when only that one is, and the root's when the first level is a wildcard. Every filter that matches a
 * topic therefore bumps one of three counters that follow from the topic's first two levels; their sum is the topic's
 * stamp. No counter ever falls, so the sum stays the same only while all three do. Levels share counters by hash: a
 * collision invalidates too much, never too little.
 *
 * <p>Why a stamp can be trusted across threads. A writer changes the tree (volatile writes), then bumps. A reader takes
 * the stamp, then walks the tree (volatile reads), then keeps both. All of these are synchronisation actions and fall
 * in one order. If the reader took its stamp after the bump, it walked after the change and found it. If it took the
 * stamp before the bump, the stamp is less than what anyone reads after the bump, so the route is not current for
 * a thread that learnt that the writer returned, whatever the walk found. The other way round, stamp after walk, would
 * label an old route with a new stamp for good.
 *
 * <p>The counters lie side by side and not a cache line apart: they are written at the rate of subscribing and read for
 * each message. What counts is that the readers' share of them stays in the cache: 64 KiB, where padding would make it
 * 512.
 *
 * <p>Any thread may call any method; nothing locks.
 */
public final class SubtreeGenerations {
    private static final int STRIPES = 4096;
    private static final int STRIPE_MASK = STRIPES - 1;

    /** Of no topic alone, for those whose stripes are not worth counting. */
    static final int EVERYTHING = -1;

    private final AtomicLong total = new AtomicLong();
    private final AtomicLong root = new AtomicLong();
    private final AtomicLongArray firstLevel = new AtomicLongArray(STRIPES);
    private final AtomicLongArray secondLevel = new AtomicLongArray(STRIPES);

    /** Says that what subscribed with this filter has changed. Call it after the change can be seen, never before. */
    public void bump(TopicFilter filter) {
        List<String> levels = filter.levels();
        byte[] utf8 = filter.text().getBytes(StandardCharsets.UTF_8);
        total.incrementAndGet();
        if (isWildcard(levels.get(0))) {
            root.incrementAndGet();
        } else if (levels.size() == 1 || isWildcard(levels.get(1))) {
            firstLevel.incrementAndGet(firstStripe(stripes(utf8)));
        } else {
            secondLevel.incrementAndGet(secondStripe(stripes(utf8)));
        }
    }

    /** The topic's stamp. Read it before walking the tree. */
    public long stamp(TopicName topic) {
        return stamp(stripes(topic.utf8()));
    }

    /** A stamp that any change makes old, whatever topics it concerns. Read it before walking the tree. */
    long total() {
        return total.get();
    }

    /** The stamp of every topic that these stripes belong to: three volatile reads, or one of {@link #EVERYTHING}. */
    long stamp(int stripes) {
        if (stripes == EVERYTHING) {
            return total();
        }
        return root.get() + firstLevel.get(firstStripe(stripes)) + secondLevel.get(secondStripe(stripes));
    }

    /**
     * Which counters belong to the first two levels of a name or filter. A missing second level counts as an empty one.
     */
    static int stripes(byte[] utf8) {
        int firstEnd = Level.end(utf8, 0);
        int secondFrom = Math.min(firstEnd + 1, utf8.length);
        int first = TopicHash.UNSEEDED.hash(utf8, 0, firstEnd);
        int second = 31 * first + TopicHash.UNSEEDED.hash(utf8, secondFrom, Level.end(utf8, secondFrom) - secondFrom);
        return spread(first) << 16 | spread(second);
    }

    private static int firstStripe(int stripes) {
        return stripes >>> 16;
    }

    private static int secondStripe(int stripes) {
        return stripes & STRIPE_MASK;
    }

    private static int spread(int hash) {
        int mixed = hash * 0x9E3779B9;
        return (mixed >>> 20) & STRIPE_MASK;
    }

    private static boolean isWildcard(String level) {
        return level.equals("+") || level.equals("#");
    }
}
