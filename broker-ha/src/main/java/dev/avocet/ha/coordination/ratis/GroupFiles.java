package dev.avocet.ha.coordination.ratis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of a member, as Ratis lays them out below the member's directory. A process that is killed while it lays
 * them out for the first time leaves a part of them, with which Ratis neither begins nor goes on: the member would not
 * start again, and the group would be without it for good.
 */
final class GroupFiles {
    /** The term and the vote: the last that is laid out, and there before the member votes. */
    private static final Path VOTE = Path.of("current", "raft-meta");

    private static final String LOCK = "in_use.lock";

    /** What there may be of a member that has not voted and has not been told anything. */
    private static final Set<String> BEGINNINGS = Set.of(LOCK, "raft-meta.tmp", "raft-meta.conf", "raft-meta.conf.tmp");

    private final Path directory;

    /** @param directory of one group within the member's directory */
    GroupFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * Removes what a killed process has begun to lay out. What holds a log or a snapshot without a vote is damaged, and
     * stays: the member must not vote a second time.
     *
     * @return whether there is nothing, so that the member is new
     */
    boolean makeNewUnlessBegun() throws IOException {
        if (!Files.exists(directory)) {
            return true;
        }
        if (Files.exists(directory.resolve(VOTE)) || holdsMoreThanBeginnings() || isInUse()) {
            return false;
        }
        for (Path each : all()) {
            Files.delete(each);
        }
        return true;
    }

    private boolean holdsMoreThanBeginnings() throws IOException {
        for (Path each : all()) {
            if (!Files.isDirectory(each)
                    && !BEGINNINGS.contains(each.getFileName().toString())) {
                return true;
            }
        }
        return false;
    }

    private boolean isInUse() throws IOException {
        Path lock = directory.resolve(LOCK);
        if (!Files.exists(lock)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock mine = channel.tryLock()) {
            return mine == null;
        }
    }

    /** The deepest first. */
    private List<Path> all() throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            return walk.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
