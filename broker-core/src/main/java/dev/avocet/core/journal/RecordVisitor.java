package dev.avocet.core.journal;

/** Sees the records of a {@linkplain Journal#scan scan}. */
@FunctionalInterface
public interface RecordVisitor {
    /**
     * @param position where the record begins
     * @param bytes holds the record, only during the call
     * @param offset where the header begins in {@code bytes}
     * @param length bytes of the record, header included
     */
    void onRecord(long position, byte[] bytes, int offset, int length) throws JournalException;
}
