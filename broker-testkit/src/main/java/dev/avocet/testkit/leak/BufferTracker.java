package dev.avocet.testkit.leak;

import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Netty's leak detector, which keeps what it finds for {@link LostBuffers}. The build gives its name to Netty
 * ({@code io.netty.customResourceLeakDetector}), and Netty makes one for each kind of resource.
 */
public final class BufferTracker<T> extends ResourceLeakDetector<T> {
    /** Netty makes the detectors, so what they share with JUnit's extension cannot be handed to them. */
    private static final Queue<String> LOST = new ConcurrentLinkedQueue<>();

    private static volatile boolean tracked;

    /** Called by Netty. */
    public BufferTracker(final Class<?> resourceType, final int samplingInterval) {
        super(resourceType, samplingInterval);
    }

    /** Never called; Netty logs an error where it is missing. */
    public BufferTracker(final Class<?> resourceType, final int samplingInterval, final long maxActive) {
        this(resourceType, samplingInterval);
    }

    /** Whether a resource was tracked since this was asked last. */
    static boolean trackedSomething() {
        final boolean was = tracked;
        tracked = false;
        return was;
    }

    /** What was found since this was asked last: for each lost buffer where it was allocated and touched. */
    static List<String> takeLost() {
        final List<String> taken = List.copyOf(LOST);
        LOST.removeAll(taken);
        return taken;
    }

    /** Netty asks for this once for each resource that it tracks. */
    @Override
    protected @Nullable Object getInitialHint(final String resourceType) {
        tracked = true;
        return super.getInitialHint(resourceType);
    }

    @Override
    protected boolean needReport() {
        return true;
    }

    @Override
    protected void reportTracedLeak(final String resourceType, final String records) {
        LOST.add(resourceType + records);
    }

    @Override
    protected void reportUntracedLeak(final String resourceType) {
        LOST.add(resourceType);
    }
}
