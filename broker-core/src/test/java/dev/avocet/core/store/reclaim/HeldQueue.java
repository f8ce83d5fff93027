package dev.avocet.core.store.reclaim;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.reclaim.StoreRig.StoredPlace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A durable queue reduced to its references. */
final class HeldQueue implements SurvivorHolder {
    private final StoreRig rig;
    private final long id;
    private final IoLoop loop;
    private final Map<Long, HeldReference> references = new LinkedHashMap<>();
    private final List<StoredMessage> moved = new ArrayList<>();
    private boolean fails;
    private int givenUp;

    HeldQueue(StoreRig rig, long id, IoLoop loop) {
        this.rig = rig;
        this.id = id;
        this.loop = loop;
    }

    long id() {
        return id;
    }

    /** Throws when it is asked to move something. */
    void failMoves(boolean fails) {
        this.fails = fails;
    }

    /** What it was asked to move. */
    List<StoredMessage> moved() {
        return moved;
    }

    /** References whose messages were too damaged to be moved. */
    int givenUp() {
        return givenUp;
    }

    Collection<HeldReference> references() {
        return references.values();
    }

    HeldReference hold(long number, StoredPlace place, byte[] payload) {
        HeldReference reference = new HeldReference(this, number, place, payload);
        references.put(number, reference);
        return reference;
    }

    void acknowledge(HeldReference reference) {
        if (references.remove(reference.number()) != null) {
            rig.table.release(reference.position(), reference.storedBytes());
        }
    }

    @Override
    public IoLoop loop() {
        return loop;
    }

    /** Written at once, durable a task later. */
    @Override
    public void move(Survivor survivor, StoredMessage message, Runnable done) {
        assert loop.inLoop() : "a queue is asked to move on another loop than its own";
        if (fails) {
            throw new IllegalStateException("the queue does not want to");
        }
        moved.add(message);
        rig.openMovesMax = Math.max(++rig.openMoves, rig.openMovesMax);
        StoredPlace to = rig.write(EntryKind.MOVE, message, survivor.reference(), this);
        loop.execute(() -> onDurable(survivor, to, done));
    }

    @Override
    public void giveUp(Survivor survivor, Runnable done) {
        HeldReference lost = references.get(survivor.reference());
        if (lost != null) {
            acknowledge(lost);
        }
        givenUp++;
        done.run();
    }

    private void onDurable(Survivor survivor, StoredPlace to, Runnable done) {
        HeldReference reference = references.get(survivor.reference());
        if (reference == null) {
            rig.table.release(to.position(), to.bytes());
        } else {
            rig.table.release(reference.position(), reference.storedBytes());
            reference.moved(to);
        }
        rig.openMoves--;
        done.run();
    }
}
