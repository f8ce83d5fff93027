package dev.avocet.admin.outcome;

/** What the process ends with. Where they mean the same, the numbers are those of {@code bin/broker}. */
public final class ExitCode {
    /** Done. */
    public static final int DONE = 0;
    /** A mistake in this program. */
    public static final int INTERNAL = 1;
    /** The command line cannot be used. */
    public static final int USAGE = 2;
    /** No broker answers. */
    public static final int UNREACHABLE = 3;
    /** The broker answered with an error. */
    public static final int REFUSED = 7;

    /** The broker does not know who asks, or does not allow it. */
    public static final int FORBIDDEN = 8;
    /** There is no such object. */
    public static final int NOT_FOUND = 9;
    /** It exists already, other objects need it, or another administrator changed it meanwhile. */
    public static final int CONFLICT = 10;
    /** Something that was looked at is not as it should be. */
    public static final int UNHEALTHY = 11;

    /** What was asked for is done, and does not work: an endpoint cannot listen. */
    public static final int WITHOUT_EFFECT = 12;

    private ExitCode() {}
}
