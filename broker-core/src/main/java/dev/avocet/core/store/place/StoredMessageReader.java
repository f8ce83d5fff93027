package dev.avocet.core.store.place;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.QueueStore.Fetched;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads messages back that queues hold on disk only, on the thread {@code store-reader}; the answers come on the loops
 * that asked.
 *
 * <p>What waits is bounded by who asks: a queue asks for a bounded number of messages, and again only once it has them.
 */
public final class StoredMessageReader {
    private static final Logger LOG = LoggerFactory.getLogger(StoredMessageReader.class);

    private final MessageReads reads;
    private final SegmentTable segments;
    private final Consumer<? super Throwable> onFailure;
    private final Executor thread;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean failed = new AtomicBoolean();

    /**
     * @param reads becomes the reader thread's
     * @param onFailure hears of the first message that cannot be read, after which nothing in the store is to be
     *     trusted
     * @param thread reads
     */
    public StoredMessageReader(
            MessageReads reads, SegmentTable segments, Consumer<? super Throwable> onFailure, Executor thread) {
        this.reads = reads;
        this.segments = segments;
        this.onFailure = onFailure;
        this.thread = thread;
    }

    /**
     * As {@link dev.avocet.core.queue.reference.QueueStore#fetch}. Once the thread has ended there are no answers any
     * more.
     */
    public void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {
        waiting.incrementAndGet();
        thread.execute(() -> {
            waiting.decrementAndGet();
            answer(positions, storedBytes, count, loop, then);
        });
    }

    /** Requests that wait for the thread. Any thread. */
    public int waitingRequests() {
        return waiting.get();
    }

    /** What it reads with, and which counts. */
    public MessageReads reads() {
        return reads;
    }

    private void answer(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {
        @Nullable StoredMessage[] messages = new StoredMessage[count];
        Set<Long> damaged = new HashSet<>(0);
        try {
            reads.read(positions, storedBytes, count, messages, (position, cause) -> {
                if (isDamage(position, cause)) {
                    damaged.add(position);
                } else {
                    onFailure(position, cause);
                }
            });
        } catch (RuntimeException | Error e) { // the loop still gets its answer, and the thread goes on for the others
            LOG.error("A mistake while messages were read back", e);
            fail("messages cannot be read back", e);
        }
        try {
            loop.execute(() -> then.onFetched(withDamaged(positions, messages, damaged)));
        } catch (RejectedExecutionException e) {
            LOG.debug("Loop {} has ended and wants no messages any more", loop.index());
        }
    }

    /** Where nothing in the segment is alive, it was dropped meanwhile. */
    private boolean isDamage(long position, JournalException cause) {
        return cause instanceof DamagedMessageException && segments.live(segments.segmentOf(position)) > 0;
    }

    private static @Nullable Message[] withDamaged(
            long[] positions, @Nullable StoredMessage[] messages, Set<Long> damaged) {
        if (damaged.isEmpty()) {
            return messages;
        }
        @Nullable Message[] all = Arrays.copyOf(messages, messages.length, Message[].class);
        for (int i = 0; i < all.length; i++) {
            if (all[i] == null && damaged.contains(positions[i])) {
                all[i] = QueueStore.DAMAGED;
            }
        }
        return all;
    }

    /** Fatal, unless nothing in the segment is alive: then it was dropped after the request. */
    private void onFailure(long position, JournalException cause) {
        if (segments.live(segments.segmentOf(position)) == 0) {
            LOG.warn("The message at {} was over before it could be read back", Position.show(position));
        } else {
            fail("the message at " + Position.show(position) + " cannot be read back", cause);
        }
    }

    private void fail(String what, Throwable cause) {
        if (failed.compareAndSet(false, true)) {
            onFailure.accept(new JournalException(
                    what + ": " + cause.getMessage()
                            + ". 'broker-admin store verify' finds what else is damaged, and 'repair' goes on without it",
                    cause));
        }
    }
}
