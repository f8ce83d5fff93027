package dev.avocet.core.journal.file;

import java.io.IOException;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The segment that is appended to, and those that were left since the last force.
 *
 * <p>The journal thread {@linkplain #begin begins} segments, the commit thread forces beside it. The lock is held while
 * files are forced: a caller that asks for a force must not return before one that is under way.
 */
final class OpenSegments {
    /** How many files that were left may be open. Forces fall so far behind only where none is asked for. */
    private static final int LEFT_MAX = 4;

    private final SegmentDirectory directory;
    private final ReentrantLock forcing = new ReentrantLock();
    private final Queue<OpenSegment> left = new ConcurrentLinkedQueue<>();
    private volatile @Nullable OpenSegment current;
    /** Under the lock: the newest segment whose file is certain to have its name after a loss of power. */
    private int namedUpTo;

    OpenSegments(SegmentDirectory directory) {
        this.directory = directory;
    }

    @Nullable OpenSegment current() {
        return current;
    }

    /** The journal thread: appends go to this segment from now on. */
    void begin(OpenSegment next) throws IOException {
        OpenSegment last = current;
        if (last != null) {
            // Before the next one is seen: a force that sees it forces all that were left.
            left.add(last);
        }
        current = next;
        if (left.size() > LEFT_MAX) {
            forceOldest();
        }
    }

    /** Returns when everything is durable that was appended before the call. */
    void force() throws IOException {
        forcing.lock();
        try {
            OpenSegment last = current;
            if (last == null) {
                return;
            }
            forceLeftBefore(last);
            if (namedUpTo < last.number()) {
                directory.force();
                namedUpTo = last.number();
            }
            last.force();
        } finally {
            forcing.unlock();
        }
    }

    /** The segment is not needed any more. */
    void forget(int number) throws IOException {
        forcing.lock();
        try {
            for (Iterator<OpenSegment> all = left.iterator(); all.hasNext(); ) {
                OpenSegment segment = all.next();
                if (segment.number() == number) {
                    all.remove();
                    segment.close();
                }
            }
        } finally {
            forcing.unlock();
        }
    }

    void close() throws IOException {
        forcing.lock();
        try {
            for (OpenSegment segment = left.poll(); segment != null; segment = left.poll()) {
                segment.close();
            }
            OpenSegment last = current;
            current = null;
            if (last != null) {
                last.close();
            }
        } finally {
            forcing.unlock();
        }
    }

    private void forceOldest() throws IOException {
        forcing.lock();
        try {
            OpenSegment oldest = left.peek();
            if (oldest != null) {
                forceAndClose(oldest);
            }
        } finally {
            forcing.unlock();
        }
    }

    /** The last one itself may have been left meanwhile: that one is forced as what it was. */
    private void forceLeftBefore(OpenSegment last) throws IOException {
        for (OpenSegment oldest = left.peek();
                oldest != null && oldest.number() < last.number();
                oldest = left.peek()) {
            forceAndClose(oldest);
        }
    }

    private void forceAndClose(OpenSegment segment) throws IOException {
        segment.force();
        left.remove();
        segment.close();
    }
}
