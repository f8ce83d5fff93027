package dev.avocet.protection;

import dev.avocet.protection.ProtectionException.Reason;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Remembers which sealed messages have come, so that none is taken twice. It holds one bit for each number of a
 * sender's run, in pages; the page that was not touched for longest goes when there are {@value #PAGES_MAX} of them (8
 * MiB). From then on all numbers up to the highest one that was seen in it are refused, since whether they came before
 * is not known any more; higher ones cannot have come. That is remembered of {@value #STREAMS_MAX} runs. Thread-safe.
 *
 * <p>A broker that was killed, or a connection that was lost, may deliver again what a receiver had and had not
 * acknowledged, and not know that it does. So {@link #forgive} lets the last {@value #RECENT_MAX} messages come once
 * more.
 */
public final class ReplayGuard {
    private static final int PAGES_MAX = 16_384;
    private static final int PAGE_BITS = 4_096;
    private static final int STREAMS_MAX = 100_000;
    private static final int RECENT_MAX = 16_384;

    private final int pagesMax;
    /** In the order in which they were touched, the longest ago first. */
    private final Map<PageKey, long[]> pages = new LinkedHashMap<>(16, 0.75f, true);
    /** Of streams that have lost pages, the number below which nothing is known, and above which nothing came. */
    private final Map<StreamId, Long> forgotten = new LinkedHashMap<>();
    /** What was taken last, the longest ago first. */
    private final Deque<Taken> recent = new ArrayDeque<>();
    /** What may come once more. */
    private final Set<Taken> forgiven = new HashSet<>();

    public ReplayGuard() {
        this(PAGES_MAX);
    }

    ReplayGuard(int pagesMax) {
        this.pagesMax = pagesMax;
    }

    private record PageKey(StreamId stream, long page) {}

    private record Taken(StreamId stream, long sequence) {}

    /** The connection was lost on which messages came: those that came last may come once more. */
    public synchronized void forgive() {
        forgiven.clear();
        forgiven.addAll(recent);
        recent.clear();
    }

    /**
     * Takes note of a message.
     *
     * @param redelivered whether the broker says that it was delivered before: then it may have been seen
     * @throws ProtectionException when it was seen, or that cannot be told any more
     */
    synchronized void take(StreamId stream, long sequence, boolean redelivered) throws ProtectionException {
        long page = sequence / PAGE_BITS;
        PageKey key = new PageKey(stream, page);
        long[] bits = pages.get(key);
        if (bits == null) {
            if (!redelivered && sequence < forgotten.getOrDefault(stream, 0L)) {
                throw new ProtectionException(
                        Reason.REPLAYED,
                        "message " + sequence + " of its sender is so late that it may have been seen before");
            }
            bits = newPage(key, forgotten.getOrDefault(stream, 0L));
        }
        int bit = (int) (sequence % PAGE_BITS);
        long mask = 1L << bit;
        Taken taken = new Taken(stream, sequence);
        boolean mayComeAgain = forgiven.remove(taken) || redelivered;
        if ((bits[bit / Long.SIZE] & mask) != 0 && !mayComeAgain) {
            throw new ProtectionException(
                    Reason.REPLAYED, "message " + sequence + " of its sender was seen before: this is a copy");
        }
        bits[bit / Long.SIZE] |= mask;
        if (recent.size() >= RECENT_MAX) {
            recent.remove();
        }
        recent.add(taken);
    }

    /** @param known the number below which all count as seen */
    private long[] newPage(PageKey key, long known) {
        if (pages.size() >= pagesMax) {
            dropEldest();
        }
        long[] bits = new long[PAGE_BITS / Long.SIZE];
        BitSet seen = new BitSet(PAGE_BITS);
        seen.set(0, (int) Math.max(0, Math.min(PAGE_BITS, known - key.page() * PAGE_BITS)));
        long[] used = seen.toLongArray();
        System.arraycopy(used, 0, bits, 0, used.length);
        pages.put(key, bits);
        return bits;
    }

    private void dropEldest() {
        Iterator<Map.Entry<PageKey, long[]>> eldest = pages.entrySet().iterator();
        Map.Entry<PageKey, long[]> gone = eldest.next();
        eldest.remove();
        PageKey page = gone.getKey();
        long aboveHighest =
                page.page() * PAGE_BITS + BitSet.valueOf(gone.getValue()).length();
        forgotten.merge(page.stream(), aboveHighest, Math::max);
        if (forgotten.size() > STREAMS_MAX) {
            forgotten.keySet().remove(forgotten.keySet().iterator().next());
        }
    }
}
