package dev.avocet.core.store.entry;

import dev.avocet.core.journal.JournalException;

/**
 * What an entry says. An entry is one byte of kind, four bytes with the length of the rest, and the rest; entries
 * follow each other in the body of a record and hold in that order. The numbers are part of the format on disk.
 */
public enum EntryKind {
    /**
     * A message, once, with the references of all queues that take it; and, when it says so, as its topic's retained
     * message.
     */
    MESSAGE(1),
    /** A reference to a message that is there already. */
    ENQUEUE(2),
    /** References of one queue are over. */
    ACKNOWLEDGE(3),
    /** A message again, with the references that are left of it: they lie here now. */
    MOVE(4),
    /** A topic has no retained message any more. */
    RETAINED_REMOVED(5),
    /** A session that outlives its connection: it is new, or something of it has changed. */
    SESSION(6),
    SESSION_ENDED(7),
    /** A subscription of a stored session: it is new, or has changed. */
    SUBSCRIPTION(8),
    UNSUBSCRIPTION(9),
    /** A session's front end notes something in a format of its own. */
    PROTOCOL(10),
    /** The first entry of a broker's life. */
    EPOCH(11),
    TRANSACTION_BEGIN(12),
    TRANSACTION_PREPARE(13),
    TRANSACTION_COMMIT(14),
    TRANSACTION_ROLLBACK(15),
    /** A checkpoint with this number begins: it holds at least what lies before. */
    CHECKPOINT(16),
    /** As {@link #ACKNOWLEDGE}, once the transaction is committed. */
    TRANSACTION_ACKNOWLEDGE(18),
    /** There is a queue that clients know by name: it is new, or its kind has changed. */
    QUEUE(19),
    QUEUE_ENDED(20),
    /** References of one queue, where they live still, were delivered and not acknowledged so often at least. */
    DELIVERED(21);

    private static final EntryKind[] BY_NUMBER = new EntryKind[32];

    static {
        for (EntryKind kind : values()) {
            BY_NUMBER[kind.number] = kind;
        }
    }

    private final int number;

    EntryKind(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** The kind with this number; {@link IllegalArgumentException} when there is none. */
    public static EntryKind of(int number) {
        EntryKind kind = number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
        if (kind == null) {
            throw new IllegalArgumentException("no entry has kind " + number);
        }
        return kind;
    }

    /** The kind that an entry on disk has. */
    public static EntryKind find(int number) throws JournalException {
        EntryKind kind = number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
        if (kind == null) {
            throw new JournalException("no entry has kind " + number);
        }
        return kind;
    }
}
