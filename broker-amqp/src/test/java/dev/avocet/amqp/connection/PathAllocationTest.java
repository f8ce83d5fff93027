package dev.avocet.amqp.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the broker allocates for a message of 256 bytes that arrives: it was more than twice that with ProtonJ2. */
final class PathAllocationTest {
    private static final int WARM_UP_TURNS = 50;
    private static final int TURNS = 200;

    @ParameterizedTest
    @CsvSource({"QUEUE, 2400", "TOPIC, 400"}) // the buffers are tracked here, which takes some of it
    void shouldAllocateLittleMoreThanTheMessage(PathWork work, long mostBytes) {
        try (PathRig rig = new PathRig(work)) {
            // given
            assertThat(turns(rig, WARM_UP_TURNS)).isPositive();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

            // when
            long before = threads.getCurrentThreadAllocatedBytes();
            long messages = turns(rig, TURNS);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            // then
            assertThat(allocated / messages).isLessThan(mostBytes);
        }
    }

    private static long turns(PathRig rig, int count) {
        long messages = 0;
        for (int turn = 0; turn < count; turn++) {
            messages += rig.turn();
        }
        return messages;
    }
}
