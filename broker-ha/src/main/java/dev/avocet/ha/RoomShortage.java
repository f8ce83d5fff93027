package dev.avocet.ha;

import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disk of a node that does not lead is full: how long it waits until it opens its log again, twice as long each
 * time, and the one line at the begin and at the end of that. Thread of the pair.
 */
final class RoomShortage {
    private static final Logger LOG = LoggerFactory.getLogger(RoomShortage.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Path directory;
    private Duration pause = FIRST_PAUSE;
    private boolean present;

    /** @param directory of the store, for the log */
    RoomShortage(Path directory) {
        this.directory = directory;
    }

    /** The disk is full; returns how long to wait before the log is opened again. */
    Duration begins() {
        if (present) {
            LOG.debug("The disk of {} is still full; the next try is in {}", directory, pause);
        } else {
            present = true;
            LOG.error(
                    "The disk of {} is full: this node neither follows nor takes over. Make room; it tries again by"
                            + " itself, at least every {} s",
                    directory,
                    LONGEST_PAUSE.toSeconds());
        }
        Duration now = pause;
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        return now;
    }

    /** Whether the disk was full, and this node has not had everything since. */
    boolean isPresent() {
        return present;
    }

    /** What is the matter, and what to do. */
    String sentence() {
        return "the disk of " + directory + " is full: make room, and this node comes back by itself";
    }

    /** This node has everything: the next shortage is another one. */
    void ends() {
        if (present) {
            LOG.info("The disk of {} has room again: this node has everything", directory);
        }
        present = false;
        pause = FIRST_PAUSE;
    }
}
