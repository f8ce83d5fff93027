package dev.avocet.ha.role;

import dev.avocet.ha.coordination.Register;
import java.util.ArrayList;
import java.util.List;

/** What must hold at each step. */
final class Checks {
    private final Simulation simulation;

    /** The records that were acknowledged are one sequence: its length and the hash of it. */
    private long committed;

    private long committedHash;

    /** Of each position, the hash of what was acknowledged before it. */
    private final List<Long> hashes = new ArrayList<>(List.of(0L));

    private SimulatedLog committedBy;
    private int forced;
    private int received;

    /** The latest epoch in which a node has begun to lead. */
    private long led;

    Checks(Simulation simulation) {
        this.simulation = simulation;
    }

    long committed() {
        return committed;
    }

    /** A node acknowledges everything before that position. */
    void committed(SimulatedNode node, long position) {
        Register register = simulation.register().value();
        SimulatedLog log = node.log();
        simulation.world().say("{} acknowledges up to {}", node.name(), position);
        if (led > node.machine().epoch()) {
            throw new Violation(node.name() + " acknowledges in epoch "
                    + node.machine().epoch() + ", and epoch " + led + " has begun");
        }
        for (SimulatedNode other : simulation.nodes()) {
            boolean meant =
                    register.isInSync(other.name()) && other.log().storeId().equals(register.storeId());
            long has = simulation.inMemory() ? other.log().end() : other.log().forced();
            if (meant && !other.mayHaveLost() && (has < position || other.log().hash(position) != log.hash(position))) {
                throw new Violation(node.name() + " acknowledges up to " + position + ", which is not on the disk of "
                        + other.name() + ", which is in sync");
            }
        }
        if (position >= committed) {
            mustHoldAll(node, "acknowledges");
            committed = position;
            committedHash = log.hash(position);
            for (int i = hashes.size(); i <= position; i++) {
                hashes.add(log.hash(i));
            }
            committedBy = log;
        }
    }

    /** By force a node leads: nothing is lost but what it has not got. */
    void forced(SimulatedNode node) {
        SimulatedLog log = node.log();
        int kept = (int) Math.min(committed, log.forced());
        while (log.hash(kept) != hashes.get(kept)) {
            kept--;
        }
        simulation.world().say("{} leads by force: {} of {} are lost", node.name(), committed - kept, committed);
        hashes.subList(kept + 1, hashes.size()).clear();
        committed = kept;
        committedHash = hashes.get(kept);
        forced++;
    }

    int forced() {
        return forced;
    }

    /** A node has received a store from a checkpoint on. */
    void receivedStore() {
        received++;
    }

    int received() {
        return received;
    }

    /** One that was stopped may think so for a moment after another one has begun; it gets nothing done. */
    void leads(SimulatedNode node, long epoch) {
        if (simulation.register().value().epoch() != epoch) {
            return;
        }
        led = Math.max(led, epoch);
        mustHoldAll(node, "leads epoch " + epoch);
    }

    private void mustHoldAll(SimulatedNode node, String what) {
        SimulatedLog log = node.log();
        if (log.end() < committed || log.hash(committed) != committedHash) {
            throw new Violation(
                    node.name() + " " + what + ", and has lost some of the " + committed + " acknowledged records");
        }
    }

    void afterEach() {
        int delivering = 0;
        for (SimulatedNode node : simulation.nodes()) {
            if (node.isRunning() && node.delivers()) {
                delivering++;
            }
        }
        if (delivering > 1) {
            throw new Violation("two nodes deliver");
        }
        Register register = simulation.register().value();
        SimulatedNode first = simulation.nodes().get(0);
        SimulatedNode second = simulation.nodes().get(1);
        if (register.inSync().size() > 1
                && first.log().storeId().equals(second.log().storeId())) {
            bothHold(first);
            bothHold(second);
        }
    }

    /** A node that is in sync has everything that was acknowledged, whatever its role. */
    private void bothHold(SimulatedNode node) {
        SimulatedLog log = node.log();
        long has = simulation.inMemory() ? log.end() : log.forced();
        boolean lacks = has < committed || log.hash(committed) != committedHash;
        if (lacks && !node.mayHaveLost()) {
            throw new Violation(
                    node.name() + " is in sync, and has not got the " + committed + " acknowledged records");
        }
    }

    /** After all faults are over. */
    void converged() {
        Register register = simulation.register().value();
        SimulatedNode first = simulation.nodes().get(0);
        SimulatedNode second = simulation.nodes().get(1);
        String state = first.name() + " is " + first.machine().role() + " with "
                + first.log().end() + ", " + second.name() + " is "
                + second.machine().role() + " with " + second.log().end() + "; " + register;
        if (register.inSync().size() != 2) {
            throw new Violation("does not get in sync again: " + state);
        }
        if (first.log().end() != committed
                || second.log().end() != committed
                || first.log().hash(committed) != second.log().hash(committed)) {
            throw new Violation("the logs differ, or are not committed up to their end: " + state);
        }
        mustHoldAll(first, "ends");
        assert committedBy != null;
    }
}
