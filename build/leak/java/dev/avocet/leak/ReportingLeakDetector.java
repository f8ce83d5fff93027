package dev.avocet.leak;

import io.netty.util.ResourceLeakDetector;

/** Prints each leak to the standard error, whatever the module's logging looks like; the build searches for it. */
public final class ReportingLeakDetector<T> extends ResourceLeakDetector<T> {
    public ReportingLeakDetector(final Class<?> resourceType, final int samplingInterval) {
        super(resourceType, samplingInterval);
    }

    @Override
    protected boolean needReport() {
        return true;
    }

    @Override
    protected void reportTracedLeak(final String resourceType, final String records) {
        System.err.println("LEAK: " + resourceType + ".release() was not called." + records);
    }

    @Override
    protected void reportUntracedLeak(final String resourceType) {
        System.err.println("LEAK: " + resourceType + ".release() was not called.");
    }
}
