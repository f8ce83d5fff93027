package dev.avocet.core.store.write;

/**
 * A {@link CommitAction} that needs to know where its own entry lies. The writer notes that when it writes the entry.
 */
public abstract class EntryAction implements CommitAction {
    private int offset;
    private int storedBytes;

    void written(int offsetInRecord, int bytes) {
        offset = offsetInRecord;
        storedBytes = bytes;
    }

    @Override
    public final void onCommitted(long recordPosition) {
        onCommitted(recordPosition + offset, storedBytes);
    }

    /**
     * The entry is durable.
     *
     * @param position where it lies
     * @param bytes how many bytes it takes there
     */
    protected abstract void onCommitted(long position, int bytes);
}
