package dev.avocet.server.broker;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.security.CertificateProfile;
import dev.avocet.core.tls.key.CertificateFacts;
import dev.avocet.core.tls.key.FileWatch;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.server.objects.ConfigurationListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells as a metric when the certificate of each CertificateProfile runs out. Blocks on the disk; any thread but event
 * loops.
 */
final class CertificateExpiry implements ConfigurationListener, MeterBinder {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateExpiry.class);

    private final Path folder;
    private final ReentrantLock lock = new ReentrantLock(); // for all that follows
    private List<CertificateProfile> profiles = List.of();
    private FileWatch watch = new FileWatch(List.of());
    private @Nullable MultiGauge gauges;

    /** @param folder where the certificates are */
    CertificateExpiry(Path folder) {
        this.folder = folder;
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        Collection<CertificateProfile> now = after.all(CertificateProfile.class);
        lock.lock();
        try {
            profiles = List.copyOf(now);
            watch = new FileWatch(profiles.stream().map(this::fileOf).toList());
            refresh();
        } finally {
            lock.unlock();
        }
    }

    /** Looks whether files have changed. */
    void lookAfter() {
        lock.lock();
        try {
            if (watch.hasChanged()) {
                refresh();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        lock.lock();
        try {
            gauges = MultiGauge.builder("avocet.certificate.expiry.seconds")
                    .description("When the certificate of a CertificateProfile expires, in seconds since 1970")
                    .register(registry);
            refresh();
        } finally {
            lock.unlock();
        }
    }

    private void refresh() {
        MultiGauge present = gauges;
        if (present == null) {
            return;
        }
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (CertificateProfile profile : profiles) {
            if (!Files.exists(fileOf(profile))) {
                continue; // the part that needs it says so
            }
            try {
                long expirySeconds =
                        CertificateFacts.of(fileOf(profile)).expiry().getEpochSecond();
                rows.add(MultiGauge.Row.of(Tags.of("profile", profile.name()), () -> expirySeconds));
            } catch (TlsException e) {
                LOG.warn(
                        "The certificate of CertificateProfile '{}' cannot be read: {}",
                        profile.name(),
                        e.getMessage());
            }
        }
        present.register(rows, true);
    }

    private Path fileOf(CertificateProfile profile) {
        return folder.resolve(profile.certificate());
    }
}
