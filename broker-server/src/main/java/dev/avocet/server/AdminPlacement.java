package dev.avocet.server;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.JavaTls;
import dev.avocet.core.tls.LookUps;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.core.tls.key.FileWatch;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.server.admin.AdminPlace;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.certificates.DefaultCertificate;
import dev.avocet.server.certificates.ProfileTls;
import dev.avocet.server.certificates.UnusableProfileException;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.config.AdminConfig;
import dev.avocet.server.objects.ConfigurationListener;
import dev.avocet.server.process.HostAndPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the administration where the AdminEndpoint says, and its certificate as the files are. A section {@code admin}
 * of the startup file, or {@code --admin}, that names another address than the usual one, comes first. Any thread but
 * event loops.
 */
final class AdminPlacement implements ConfigurationListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminPlacement.class);
    private static final String EVERYWHERE = "All";
    private static final String EVERY_ADDRESS = "::";
    private static final String LOOPBACK = "127.0.0.1";
    private static final long LOOK_INTERVAL_S = 2;
    private static final Duration WARNING_TIME = Duration.ofDays(30);
    private static final long REMINDER_MS = Duration.ofDays(1).toMillis();

    private final AdminConfig startup;
    private final boolean fips;
    private final UploadedFiles files;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock(); // for all that follows
    private final ScheduledExecutorService watcher = watcher();
    private FileWatch watch = new FileWatch(List.of());
    private @Nullable AdminServer server;
    private @Nullable Wanted served;
    private @Nullable AdminPlace place;
    private @Nullable LookUps lookUps;
    private String problem = "";
    private long remindedAtMs = Long.MIN_VALUE;

    /** @param fips whether only cipher suites are offered that FIPS 140 approves */
    AdminPlacement(AdminConfig startup, boolean fips, UploadedFiles files, Clock clock) {
        this.fips = fips;
        this.startup = startup;
        this.files = files;
        this.clock = clock;
    }

    /** Where to begin. When the profile is of no use, on this machine only, so that it can be mended. */
    AdminPlace first(Configuration configuration) {
        lock.lock();
        try {
            if (profile(configuration) != null) {
                makeCertificate();
            }
            Wanted wanted = wanted(configuration);
            LookUps found = lookUps(wanted);
            use(found);
            place = place(wanted, found);
            served = wanted;
            watch = watch(wanted);
            return place;
        } catch (TlsException | UnusableProfileException e) {
            int port = address(configuration).getPort();
            LOG.error(
                    "The administration listens on {} port {} only, and in plain text: {}",
                    LOOPBACK,
                    port,
                    e.getMessage());
            place = new AdminPlace(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), null);
            return place;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes the certificate that profiles may name, where there is none. Takes a large part of a second; to be done
     * before the administration answers, so that it can be named at once.
     */
    void makeCertificate() {
        DefaultCertificate.makeIfMissing(files, clock);
    }

    /** It listens there now, and can be moved. */
    void serve(AdminServer started) {
        lock.lock();
        try {
            server = started;
        } finally {
            lock.unlock();
        }
        var unused = watcher.scheduleWithFixedDelay(this::look, LOOK_INTERVAL_S, LOOK_INTERVAL_S, TimeUnit.SECONDS);
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        lock.lock();
        try {
            apply(after);
        } finally {
            lock.unlock();
        }
    }

    /** Where it listens, with the port as it was asked for. */
    AdminPlace place() {
        lock.lock();
        try {
            return Objects.requireNonNull(place, "it has not begun");
        } finally {
            lock.unlock();
        }
    }

    /** Where it is, for the administrator who has just changed that. */
    String describe() {
        lock.lock();
        try {
            return problem.isEmpty()
                    ? "The administration listens at " + (served == null ? "its first address" : served) + " now."
                    : problem;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        watcher.shutdownNow();
        lock.lock();
        try {
            use(null);
        } finally {
            lock.unlock();
        }
    }

    private void apply(Configuration configuration) {
        AdminServer present = server;
        if (present == null) {
            return;
        }
        try {
            Wanted wanted = wanted(configuration);
            if (!wanted.equals(served)) {
                move(present, wanted);
                LOG.info("The administration listens at {} from now on", wanted);
            }
            problem = "";
        } catch (TlsException | UnusableProfileException e) {
            stays(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            stays("port " + address(configuration).getPort() + " cannot be used: " + CannotListenException.reason(e));
        }
    }

    private void move(AdminServer present, Wanted wanted) throws TlsException, IOException {
        LookUps found = lookUps(wanted);
        try {
            AdminPlace next = place(wanted, found);
            present.moveTo(next);
            place = next;
        } catch (TlsException | IOException e) {
            if (found != null) {
                found.close();
            }
            throw e;
        }
        use(found);
        served = wanted;
        watch = watch(wanted);
    }

    /** Those from before are not asked any more: no new connection comes to the old address. */
    private void use(@Nullable LookUps next) {
        LookUps before = lookUps;
        lookUps = next;
        if (before != null) {
            before.close();
        }
    }

    private void stays(String why) {
        problem = "The administration stays at " + (served == null ? "its address" : served) + ": " + why;
        LOG.error("{}", problem);
    }

    private Wanted wanted(Configuration configuration) throws UnusableProfileException {
        SecurityProfile profile = profile(configuration);
        TlsOptions options = profile == null ? null : ProfileTls.options(configuration, profile, files.folder());
        return new Wanted(address(configuration), options != null && fips ? options.approvedOnly() : options);
    }

    private static @Nullable SecurityProfile profile(Configuration configuration) {
        return configuration
                .find(
                        SecurityProfile.class,
                        configuration.single(AdminEndpoint.class).securityProfile())
                .orElse(null);
    }

    private InetSocketAddress address(Configuration configuration) {
        boolean fixed =
                startup.port() != AdminConfig.DEFAULT_PORT || !startup.host().equals(AdminConfig.DEFAULT_HOST);
        if (fixed) {
            return new InetSocketAddress(startup.host(), startup.port());
        }
        AdminEndpoint endpoint = configuration.single(AdminEndpoint.class);
        return new InetSocketAddress(
                endpoint.address().equals(EVERYWHERE) ? EVERY_ADDRESS : endpoint.address(), endpoint.port());
    }

    /** How it is found out whether certificates are revoked; null without TLS. */
    private @Nullable LookUps lookUps(Wanted wanted) {
        return wanted.tls == null ? null : LookUps.open("administration", wanted.tls, clock);
    }

    private static AdminPlace place(Wanted wanted, @Nullable LookUps lookUps) throws TlsException {
        TlsOptions options = wanted.tls;
        return new AdminPlace(
                wanted.address, options == null || lookUps == null ? null : JavaTls.load(options, lookUps));
    }

    private static FileWatch watch(Wanted wanted) {
        return new FileWatch(wanted.tls == null ? List.of() : wanted.tls.files());
    }

    private void look() {
        lock.lock();
        try {
            TlsOptions options = served == null ? null : served.tls;
            AdminServer present = server;
            LookUps current = lookUps;
            if (options != null && present != null && current != null && watch.hasChanged()) {
                JavaTls renewed = JavaTls.load(options, current);
                present.renew(renewed);
                place = new AdminPlace(served.address, renewed);
                LOG.info("The administration has a new certificate, valid until {}", renewed.expiry());
            }
            remind();
        } catch (TlsException e) {
            LOG.error(
                    "The new certificate of the administration cannot be used, and the old one stays: {}",
                    e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    private void remind() {
        JavaTls present = place == null ? null : place.tls();
        long nowMs = clock.wallTimeMs();
        if (present == null || (remindedAtMs != Long.MIN_VALUE && nowMs - remindedAtMs < REMINDER_MS)) {
            return;
        }
        remindedAtMs = nowMs;
        if (present.expiry().minus(WARNING_TIME).isBefore(Instant.ofEpochMilli(nowMs))) {
            LOG.warn("The certificate of the administration expires at {}; upload a new one", present.expiry());
        }
    }

    private static ScheduledExecutorService watcher() {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "admin-certificate");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** What the configuration asks for; two that are equal need no move. */
    private record Wanted(
            InetSocketAddress address, @Nullable TlsOptions tls) {
        @Override
        public String toString() {
            return (tls == null ? "http://" : "https://") + HostAndPort.show(address);
        }
    }
}
