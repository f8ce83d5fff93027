package dev.avocet.core.message;

/** A message that lies in the store, and where. */
public final class StoredMessage extends Message {
    private final long position;
    private final int storedBytes;

    /**
     * @param position where it lies in the journal
     * @param storedBytes how many bytes it takes there
     */
    public StoredMessage(Message message, long position, int storedBytes) {
        super(
                message.topic(),
                message.isForQueue(),
                message.qos(),
                message.retain(),
                message.body(),
                message.properties(),
                message.expiryDeadlineNs(),
                message.publisher());
        this.position = position;
        this.storedBytes = storedBytes;
    }

    public long position() {
        return position;
    }

    public int storedBytes() {
        return storedBytes;
    }
}
