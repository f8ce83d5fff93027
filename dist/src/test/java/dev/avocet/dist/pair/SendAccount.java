package dev.avocet.dist.pair;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What a producer and a consumer of numbered messages without transactions were told. Thread-safe. */
final class SendAccount {
    private final BitSet acknowledged = new BitSet();
    private final BitSet inDoubt = new BitSet();
    private final BitSet seen = new BitSet();
    private final List<Received> received = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * A message that has come.
     *
     * @param again whether it had come before
     * @param redelivered what it says of that
     */
    record Received(int number, boolean again, boolean redelivered) {}

    synchronized void acknowledged(int number) {
        acknowledged.set(number);
    }

    synchronized void inDoubt(int number) {
        inDoubt.set(number);
    }

    synchronized void received(int number, boolean redelivered) {
        received.add(new Received(number, seen.get(number), redelivered));
        seen.set(number);
    }

    synchronized void problem(String what) {
        problems.add(what);
    }

    synchronized int acknowledgedCount() {
        return acknowledged.cardinality();
    }

    synchronized int receivedCount() {
        return received.size();
    }

    /** Acknowledged, and has not come. */
    synchronized BitSet missing() {
        BitSet missing = (BitSet) acknowledged.clone();
        missing.andNot(seen);
        return missing;
    }

    synchronized List<Received> received() {
        return List.copyOf(received);
    }

    synchronized List<String> problems() {
        return List.copyOf(problems);
    }

    synchronized String summary() {
        BitSet arrived = (BitSet) inDoubt.clone();
        arrived.and(seen);
        return acknowledged.cardinality() + " acknowledged, " + inDoubt.cardinality() + " in doubt, of which "
                + arrived.cardinality() + " came, "
                + received.stream().filter(Received::again).count() + " came again, "
                + received.stream()
                        .filter(each -> each.again() && each.redelivered())
                        .count()
                + " of them as redelivered";
    }
}
