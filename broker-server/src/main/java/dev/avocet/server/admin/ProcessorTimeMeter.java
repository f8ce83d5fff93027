package dev.avocet.server.admin;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** The processor time of this process, in seconds. */
final class ProcessorTimeMeter implements MeterBinder {
    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    @Override
    public void bindTo(MeterRegistry registry) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            FunctionCounter.builder("process.cpu.seconds", system, bean -> bean.getProcessCpuTime() / NS_PER_S)
                    .description("Processor time that the process has used")
                    .register(registry);
        }
    }
}
