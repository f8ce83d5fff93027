package dev.avocet.ha.log;

import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.ha.role.PairMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The records that a leading node has appended lately, as they travel: a standby that keeps up gets them from here, and
 * not from the disk. What finds no room is left out, and read from the disk later.
 *
 * <p>They are copied once, into memory from which the link writes them to its socket. The {@code journal} thread adds,
 * the thread of the pair takes. Positions are the pair's.
 */
public final class RecentRecords {
    private final Queue<Piece> pieces = new ConcurrentLinkedQueue<>();
    private final RecentBlocks blocks;
    private volatile boolean wanted;

    /** All before it is in the pieces, or was left out. */
    private volatile long told;

    // Of the journal thread.
    private RecentBlocks.@Nullable Block filling;
    private int begun;
    private long from;
    private long end;

    /**
     * @param end of the log; what is behind it comes
     * @param keptBytes so much is kept at most, beside one record
     */
    RecentRecords(long end, long keptBytes) {
        told = end;
        blocks = new RecentBlocks(keptBytes);
    }

    /** A record was appended. The {@code journal} thread. */
    void add(long position, byte[] record, int length) {
        RecentBlocks.Block block = wanted ? withRoom(length) : null;
        if (block == null) {
            leave();
            return;
        }
        if (begun == block.filled()) {
            from = position;
        }
        block.put(record, length);
        end = Position.after(position, length);
    }

    private RecentBlocks.@Nullable Block withRoom(int length) {
        RecentBlocks.Block now = filling;
        if (now != null && now.hasRoom(length)) {
            return now;
        }
        leave();
        filling = blocks.take(length);
        return filling;
    }

    /** All records up to there were added. The {@code journal} thread. */
    void addedUpTo(long position) {
        endPiece();
        told = position;
    }

    private void endPiece() {
        RecentBlocks.Block block = filling;
        if (block != null && begun < block.filled()) {
            pieces.add(new Piece(from, end, block.use(begun), block));
            begun = block.filled();
        }
    }

    /** Nothing more goes into the block that is being filled. */
    private void leave() {
        endPiece();
        RecentBlocks.Block block = filling;
        if (block != null) {
            filling = null;
            block.release();
        }
        begun = 0;
    }

    /**
     * Returns records from that position on, in a {@link ByteBuffer}, and keeps them until {@link #sent}; null when
     * they are not here, or not yet. The thread of the pair.
     */
    public PairMessage.@Nullable Records from(long epoch, long position) {
        wanted = true;
        Piece piece = pieceAt(position);
        return piece != null && piece.end() <= told ? piece.records(epoch, position) : null;
    }

    /** Whether {@link #from} may have them soon: who waits hears of it when they were added. The thread of the pair. */
    public boolean mayHaveSoon(long position) {
        return position >= told || pieceAt(position) != null;
    }

    private @Nullable Piece pieceAt(long position) {
        Piece piece = pieces.peek();
        while (piece != null && piece.end() <= position) {
            drop();
            piece = pieces.peek();
        }
        return piece != null && piece.from() <= position ? piece : null;
    }

    /**
     * What is to be run once the records that {@link #from} has just returned were written, or never will be: until
     * then their memory holds them. The thread of the pair asks; any thread runs it, once.
     */
    public Runnable whenWritten() {
        return pieces.element().block()::release;
    }

    /** What {@link #from} has returned is on its way. The thread of the pair. */
    public void sent() {
        pieces.remove();
    }

    /** No node follows. The thread of the pair. */
    public void unwanted() {
        wanted = false;
        while (!pieces.isEmpty()) {
            drop();
        }
        blocks.clear();
    }

    private void drop() {
        pieces.remove().block().release();
    }

    private record Piece(long from, long end, ByteBuffer content, RecentBlocks.Block block) {
        /** From a record that begins within it. */
        PairMessage.Records records(long epoch, long position) {
            ByteBuffer rest = content.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            long reached = from;
            while (reached < position) {
                int length = RecordHeader.BYTES + RecordHeader.bodyLength(rest);
                reached = Position.after(reached, length);
                rest.position(rest.position() + length);
            }
            return new PairMessage.Records(epoch, position, end, rest);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
