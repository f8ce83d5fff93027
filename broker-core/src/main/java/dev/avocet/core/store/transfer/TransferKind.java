package dev.avocet.core.store.transfer;

/**
 * What a record of an export of sessions is. The numbers are part of the format of the file.
 *
 * <p>A session is {@link #SESSION}, its {@link #SUBSCRIPTION}s, the {@link #MESSAGE}s that wait in their queues, what
 * the front end keeps as {@link #PROTOCOL}s, and {@link #SESSION_END}. Retained messages stand behind the sessions, and
 * {@link #END} is last.
 */
enum TransferKind {
    /** As in the journal's session entry. */
    SESSION(1),
    /** As in the journal's subscription entry; its queue is known by that number in the whole file. */
    SUBSCRIPTION(2),
    /**
     * Queue, reference, whether it is in flight to one client, options, and the message as in the journal's entry. The
     * reference is 0 where the message waits in memory alone.
     */
    MESSAGE(3),
    /** As in the journal's protocol entry. */
    PROTOCOL(4),
    /** Nothing more. */
    SESSION_END(5),
    /** A retained message as in the journal's entry, without targets. */
    RETAINED(6),
    /** How many sessions, subscriptions, messages and retained messages there are. */
    END(7);

    private static final TransferKind[] ALL = values();

    private final int number;

    TransferKind(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** The kind with this number, which there must be. */
    static TransferKind of(int number) throws TransferException {
        if (number < 1 || number > ALL.length) {
            throw new TransferException("no record of an export is of kind " + number);
        }
        return ALL[number - 1];
    }
}
