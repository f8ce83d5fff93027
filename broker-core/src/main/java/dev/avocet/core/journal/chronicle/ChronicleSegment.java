package dev.avocet.core.journal.chronicle;

import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A segment as the commit thread sees it: the file, open since before the first byte was written, so that the operating
 * system tells this file of every write that failed. The journal thread links the next one to it.
 */
final class ChronicleSegment implements Closeable {
    private final Segment segment;
    private final Storage storage;
    private final StorageFile file;
    private volatile @Nullable ChronicleSegment next;
    private boolean nameIsForced;

    ChronicleSegment(Segment segment, Storage storage) throws IOException {
        this.segment = segment;
        this.storage = storage;
        this.file = storage.open(segment.file());
    }

    Segment segment() {
        return segment;
    }

    /** The one that was begun after this; until then null. */
    @Nullable ChronicleSegment next() {
        return next;
    }

    void followedBy(ChronicleSegment following) {
        next = following;
    }

    /**
     * Takes back what Chronicle adds to the length of a file before it maps it: a hole that nothing is ever written to.
     */
    void restoreLength() throws IOException {
        file.truncate(segment.sizeBytes());
    }

    /** Has what is mapped hold these bytes too. The journal thread. */
    void write(ByteBuffer source, long offset) throws IOException {
        file.writeFully(source, offset);
    }

    /** Writes out pages that were changed through the mapping too, and throws when one of them could not be written. */
    void force() throws IOException {
        file.force(false);
        if (!nameIsForced) {
            storage.forceDirectory(segment.file().getParent());
            nameIsForced = true;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
