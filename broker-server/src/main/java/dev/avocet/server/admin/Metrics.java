package dev.avocet.server.admin;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** All metrics of the process, in the Prometheus format. Any thread. */
final class Metrics implements AutoCloseable {
    /** The version of the text format that every Prometheus reads. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    /** Whatever the meters look at must be held here: the registry does not keep it from being collected. */
    private final Queue<MeterBinder> bound = new ConcurrentLinkedQueue<>();

    Metrics() {
        bind(new JvmMemoryMetrics());
        bind(new JvmThreadMetrics());
        bind(new ClassLoaderMetrics());
        bind(new ProcessorMetrics());
        bind(new UptimeMetrics());
        bind(new FileDescriptorMetrics());
        bind(collections);
    }

    void bind(MeterBinder meters) {
        bound.add(meters);
        meters.bindTo(registry);
    }

    String scrape() {
        return registry.scrape(CONTENT_TYPE);
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
