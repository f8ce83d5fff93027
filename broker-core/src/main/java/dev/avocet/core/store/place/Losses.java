package dev.avocet.core.store.place;

import dev.avocet.core.journal.Journal;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages that were stored and cannot be delivered, as the disk has damaged them. Any thread. */
public final class Losses {
    private static final Logger LOG = LoggerFactory.getLogger(Losses.class);

    private final Journal journal;
    private final LongAdder count = new LongAdder();

    public Losses(Journal journal) {
        this.journal = journal;
    }

    /** @param whose for people: a queue, or a topic's retained message */
    public void add(String whose, long position) {
        count.increment();
        LOG.error(
                "A message for {} is lost: it is damaged on the disk, at position {} of the journal",
                whose,
                journal.show(position));
    }

    /** Messages so far. */
    public long count() {
        return count.sum();
    }
}
