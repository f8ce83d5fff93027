package dev.avocet.core.journal.log;

import java.io.IOException;

/** Hears what a scan finds in one segment's file after the other, in the order of the bytes. */
public interface ScanSink {
    /** Nothing was written here: zeros, or the end of the file. The scan goes on and looks for records behind. */
    void onEnd(long offset) throws IOException;

    /** What the scan found here is not a whole and valid record. It goes on and looks for others behind. */
    void onDamage(long offset, String reason) throws IOException;

    /**
     * A whole and valid record.
     *
     * @param offset in the file
     * @param bytes hold it, only during the call
     * @param at where it begins in {@code bytes}
     * @param length its bytes, header included
     * @return true when it is the next one of the log, false when it is to be skipped
     */
    boolean onRecord(long offset, byte[] bytes, int at, int length) throws IOException;

    /** How much of a file is looked at at a time. */
    default int windowBytes() {
        return ScanWindow.BYTES;
    }

    /** True when nothing more is to be found. */
    default boolean isSatisfied() {
        return false;
    }
}
