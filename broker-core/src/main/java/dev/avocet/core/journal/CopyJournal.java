package dev.avocet.core.journal;

import dev.avocet.core.journal.record.RecordTail;
import java.util.UUID;

/**
 * A journal that can be the copy of another one: it takes the records of another node as they are, at the positions
 * that they have there, and puts them into files of its own as it likes.
 *
 * <p>Life of a copy: opened, {@linkplain #adopt named}, scanned, perhaps {@linkplain #cutBack cut back} to what it has
 * in common with the other node, then it {@linkplain #follow follows}. It leads once it is {@linkplain #begin begun}
 * with a higher epoch, in the same life or in a later one. {@link RecordTail} reads what another journal is fed with.
 */
public interface CopyJournal extends Journal {
    /**
     * Makes it a journal of this store. Before {@link #follow}.
     *
     * @throws JournalException when it holds records of another store
     */
    void adopt(UUID storeId) throws JournalException;

    /**
     * As {@link #begin}, for the records of another node: those go on where the journal {@linkplain #end ends}.
     *
     * @throws JournalFullException when there is no room
     */
    void follow() throws JournalException;

    /**
     * Appends a record of another node; as {@link #append}.
     *
     * @param record as it was read there; the node's own part is written anew
     * @param durableSequence up to which this node has forced records
     * @throws CopyRefusedException when it is not the next record, is damaged, or is of an epoch that is over; nothing
     *     was written then
     */
    long appendCopy(byte[] record, int length, long durableSequence) throws JournalException;

    /**
     * Leaves a hole: what is appended next is this record, and those between it and the end of the log are not to be
     * had any more. It begins a segment. After {@link #follow}.
     *
     * @param position of the record, behind {@link #end}
     * @param sequence of the record
     */
    void skipTo(long position, long sequence) throws JournalException;

    /**
     * Drops what lies at a position and behind it, for good: when this returns it is durable, and a crash meanwhile
     * leaves either all of it or none. After a scan, before the journal is begun, which takes another scan.
     *
     * @param position of a record, or {@link #end}, where nothing is to be dropped
     */
    void cutBack(long position) throws JournalException;
}
