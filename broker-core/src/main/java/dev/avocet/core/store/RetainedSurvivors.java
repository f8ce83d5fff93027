package dev.avocet.core.store;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.topic.RetainedMessages;

/** A retained message as a holder of the reference to itself. */
record RetainedSurvivors(RetainedMessages retained, StoredMessage message, IoLoop loop, Store store)
        implements SurvivorHolder {
    /** It is in memory, so what the disk has made of it does not matter. */
    @Override
    public void giveUp(Survivor survivor, Runnable done) {
        move(survivor, message, done);
    }

    @Override
    public void move(Survivor survivor, StoredMessage read, Runnable done) {
        store.writer(loop).moveRetained(message, new EntryAction() {
            @Override
            protected void onCommitted(long position, int bytes) {
                retained.stored(message, new StoredMessage(message, position, bytes));
                done.run();
            }
        });
    }
}
