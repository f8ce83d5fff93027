package dev.avocet.dist.pair;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What a transacted producer and a transacted consumer of one queue were told. Thread-safe. */
final class QueueAccount {
    private final BitSet committed = new BitSet();
    private final BitSet rolledBack = new BitSet();
    private final BitSet taken = new BitSet();
    private final BitSet takenInDoubt = new BitSet();
    private final List<String> problems = new ArrayList<>();
    private int latestTaken = -1;

    synchronized void sent(int first, int count, Transactions outcome) {
        switch (outcome) {
            case COMMITTED -> committed.set(first, first + count);
            case ROLLED_BACK -> {
                rolledBack.set(first, first + count);
                for (int number = first; number < first + count; number++) {
                    if (taken.get(number)) {
                        problems.add("queue: " + number + " was taken and is rolled back");
                    }
                }
            }
            case IN_DOUBT -> {}
            default -> throw new IllegalStateException("unknown outcome " + outcome);
        }
    }

    synchronized void received(int number) {
        if (taken.get(number)) {
            problems.add("queue: " + number + " came again after its commit");
        }
        if (rolledBack.get(number)) {
            problems.add("queue: " + number + " came although it was rolled back");
        }
    }

    synchronized void settled(List<Integer> numbers, Transactions outcome) {
        if (outcome == Transactions.COMMITTED) {
            for (int number : numbers) {
                if (number <= latestTaken) {
                    problems.add("queue: " + number + " was committed behind " + latestTaken);
                }
                latestTaken = number;
                taken.set(number);
            }
        } else if (outcome == Transactions.IN_DOUBT) {
            numbers.forEach(takenInDoubt::set);
        }
    }

    synchronized int committedCount() {
        return committed.cardinality();
    }

    synchronized int takenCount() {
        return taken.cardinality();
    }

    /** Committed by the producer, and not by the consumer, not even in doubt. */
    synchronized BitSet missing() {
        BitSet missing = (BitSet) committed.clone();
        missing.andNot(taken);
        missing.andNot(takenInDoubt);
        return missing;
    }

    synchronized List<String> problems() {
        return List.copyOf(problems);
    }
}
