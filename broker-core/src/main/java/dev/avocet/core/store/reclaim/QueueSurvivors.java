package dev.avocet.core.store.reclaim;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.store.write.EntryAction;
import dev.avocet.core.store.write.RunningStore;

/** A durable queue as a holder of references that are to be moved. */
record QueueSurvivors(MessageQueue queue, RunningStore store) implements SurvivorHolder {
    @Override
    public IoLoop loop() {
        return queue.home();
    }

    @Override
    public void move(Survivor survivor, StoredMessage message, Runnable done) {
        IoLoop home = queue.home();
        if (!home.inLoop()) {
            home.execute(() -> move(survivor, message, done)); // its session has changed loops
        } else if (queue.isClosed()) {
            done.run();
        } else {
            store.writer(home)
                    .move(message, queue.durableId(), survivor.reference(), survivor.options(), new EntryAction() {
                        @Override
                        protected void onCommitted(long position, int bytes) {
                            moved(survivor, position, bytes);
                            done.run();
                        }
                    });
        }
    }

    @Override
    public void giveUp(Survivor survivor, Runnable done) {
        IoLoop home = queue.home();
        if (!home.inLoop()) {
            home.execute(() -> giveUp(survivor, done));
            return;
        }
        if (!queue.isClosed()) {
            queue.lose(survivor.reference(), survivor.position());
        }
        done.run();
    }

    /** Points the reference to the new place; the queue releases the one that is left. */
    private void moved(Survivor survivor, long position, int bytes) {
        IoLoop home = queue.home();
        if (home.inLoop()) {
            queue.moved(survivor.reference(), position, bytes);
        } else {
            home.execute(() -> moved(survivor, position, bytes));
        }
    }
}
