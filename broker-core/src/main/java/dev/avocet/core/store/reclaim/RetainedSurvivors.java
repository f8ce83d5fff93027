package dev.avocet.core.store.reclaim;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.store.write.EntryAction;
import dev.avocet.core.store.write.RunningStore;
import dev.avocet.core.topic.RetainedMessages;
import dev.avocet.core.topic.RetainedPlace;

/** A retained message as a holder of the reference to itself. */
record RetainedSurvivors(RetainedMessages retained, RetainedPlace place, IoLoop loop, RunningStore store)
        implements SurvivorHolder {
    /** Where it is in memory, what the disk has made of it does not matter. */
    @Override
    public void giveUp(Survivor survivor, Runnable done) {
        StoredMessage inMemory = retained.inMemory(place);
        if (inMemory != null) {
            move(survivor, inMemory, done);
        } else {
            if (retained.lost(place)) {
                store.lost("the topic '" + place.topic() + "', whose retained one it was", place.position());
            }
            done.run();
        }
    }

    @Override
    public void move(Survivor survivor, StoredMessage read, Runnable done) {
        if (read.isExpired(loop.clock().nanoTime())) {
            boolean unused = retained.lost(place); // no reader came across it
            done.run();
            return;
        }
        store.writer(loop).moveRetained(read, new EntryAction() {
            @Override
            protected void onCommitted(long position, int bytes) {
                retained.moved(place, new StoredMessage(read, position, bytes));
                done.run();
            }
        });
    }
}
