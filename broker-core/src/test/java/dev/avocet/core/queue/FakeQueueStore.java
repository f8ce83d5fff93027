package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReferencePages;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory for one queue. It checks what the queue tells it: every reference is over exactly once, and at the
 * place where its message lies. Messages are read back when the test says so.
 */
final class FakeQueueStore implements QueueStore {
    static final long QUEUE_ID = 42;
    private static final int PER_SEGMENT = 16;

    /** What is asked for each time; answers whether memory is left. */
    private final IntPredicate memory;

    private final Map<Long, Message> messages = new HashMap<>();
    /** References that are written and not over, and where they lie. */
    final TreeMap<Long, Long> live = new TreeMap<>();

    /** What was written again, and for which reference, as long as it does not lie there. */
    final TreeMap<Long, Long> copies = new TreeMap<>();

    /** How often what is written was delivered and not settled. */
    final Map<Long, Integer> delivered = new TreeMap<>();

    final Deque<Runnable> reads = new ArrayDeque<>();
    long keptBytes;
    int acknowledged;
    int abandoned;
    int fetched;
    int lost;
    int largestFetch;
    private long written;
    private boolean failing;
    private final Set<Long> damaged = new HashSet<>();

    private @Nullable ReferencePages pages;

    FakeQueueStore(IntPredicate memory) {
        this.memory = memory;
    }

    /** References that the heap has no room for go there. */
    void pages(ReferencePages present) {
        pages = present;
    }

    @Override
    public @Nullable ReferencePages pages() {
        return pages;
    }

    /** One that never grants memory. */
    static FakeQueueStore onDiskOnly() {
        return new FakeQueueStore(sizeBytes -> false);
    }

    /** Writes a message for the one reference to it; returns its position. */
    long write(Message message, long reference) {
        long position = write(message);
        assertThat(live.put(reference, position)).as("number given out twice").isNull();
        return position;
    }

    /** Writes a message again, at the end, for a queue that says which of the two places may go. */
    long move(long reference) {
        return copy(messages.get(live.get(reference)), reference);
    }

    /** Writes a message again for a reference that may be over. */
    long copy(Message message, long reference) {
        long position = write(message);
        copies.put(position, reference);
        return position;
    }

    Message at(long position) {
        return messages.get(position);
    }

    static int storedBytes(Message message) {
        return message.payload().length + 20;
    }

    /** From now on nothing can be read. */
    void fail() {
        failing = true;
    }

    /** The message of this reference cannot be read any more. */
    void damage(long reference) {
        damaged.add(live.get(reference));
    }

    boolean answerOne() {
        Runnable read = reads.poll();
        if (read != null) {
            read.run();
        }
        return read != null;
    }

    @Override
    public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {
        assertThat(caller.inLoop()).as("caller's loop").isTrue();
        assertThat(queueId).isEqualTo(QUEUE_ID);
        assertThat(live.remove(reference))
                .as("place of reference %d", reference)
                .isEqualTo(position);
        assertThat(storedBytes).isEqualTo(storedBytes(messages.remove(position)));
        acknowledged++;
    }

    @Override
    public void delivered(long queueId, int count, long[] references, IoLoop caller) {
        assertThat(caller.inLoop()).as("caller's loop").isTrue();
        assertThat(queueId).isEqualTo(QUEUE_ID);
        for (long reference : references) {
            assertThat(live).containsKey(reference);
            delivered.merge(reference, count, Math::max);
        }
    }

    @Override
    public void abandoned(long position, int storedBytes) {
        assertThat(storedBytes).isEqualTo(storedBytes(messages.remove(position)));
        if (copies.remove(position) != null) {
            return;
        }
        Map.Entry<Long, Long> its = live.entrySet().stream()
                .filter(entry -> entry.getValue() == position)
                .findFirst()
                .orElseThrow(() -> new AssertionError("abandoned once"));
        Long copy = copies.descendingMap().entrySet().stream()
                .filter(entry -> entry.getValue().equals(its.getKey()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
        if (copy == null) {
            live.remove(its.getKey());
            abandoned++;
        } else {
            copies.remove(copy);
            its.setValue(copy);
        }
    }

    @Override
    public void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {
        assertThat(loop.inLoop()).isTrue();
        assertThat(count).isPositive();
        for (int i = 0; i < count; i++) {
            assertThat(storedBytes[i]).isEqualTo(storedBytes(messages.get(positions[i])));
        }
        fetched += count;
        largestFetch = Math.max(largestFetch, count);
        reads.add(() -> {
            @Nullable Message[] found = new Message[count];
            for (int i = 0; i < count && !failing; i++) {
                found[i] = damaged.contains(positions[i]) ? DAMAGED : messages.get(positions[i]);
                positions[i] = -1; // they were ours
            }
            loop.execute(() -> then.onFetched(found));
        });
    }

    @Override
    public void lost(String queue, long position) {
        assertThat(damaged).contains(position);
        lost++;
    }

    @Override
    public boolean keepInMemory(int sizeBytes) {
        boolean keep = memory.test(sizeBytes);
        keptBytes += keep ? sizeBytes : 0;
        return keep;
    }

    @Override
    public void letGo(int sizeBytes) {
        keptBytes -= sizeBytes;
        assertThat(keptBytes).as("memory kept").isNotNegative();
    }

    private long write(Message message) {
        long position = FilePlace.of((int) (1 + written / PER_SEGMENT), written % PER_SEGMENT * 100);
        written++;
        messages.put(position, message);
        return position;
    }
}
