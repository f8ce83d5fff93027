package dev.avocet.server.broker;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/** That of this process. */
final class JvmHeap implements Heap {
    private final Runtime runtime = Runtime.getRuntime();
    private final List<MemoryPoolMXBean> old = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
            .filter(pool -> !pool.getName().contains("Eden") && !pool.getName().contains("Survivor"))
            .toList();

    @Override
    public long maxBytes() {
        return runtime.maxMemory();
    }

    @Override
    public long usedBytes() {
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Override
    public long survivedBytes() {
        long sum = 0;
        for (MemoryPoolMXBean pool : old) {
            MemoryUsage afterCollection = pool.getCollectionUsage();
            sum += afterCollection == null ? 0 : afterCollection.getUsed();
        }
        return sum;
    }

    @Override
    public void collect() {
        ManagementFactory.getMemoryMXBean().gc();
    }
}
