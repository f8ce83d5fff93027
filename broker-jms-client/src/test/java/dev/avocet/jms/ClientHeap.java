package dev.avocet.jms;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.LongStream;

/** What the client takes from the heap, counted by the JVM: on its event loops, and on the thread that calls it. */
final class ClientHeap {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final long[] ids;

    /** Of the calling thread and of the event loops that there are now. */
    ClientHeap() {
        final LongStream loops = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(info -> info != null && info.getThreadName().startsWith("avocet-jms"))
                .mapToLong(info -> info.getThreadId());
        this.ids = LongStream.concat(LongStream.of(Thread.currentThread().getId()), loops)
                .toArray();
    }

    long allocatedBytes() {
        return Arrays.stream(threads.getThreadAllocatedBytes(ids)).sum();
    }
}
