package dev.avocet.leak;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Netty reports a leak only when the lost buffer has been collected and another one is allocated. This listener forces
 * both after each test class, so that the report stands in that class's output.
 */
public final class LeakProvoker implements TestExecutionListener {
    private static final List<ByteBufAllocator> ALLOCATORS = List.of(
            new AdaptiveByteBufAllocator(), new PooledByteBufAllocator(), new UnpooledByteBufAllocator(true));

    @Override
    public void executionFinished(final TestIdentifier test, final TestExecutionResult result) {
        if (test.getSource().filter(ClassSource.class::isInstance).isPresent()) {
            for (int round = 0; round < 2; round++) {
                System.gc();
                ALLOCATORS.forEach(allocator -> allocator.buffer(16).release());
            }
        }
    }
}
