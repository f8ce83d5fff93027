package dev.avocet.server.broker;

import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.TlsContext;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.core.tls.key.FileWatch;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.core.tls.ticket.TicketSource;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS of one endpoint, whose files are watched. Looked after by one thread; any thread may take its context. */
final class SecureEndpoint implements MeterBinder, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SecureEndpoint.class);
    private static final long REMINDER_MS = Duration.ofDays(1).toMillis();

    private final String name;
    private final TlsContext context;
    private final FileWatch watch;
    private final Clock clock;
    private long remindedAtMs;

    private SecureEndpoint(String name, TlsContext context, FileWatch watch, Clock clock) {
        this.name = name;
        this.context = context;
        this.watch = watch;
        this.clock = clock;
        this.remindedAtMs = clock.wallTimeMs();
    }

    static SecureEndpoint open(String endpoint, TlsOptions options, TicketSource tickets, Clock clock)
            throws CannotSecureException {
        try {
            FileWatch watch = new FileWatch(options.files()); // before they are read, so that no change is missed
            return new SecureEndpoint(endpoint, TlsContext.load(endpoint, options, tickets, clock), watch, clock);
        } catch (TlsException e) {
            throw new CannotSecureException("endpoint '" + endpoint + "'", e);
        }
    }

    TlsContext context() {
        return context;
    }

    /** Takes new files into use, and says once a day that a certificate runs out. */
    void lookAfter() {
        if (watch.hasChanged()) {
            reload();
        }
        context.refreshTickets();
        long nowMs = clock.wallTimeMs();
        if (nowMs - remindedAtMs >= REMINDER_MS) {
            remindedAtMs = nowMs;
            context.warnOfExpiry();
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "avocet.tls.certificate.expiry.seconds",
                        context,
                        source -> source.expiry().getEpochSecond())
                .description("When the certificate of an endpoint expires, in seconds since 1970")
                .tag("endpoint", name)
                .register(registry);
        Gauge.builder("avocet.tls.staple.expiry.seconds", context, SecureEndpoint::stapledUntil)
                .description(
                        "Until when clients get an OCSP answer about the endpoint's certificate; 0 while they do not")
                .tag("endpoint", name)
                .register(registry);
    }

    private static double stapledUntil(TlsContext context) {
        Instant until = context.stapledUntil();
        return until == null ? 0 : until.getEpochSecond();
    }

    @Override
    public void close() {
        context.close();
    }

    private void reload() {
        try {
            context.reload();
        } catch (TlsException e) {
            LOG.error(
                    "The new certificate of endpoint '{}' cannot be used, and the old one stays: {}",
                    name,
                    e.getMessage());
        }
    }
}
