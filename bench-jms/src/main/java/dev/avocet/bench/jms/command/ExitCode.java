package dev.avocet.bench.jms.command;

/** How the process ends. */
final class ExitCode {
    /** Also that of commands that do not run anything. */
    static final int PASSED = 0;

    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int INVALID = 3;
    static final int INTERNAL = 70;

    private ExitCode() {}
}
