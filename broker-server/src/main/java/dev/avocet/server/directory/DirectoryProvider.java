package dev.avocet.server.directory;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.config.object.security.ServerCheck;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.time.Clock;
import dev.avocet.server.objects.ConfigurationListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Path;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory that the LDAP object names, as one of those who are asked about logins. An object that cannot be used
 * lets no user in, until it is corrected. Thread-safe; changes come from the {@code configuration} thread.
 */
public final class DirectoryProvider implements LoginProvider, ConfigurationListener, MeterBinder, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryProvider.class);

    private final Path files;
    private final Clock clock;
    private final ScheduledExecutorService timer;
    private final DirectoryFigures figures = new DirectoryFigures();
    private volatile State state = State.NONE;

    /**
     * Asks no directory before a configuration says so.
     *
     * @param files where uploaded certificates are
     * @param timer fires when a login has waited too long
     */
    public DirectoryProvider(Path files, Clock clock, ScheduledExecutorService timer) {
        this.files = files;
        this.clock = clock;
        this.timer = timer;
    }

    @Override
    public boolean isActive() {
        return state.active;
    }

    @Override
    public boolean needsPassword() {
        return true;
    }

    @Override
    public void check(LoginQuestion question, Consumer<LoginVerdict> answer) {
        State now = state;
        if (now.directory != null) {
            now.directory.check(question, answer);
        } else if (now.active) {
            answer.accept(new LoginVerdict.Unavailable(now.problem, false));
        } else {
            answer.accept(LoginVerdict.NOT_MINE);
        }
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        LDAP wanted = after.single(LDAP.class);
        if (wanted.equals(state.ldap)) {
            return;
        }
        State old = state;
        state = stateFor(wanted);
        if (old.directory != null) {
            old.directory.close();
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "accepted", figures.accepted);
        counter(registry, "refused", figures.refused);
        counter(registry, "unknown", figures.unknown);
        counter(registry, "unavailable", figures.unavailable);
        counter(registry, "cached", figures.cached);
        gauge(registry, "avocet.ldap.waiting", "Logins that wait for the directory", Directory::waiting);
        gauge(
                registry,
                "avocet.ldap.connections.idle",
                "Connections to the directory that no login uses",
                Directory::idleConnections);
        gauge(
                registry,
                "avocet.ldap.up",
                "1 if the directory answered when it was asked last, or was not asked yet; 0 if not, or if there is none",
                directory -> directory.isAnswering() ? 1 : 0);
    }

    @Override
    public void close() {
        State old = state;
        state = State.NONE;
        if (old.directory != null) {
            old.directory.close();
        }
    }

    private State stateFor(LDAP wanted) {
        if (!wanted.isActive()) {
            return new State(wanted, false, null, "");
        }
        try {
            Directory directory = Directory.open(wanted, files, figures, clock, timer);
            LOG.info("Logins are checked with the directory at {}", wanted.url());
            warn(wanted);
            return new State(wanted, true, directory, "");
        } catch (UnusableDirectoryException e) {
            LOG.error("The LDAP object cannot be used, so no user of the directory can log in: {}", e.getMessage());
            return new State(wanted, true, null, String.valueOf(e.getMessage()));
        }
    }

    private static void warn(LDAP ldap) {
        boolean encrypted = ldap.startTls() || ldap.servers().stream().allMatch(url -> url.tls());
        if (!encrypted) {
            LOG.warn("The broker sends passwords to {} in plain text; use ldaps://, or set StartTLS", ldap.url());
        } else if (ldap.checkServerCert() == ServerCheck.DISABLE_VERIFY) {
            LOG.warn(
                    "The certificate of {} is not checked, so an attacker can read passwords; set CheckServerCert",
                    ldap.url());
        }
    }

    private static void counter(MeterRegistry registry, String result, LongAdder counted) {
        FunctionCounter.builder("avocet.ldap.logins", counted, LongAdder::sum)
                .tag("result", result)
                .description("Logins of the directory's users, by what became of them; cached ones asked nothing")
                .register(registry);
    }

    private void gauge(MeterRegistry registry, String name, String what, ToDoubleFunction<Directory> value) {
        Gauge.builder(name, this, provider -> {
                    Directory directory = provider.state.directory;
                    return directory == null ? 0 : value.applyAsDouble(directory);
                })
                .description(what)
                .register(registry);
    }

    /**
     * What the present LDAP object comes to.
     *
     * @param directory null when there is none, or it cannot be used
     * @param problem why it cannot be used
     */
    private record State(
            @Nullable LDAP ldap, boolean active, @Nullable Directory directory, String problem) {
        static final State NONE = new State(null, false, null, "");
    }
}
