package dev.avocet.testkit;

import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which operation fails, and how. Under the lock of its {@link FaultyStorage}. */
final class FaultPlan {
    private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
    private @Nullable Operation operation;
    private @Nullable Fault fault;
    private int number;
    private boolean crashed;

    void failAt(Operation which, int nth, Fault how) {
        operation = which;
        number = count(which) + nth;
        fault = how;
    }

    void clear() {
        operation = null;
        crashed = false;
    }

    int count(Operation which) {
        return counts.getOrDefault(which, 0);
    }

    /** Counts an operation; says how it is to fail, or null when it is not. */
    @Nullable Fault next(Operation which) throws IOException {
        if (crashed) {
            throw new IOException("the process has crashed");
        }
        int count = counts.merge(which, 1, Integer::sum);
        if (which != operation || count != number) {
            return null;
        }
        operation = null;
        crashed = fault == Fault.CRASH;
        return fault;
    }

    /** Counts an operation that does all or nothing. */
    void pass(Operation which) throws IOException {
        Fault due = next(which);
        if (due != null && due != Fault.SHORT) {
            throw failure(which);
        }
    }

    static IOException failure(Operation which) {
        return new IOException("the test lets this fail: " + which);
    }
}
