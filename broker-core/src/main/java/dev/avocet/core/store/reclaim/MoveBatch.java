package dev.avocet.core.store.reclaim;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.StoredMessage;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages that one loop is asked to write again in one task. */
final class MoveBatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(MoveBatch.class);

    private final IoLoop loop;
    private final List<Survivor> survivors;
    private final @Nullable StoredMessage[] messages;
    private final Consumer<MoveBatch> whenDone;
    private final AtomicInteger left;
    private final long bytes;

    /** @param whenDone hears, on any thread, that all have moved */
    MoveBatch(IoLoop loop, List<Survivor> survivors, @Nullable StoredMessage[] messages, Consumer<MoveBatch> whenDone) {
        this.loop = loop;
        this.survivors = survivors;
        this.messages = messages;
        this.whenDone = whenDone;
        left = new AtomicInteger(survivors.size());
        bytes = survivors.stream().mapToLong(Survivor::storedBytes).sum();
    }

    IoLoop loop() {
        return loop;
    }

    int size() {
        return survivors.size();
    }

    long bytes() {
        return bytes;
    }

    /** On the loop. */
    @Override
    public void run() {
        for (int i = 0; i < messages.length; i++) {
            StoredMessage message = messages[i];
            move(survivors.get(i), message);
        }
    }

    private void move(Survivor survivor, @Nullable StoredMessage message) {
        try {
            if (message == null) {
                survivor.holder().giveUp(survivor, this::done);
            } else {
                survivor.holder().move(survivor, message, this::done);
            }
        } catch (RuntimeException e) { // the segment stays as it is, and is tried again
            LOG.error("A message could not be moved", e);
            done();
        }
    }

    private void done() {
        if (left.decrementAndGet() == 0) {
            whenDone.accept(this);
        }
    }
}
