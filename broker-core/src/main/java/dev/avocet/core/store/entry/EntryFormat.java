package dev.avocet.core.store.entry;

/** Numbers and flags in entries, which {@link EntryWriter} writes and {@link EntryReader} reads. */
public final class EntryFormat {
    /** What each entry begins with: its kind, and how long the rest of it is. */
    public static final int PREFIX_BYTES = 5;
    /** What a message entry ends with: CRC32C of all that is before it in the entry. */
    public static final int CHECKSUM_BYTES = 4;

    /** In place of a transaction's number. */
    public static final long NO_TRANSACTION = 0;

    /**
     * In place of a queue in a {@code MOVE} of a retained message: the reference is the position at which it lay
     * before. It moves only if it is its topic's retained message still.
     */
    public static final long RETAINED_BEFORE = 0;

    /** Flag of a message: it is to be retained, as its publisher said. */
    static final int RETAIN_FLAG = 1;
    /** Flag of a message: its topic has it as its retained message. */
    public static final int RETAINED = 2;
    /** Flag of a message: the time at which it expires follows. */
    public static final int EXPIRES = 4;
    /** Flag of a message: the number of its transaction follows. */
    public static final int TRANSACTION = 8;
    /** Where the quality of service stands among the flags of a message. */
    public static final int QOS_SHIFT = 4;
    /** Flag of a message: it was sent to a queue by name, not to a topic. */
    static final int FOR_QUEUE = 64;

    /** Flag of a session: its client is connected. */
    public static final int CONNECTED = 1;
    /** Flag of a session: the name of a user follows. */
    public static final int HAS_USER = 2;

    /** Flag of a subscription: what the client publishes itself does not come to it. */
    public static final int NO_LOCAL = 1;
    /** Where the messages that a subscription takes stand among its flags. */
    static final int TAKES_SHIFT = 1;
    /** How many bits they are. */
    static final int TAKES_MASK = 0x3F;
    /** Flag of a subscription: a selector follows. */
    public static final int HAS_SELECTOR = 128;

    /** Flag of a reference's options. */
    static final int OPTION_RETAIN_AS_PUBLISHED = 4;
    /** Flag of a reference's options. */
    static final int OPTION_RETAINED = 8;
    /** Flag of a reference's options: how the message stands in its queue follows. */
    static final int OPTION_STANDING = 16;
    /** Flag of a reference's options. */
    static final int OPTION_OWN_WAY = 32;
    /** In place of the flags: there are no options. */
    static final int NO_OPTIONS = 0xFF;

    private EntryFormat() {}
}
