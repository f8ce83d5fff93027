package dev.avocet.core.store.transfer;

import java.io.IOException;

/** Where the records of an export go. */
@FunctionalInterface
public interface TransferRecords {
    /**
     * @param kind of the record, which only {@link TransferReader} understands
     * @param bytes the caller's again after the call
     */
    void write(int kind, byte[] bytes, int length) throws IOException;
}
