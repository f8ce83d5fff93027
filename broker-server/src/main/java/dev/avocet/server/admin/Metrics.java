package dev.avocet.server.admin;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.jmx.JmxConfig;
import io.micrometer.jmx.JmxMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** All metrics of the process, in the Prometheus format and, if that is wanted, as JMX beans. Any thread. */
final class Metrics implements AutoCloseable {
    /** The version of the text format that every Prometheus reads. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Of the names of JMX beans. */
    static final String JMX_DOMAIN = "avocet";

    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
    private final List<MeterRegistry> shown = new ArrayList<>();
    private final JvmGcMetrics collections = new JvmGcMetrics();
    /** Whatever the meters look at must be held here: the registry does not keep it from being collected. */
    private final Queue<MeterBinder> bound = new ConcurrentLinkedQueue<>();

    Metrics(boolean jmx) {
        registry.config().meterFilter(new PrometheusConventions());
        shown.add(prometheus);
        if (jmx) {
            shown.add(new JmxMeterRegistry(new Domain(), Clock.SYSTEM));
        }
        shown.forEach(registry::add);
        bind(new JvmMemoryMetrics());
        bind(new JvmThreadMetrics());
        bind(new ClassLoaderMetrics());
        bind(new ProcessorMetrics());
        bind(new ProcessorTimeMeter());
        bind(new UptimeMetrics());
        bind(new FileDescriptorMetrics());
        bind(collections);
    }

    void bind(MeterBinder meters) {
        bound.add(meters);
        meters.bindTo(registry);
    }

    /** Shows meters until the scope is closed. */
    MeterScope bindWhileOpen(List<MeterBinder> meters) {
        return new MeterScope(shown, meters);
    }

    String scrape() {
        return prometheus.scrape(CONTENT_TYPE);
    }

    @Override
    public void close() {
        collections.close();
        registry.getRegistries().forEach(MeterRegistry::close);
        registry.close();
    }

    private static final class Domain implements JmxConfig {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        @Override
        public String domain() {
            return JMX_DOMAIN;
        }
    }
}
