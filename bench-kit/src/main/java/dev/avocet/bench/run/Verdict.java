package dev.avocet.bench.run;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run was good for, and why not for more.
 *
 * @param reasons for that, and what is to be known besides
 * @param checks what was asked for and what came; none where it ended before that was known
 */
public record Verdict(
        Outcome outcome, List<String> reasons, @Nullable List<Check> checks) {
    /** The three ways for a run to end. */
    public enum Outcome {
        /** Everything that was asked for happened. */
        PASSED,
        /** The server did not do what was asked of it. */
        FAILED,
        /** The harness did not do its part, so its figures say nothing of the server. */
        INVALID
    }

    /** Results of earlier versions have no checks. */
    public Verdict {
        reasons = List.copyOf(reasons);
        checks = checks == null ? List.of() : List.copyOf(checks);
    }

    public Verdict(Outcome outcome, List<String> reasons) {
        this(outcome, reasons, List.of());
    }

    /** With faults of the server that its criteria do not know; a run that was invalid stays so. */
    public Verdict withFaults(List<String> faults) {
        if (faults.isEmpty()) {
            return this;
        }
        List<String> all = new ArrayList<>(faults);
        all.addAll(reasons);
        return new Verdict(outcome == Outcome.PASSED ? Outcome.FAILED : outcome, all, checks);
    }

    /** With what is to be known besides, which changes nothing. */
    public Verdict noting(List<String> notes) {
        List<String> all = new ArrayList<>(reasons);
        all.addAll(notes);
        return new Verdict(outcome, all, checks);
    }

    public boolean isPassed() {
        return outcome == Outcome.PASSED;
    }
}
