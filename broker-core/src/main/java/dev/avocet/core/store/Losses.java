package dev.avocet.core.store;

import dev.avocet.core.journal.Position;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages that were stored and cannot be delivered, as the disk has damaged them. Any thread. */
final class Losses {
    private static final Logger LOG = LoggerFactory.getLogger(Losses.class);

    private final LongAdder count = new LongAdder();

    /** @param whose for people: a queue, or a topic's retained message */
    void add(String whose, long position) {
        count.increment();
        LOG.error(
                "A message for {} is lost: it is damaged on the disk, in segment {} of the journal at byte {}",
                whose,
                Position.segment(position),
                Position.offset(position));
    }

    long count() {
        return count.sum();
    }
}
