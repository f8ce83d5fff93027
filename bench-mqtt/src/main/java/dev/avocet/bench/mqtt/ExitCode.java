package dev.avocet.bench.mqtt;

import dev.avocet.bench.run.Verdict.Outcome;

/** How the process ends. */
final class ExitCode {
    static final int PASSED = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int INVALID = 3;
    static final int INTERNAL = 70;

    private ExitCode() {}

    static int of(Outcome outcome) {
        return switch (outcome) {
            case PASSED -> PASSED;
            case FAILED -> FAILED;
            case INVALID -> INVALID;
        };
    }
}
