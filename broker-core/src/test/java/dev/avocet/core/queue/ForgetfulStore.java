package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.reference.QueueStore;

/** Keeps nothing and reads nothing back, so that a measurement sees the queue alone. */
class ForgetfulStore implements QueueStore {
    @Override
    public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {}

    @Override
    public void delivered(long queueId, int count, long[] references, IoLoop caller) {}

    @Override
    public void abandoned(long position, int storedBytes) {}

    @Override
    public void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {}

    @Override
    public void lost(String queue, long position) {}

    @Override
    public boolean keepInMemory(int sizeBytes) {
        return false;
    }

    @Override
    public void letGo(int sizeBytes) {}
}
