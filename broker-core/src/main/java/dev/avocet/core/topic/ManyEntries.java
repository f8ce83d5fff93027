package dev.avocet.core.topic;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * More than {@value FewEntries#MAX} entries: an array of buckets, found by identity hash. A change copies one bucket
 * and the array of buckets, so it costs a few hundred references where one flat array of 10,000 entries would cost all
 * of them.
 */
final class ManyEntries<S> implements EntrySet<S> {
    /** Average entries in a bucket above which their number doubles. */
    private static final int GROW_AT = 32;

    /** Average entries in a bucket below which their number halves. */
    private static final int SHRINK_AT = 8;

    private static final int BUCKETS_MIN = 2;

    /** Well below the size at which this kind is made, so that a node at the border does not switch back and forth. */
    private static final int FEW_AT = FewEntries.MAX / 2;

    private static final Object[] EMPTY = {};

    private final Object[][] buckets;
    private final int size;

    private ManyEntries(Object[][] buckets, int size) {
        this.buckets = buckets;
        this.size = size;
    }

    static <S> EntrySet<S> of(Object[] entries, Object another) {
        Object[][] buckets = emptyBuckets(BUCKETS_MIN);
        for (Object entry : entries) {
            put(buckets, entry);
        }
        put(buckets, another);
        return new ManyEntries<>(buckets, entries.length + 1);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean contains(S entry) {
        return FewEntries.indexOf(buckets[bucketOf(buckets, entry)], entry) >= 0;
    }

    @Override
    public EntrySet<S> with(S entry) {
        Object[][] changed = size >= buckets.length * GROW_AT ? rehashed(buckets.length * 2) : buckets.clone();
        put(changed, entry);
        return new ManyEntries<>(changed, size + 1);
    }

    @Override
    public EntrySet<S> without(S entry) {
        boolean shrink = buckets.length > BUCKETS_MIN && size <= buckets.length * SHRINK_AT;
        Object[][] changed = shrink ? rehashed(buckets.length / 2) : buckets.clone();
        int bucket = bucketOf(changed, entry);
        changed[bucket] = FewEntries.removed(changed[bucket], entry);
        return size - 1 <= FEW_AT ? new FewEntries<>(flat(changed, size - 1)) : new ManyEntries<>(changed, size - 1);
    }

    @Override
    public void forEach(Consumer<? super S> visitor) {
        for (Object[] bucket : buckets) {
            for (Object entry : bucket) {
                visitor.accept(typed(entry));
            }
        }
    }

    @SuppressWarnings("unchecked") // only entries of type S are ever put in
    private S typed(Object entry) {
        return (S) entry;
    }

    private Object[][] rehashed(int bucketCount) {
        Object[][] fresh = emptyBuckets(bucketCount);
        for (Object[] bucket : buckets) {
            for (Object entry : bucket) {
                put(fresh, entry);
            }
        }
        return fresh;
    }

    private static Object[][] emptyBuckets(int bucketCount) {
        Object[][] buckets = new Object[bucketCount][];
        Arrays.fill(buckets, EMPTY);
        return buckets;
    }

    private static void put(Object[][] buckets, Object entry) {
        int bucket = bucketOf(buckets, entry);
        buckets[bucket] = FewEntries.append(buckets[bucket], entry);
    }

    private static int bucketOf(Object[][] buckets, Object entry) {
        int hash = System.identityHashCode(entry);
        return (hash ^ (hash >>> 16)) & (buckets.length - 1);
    }

    private static Object[] flat(Object[][] buckets, int size) {
        Object[] all = new Object[size];
        int at = 0;
        for (Object[] bucket : buckets) {
            System.arraycopy(bucket, 0, all, at, bucket.length);
            at += bucket.length;
        }
        return all;
    }
}
