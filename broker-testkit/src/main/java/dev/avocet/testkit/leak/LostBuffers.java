package dev.avocet.testkit.leak;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that has lost a buffer. Netty notices a lost buffer once it has been collected and another one is
 * allocated; this extension does both after each class that has allocated any.
 *
 * <p>JUnit finds it by itself. A buffer that another engine's class (jqwik) has lost is found after the next class of
 * the same JVM.
 */
public final class LostBuffers implements AfterAllCallback {
    private static final long COLLECTION_TIMEOUT_MS = 2_000;
    private static final List<ByteBufAllocator> ALLOCATORS =
            List.of(new AdaptiveByteBufAllocator(), new PooledByteBufAllocator(), new UnpooledByteBufAllocator(true));

    /** Called by JUnit. */
    public LostBuffers() {}

    @Override
    public void afterAll(final ExtensionContext context) throws InterruptedException {
        if (isOutermost(context)) {
            failIfAnyWasLost();
        }
    }

    static void failIfAnyWasLost() throws InterruptedException {
        if (!BufferTracker.trackedSomething()) {
            return;
        }
        collect();
        ALLOCATORS.forEach(allocator -> allocator.buffer(16).release());
        BufferTracker.trackedSomething(); // its own three
        final List<String> lost = BufferTracker.takeLost();
        if (!lost.isEmpty()) {
            throw new AssertionError(lost.size()
                    + " buffers were not released, by this class or one that this JVM ran before it."
                    + " Run it with -Pleak to see where each was touched last.\n" + String.join("\n", lost));
        }
    }

    private static boolean isOutermost(final ExtensionContext context) {
        return context.getParent().flatMap(ExtensionContext::getTestClass).isEmpty();
    }

    /**
     * Returns once the collector has told of an object that was lost just before. It tells of objects in an order of
     * its own: others that were lost before are all told of when the second call returns.
     */
    static void collect() throws InterruptedException {
        final ReferenceQueue<Object> collected = new ReferenceQueue<>();
        final WeakReference<Object> lost = new WeakReference<>(new Object(), collected);
        System.gc();
        if (collected.remove(COLLECTION_TIMEOUT_MS) == null) {
            throw new AssertionError("the collector has not run: " + lost);
        }
    }
}
