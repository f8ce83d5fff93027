package dev.avocet.ha.log;

import dev.avocet.core.journal.Position;
import dev.avocet.ha.role.PairMessage;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The records that a leading node has appended lately, as they travel: a standby that keeps up gets them from here, and
 * not from the disk. What finds no room is left out, and read from the disk later.
 *
 * <p>The {@code journal} thread adds, the thread of the pair takes. Positions are the pair's.
 */
public final class RecentRecords {
    /** A piece is no larger, unless it is one record. */
    private static final int PIECE_BYTES = 256 << 10;

    /** So much is kept at most, beside one piece. */
    private static final int KEPT_BYTES = 4 << 20;

    private final Queue<Piece> pieces = new ConcurrentLinkedQueue<>();
    private final AtomicInteger kept = new AtomicInteger();
    private volatile boolean wanted;

    /** All before it is in the pieces, or was left out. */
    private volatile long told;

    // Of the journal thread.
    private byte[] filling = new byte[PIECE_BYTES / 4];
    private int filled;
    private long from;
    private long end;

    /** @param end of the log; what is behind it comes */
    RecentRecords(long end) {
        told = end;
    }

    /** A record was appended. The {@code journal} thread. */
    void add(long position, byte[] record, int length) {
        if (!wanted || kept.get() > KEPT_BYTES) {
            endPiece();
            return;
        }
        if (filled > 0 && filled + length > PIECE_BYTES) {
            endPiece();
        }
        if (filled == 0) {
            from = position;
        }
        if (filling.length < filled + length) {
            filling = Arrays.copyOf(filling, Math.max(filled + length, 2 * filling.length));
        }
        System.arraycopy(record, 0, filling, filled, length);
        filled += length;
        end = Position.after(position, length);
    }

    /** All records up to there were added. The {@code journal} thread. */
    void addedUpTo(long position) {
        endPiece();
        told = position;
    }

    private void endPiece() {
        if (filled > 0) {
            kept.getAndAdd(filled);
            pieces.add(new Piece(from, end, Arrays.copyOf(filling, filled)));
            filled = 0;
            if (filling.length > 2 * PIECE_BYTES) {
                filling = new byte[PIECE_BYTES]; // one large record
            }
        }
    }

    /**
     * Returns records from that position on, and keeps them until {@link #sent}; null when they are not here, or not
     * yet. The thread of the pair.
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

    /** What {@link #from} has returned is on its way. The thread of the pair. */
    public void sent() {
        drop();
    }

    /** No node follows. The thread of the pair. */
    public void unwanted() {
        wanted = false;
        while (!pieces.isEmpty()) {
            drop();
        }
    }

    private void drop() {
        Piece piece = pieces.remove();
        kept.getAndAdd(-piece.bytes().length);
    }

    private record Piece(long from, long end, byte[] bytes) {
        /** From a record that begins within it. */
        PairMessage.Records records(long epoch, long position) {
            int at = 0;
            long reached = from;
            while (reached < position) {
                int length = RecordBytes.lengthOf(bytes, at);
                reached = Position.after(reached, length);
                at += length;
            }
            return new PairMessage.Records(
                    epoch, position, end, at == 0 ? bytes : Arrays.copyOfRange(bytes, at, bytes.length));
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
