package dev.avocet.core.queue.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file for the references that the heap has no room for: pages of one size, each the columns of some references next
 * to each other. The file belongs to this life of the broker alone; the journal knows all that is in it. Any thread.
 *
 * <p>A page is read and written by the loop that needs it. It is 28 KB, and lies in the page cache of the system unless
 * that is short of memory too; a queue that is consumed in its order reads one for a thousand messages. That is why no
 * other thread is asked.
 */
public final class ReferencePages implements AutoCloseable {
    /** Room for the columns of a chunk. */
    static final int PAGE_BYTES = 28 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ReferencePages.class);

    private final Path file;
    private final long heapLimitBytes;
    private final AtomicLong heapBytes = new AtomicLong();
    private volatile boolean broken;

    // guarded by this, which is held for a few instructions once per page
    private final Deque<Long> free = new ArrayDeque<>();
    private @Nullable FileChannel channel;
    private @Nullable Cleaner cleaner;
    private long end;

    /**
     * Made before anything is written; the file only when it is needed.
     *
     * @param heapLimitBytes what references may take of the heap before they go to the file
     */
    public ReferencePages(Path file, long heapLimitBytes) {
        this.file = file;
        this.heapLimitBytes = heapLimitBytes;
    }

    /** References take so much more of the heap now, or less. */
    public void took(long bytes) {
        heapBytes.addAndGet(bytes);
    }

    /** True when references should go to the file. */
    public boolean isWanted() {
        return !broken && heapBytes.get() > heapLimitBytes;
    }

    /**
     * Writes a page.
     *
     * @return null when that is impossible: what it holds stays on the heap
     */
    public @Nullable Page write(ByteBuffer content) {
        if (broken) {
            return null;
        }
        try {
            long offset = take();
            FileChannel open = channel();
            long at = offset;
            while (content.hasRemaining()) {
                at += open.write(content, at);
            }
            return new Page(offset);
        } catch (IOException e) {
            broken = true;
            LOG.warn(
                    "References cannot be written to {}: {}; they stay on the heap until the broker is started again",
                    file,
                    e.toString());
            return null;
        }
    }

    /** Reads the beginning of a page. */
    public ByteBuffer read(Page page, int bytes) {
        ByteBuffer content = ByteBuffer.allocate(bytes);
        try {
            FileChannel open = channel();
            while (content.hasRemaining()) {
                if (open.read(content, page.offset + content.position()) < 0) {
                    throw new IOException("the file ends at " + open.size());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "references cannot be read back from " + file + "; start the broker again, which makes it anew", e);
        }
        return content.flip();
    }

    /** The page is needed no more by the queue that had it written; other readers may go on. */
    public synchronized void free(Page page) {
        if (!page.shared) {
            free.add(page.offset);
        }
    }

    /** Another reader looks at the page as long as it likes. */
    synchronized void share(Page page) {
        if (!page.shared) {
            page.shared = true;
            Cleaner present = cleaner;
            if (present == null) {
                cleaner = present = Cleaner.create();
            }
            long offset = page.offset;
            present.register(page, () -> giveBack(offset));
        }
    }

    /** What lies in the file, free pages included. */
    public synchronized long fileBytes() {
        return end;
    }

    /** Of those the ones that hold references. */
    public synchronized long usedBytes() {
        return end - (long) PAGE_BYTES * free.size();
    }

    private synchronized void giveBack(long offset) {
        free.add(offset);
    }

    private synchronized long take() {
        Long present = free.poll();
        if (present != null) {
            return present;
        }
        long offset = end;
        end += PAGE_BYTES;
        return offset;
    }

    private synchronized FileChannel channel() throws IOException {
        FileChannel present = channel;
        if (present == null) {
            channel = present = FileChannel.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            LOG.warn(
                    "References to waiting messages take {} bytes of the heap; more of them go to {}",
                    heapBytes.get(),
                    file);
        }
        return present;
    }

    @Override
    public synchronized void close() {
        broken = true;
        try {
            if (channel != null) {
                channel.close();
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be deleted: {}; the next start writes over it", file, e.toString());
        }
    }

    /** Where a page lies. */
    public static final class Page {
        private final long offset;
        private boolean shared;

        private Page(long offset) {
            this.offset = offset;
        }
    }
}
