package dev.avocet.bench.option;

import dev.avocet.bench.run.Verdict.Outcome;

/** How the processes of the harnesses end. */
public final class ExitCode {
    /** Also that of commands that do not run anything. */
    public static final int PASSED = 0;

    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int INVALID = 3;
    public static final int INTERNAL = 70;

    private ExitCode() {}

    public static int of(Outcome outcome) {
        return switch (outcome) {
            case PASSED -> PASSED;
            case FAILED -> FAILED;
            case INVALID -> INVALID;
        };
    }
}
