package dev.avocet.core.journal.commit;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.disk.DiskSpace;
import dev.avocet.core.journal.disk.Fuse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that there is room for the next segment before it is needed, and says whether there is enough for
 * messages. Everything here blocks on the disk and belongs to the {@code journal-space} thread, but for
 * {@link #acceptsMessages} and {@link #wake}.
 */
final class SpaceWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SpaceWatch.class);

    private final Journal journal;
    private final DiskSpace disk;
    private final JournalLimits limits;
    private final CommitListener listener;
    private final Fuse fuse;
    private final Doorbell bell = new Doorbell(this::hasReasonToWake);

    private volatile boolean accepts = true;
    private volatile boolean asked;
    private volatile boolean closing;

    SpaceWatch(Journal journal, DiskSpace disk, JournalLimits limits, CommitListener listener, Fuse fuse) {
        this.journal = journal;
        this.disk = disk;
        this.limits = limits;
        this.listener = listener;
        this.fuse = fuse;
    }

    boolean acceptsMessages() {
        return accepts;
    }

    /** Has the thread look now: a segment was begun. Any thread. */
    void wake() {
        asked = true;
        bell.ring();
    }

    void close() {
        closing = true;
        journal.hurry();
        bell.ring();
    }

    void run() {
        while (!closing && !fuse.isBlown()) {
            asked = false;
            check();
            bell.await(limits.spaceCheckInterval().toNanos());
        }
    }

    private boolean hasReasonToWake() {
        return asked || closing || fuse.isBlown();
    }

    /** Looks once, and tells the listener of what has changed. */
    void check() {
        String lack = lack();
        boolean accept = lack.isEmpty();
        if (accept != accepts && !closing) {
            accepts = accept;
            if (accept) {
                LOG.info("The journal has room again: messages are accepted");
            } else {
                LOG.warn("Messages are refused, acknowledgements are not: {}. Free some space on the disk", lack);
            }
            listener.onMessagesAccepted(accept, lack);
        }
    }

    /** What is missing, for people; empty when nothing is. */
    private String lack() {
        try {
            if (!journal.hasSpare() && !journal.prepareSpare()) {
                return "there is no room for the journal's next segment";
            }
            long wantedBytes = limits.freeBytesMin(disk.totalBytes());
            if (!accepts) {
                wantedBytes += wantedBytes / 4; // a little more than before, lest it goes back and forth
            }
            long freeBytes = disk.freeBytes();
            return freeBytes >= wantedBytes
                    ? ""
                    : freeBytes + " bytes are free of the " + wantedBytes + " that must be";
        } catch (IOException e) {
            return "the disk does not answer: " + e.getMessage();
        }
    }
}
