package dev.avocet.server.process;

/** What the process ends with; scripts and service managers rely on these numbers. */
public final class ExitCode {
    /** Stopped as asked, also by SIGTERM and SIGINT. */
    public static final int STOPPED = 0;
    /** A mistake in the broker. */
    public static final int INTERNAL = 1;
    /** The command line or the configuration cannot be used; starting again will not help. */
    public static final int USAGE = 2;
    /** An address cannot be bound. The JVM also ends with 3 when it runs out of memory, and says so. */
    public static final int CANNOT_LISTEN = 3;
    /** Another broker uses the data directory. */
    public static final int DATA_LOCKED = 4;
    /** The store failed while the broker ran. */
    public static final int STORE_FAILED = 5;
    /** The store cannot be opened, or was found damaged. */
    public static final int STORE_UNUSABLE = 6;
    /** Stopped in good order by an administrator who wants it started again. */
    static final int RESTART = 10;

    private ExitCode() {}
}
