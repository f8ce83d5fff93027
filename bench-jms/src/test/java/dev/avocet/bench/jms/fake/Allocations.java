package dev.avocet.bench.jms.fake;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import jakarta.jms.JMSException;
import java.lang.management.ManagementFactory;

/** Counts what the calling thread allocates for messages, whatever the time it takes. */
public final class Allocations {
    public static final int MANY = 102_000;
    private static final int FEW = 2_000;

    /** Of a hundred thousand messages; what the JVM itself puts on a thread now and then. */
    private static final long SLACK_BYTES = 16_384;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A path of messages. */
    public interface Path {
        /**
         * Makes what is made once for a run; what is returned takes so many messages along the path, on the calling
         * thread.
         */
        Runnable prepare(int messages) throws JMSException;
    }

    private Allocations() {}

    /** Ends with a run of {@link #MANY}. */
    public static void assertNonePerMessage(Path path) throws JMSException {
        // given a run that has warmed up
        allocatedBytes(path, FEW);

        // when
        long fewBytes = allocatedBytes(path, FEW);
        long manyBytes = allocatedBytes(path, MANY);

        // then
        assertThat(manyBytes - fewBytes).isLessThan(SLACK_BYTES);
    }

    private static long allocatedBytes(Path path, int messages) throws JMSException {
        Runnable run = path.prepare(messages);
        long beforeBytes = THREADS.getCurrentThreadAllocatedBytes();
        run.run();
        return THREADS.getCurrentThreadAllocatedBytes() - beforeBytes;
    }
}
