package dev.avocet.server.broker;

import dev.avocet.core.config.object.security.LoginSource;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.security.admission.AnonymousAdmission;
import dev.avocet.core.security.admission.AnonymousWhileNobodyIsKnown;
import dev.avocet.core.security.admission.NullPasswordAdmission;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.provider.CertificateAuthenticator;
import dev.avocet.core.security.provider.CertificateUse;
import dev.avocet.core.security.provider.ChainAuthenticator;
import dev.avocet.core.security.provider.LocalUsers;
import dev.avocet.core.security.provider.LoginChain;
import dev.avocet.core.security.provider.LoginThreads;
import dev.avocet.core.security.provider.TokenAuthenticator;
import dev.avocet.core.security.throttle.LoginThrottle;
import dev.avocet.core.security.throttle.LoginThrottleOptions;
import dev.avocet.core.security.throttle.ThrottledAuthenticator;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.UserStore;
import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.TlsContext;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.core.tls.ticket.TicketSource;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.certificates.ProfileTls;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.config.SecurityConfig;
import dev.avocet.server.config.UserConfig;
import dev.avocet.server.directory.DirectoryProvider;
import dev.avocet.server.ltpa.LtpaProviders;
import dev.avocet.server.oauth.OAuthProviders;
import dev.avocet.server.users.UserDirectory;
import dev.avocet.server.users.UserDirectoryException;
import dev.avocet.server.users.UserEntry;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may come in: users, the throttle, the threads that check passwords, and TLS for the endpoints that have it. One
 * thread, {@code security-files}, looks every few seconds whether files have changed.
 */
final class BrokerSecurity implements MeterBinder, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerSecurity.class);
    private static final String FOLDER = "security";
    private static final String USER_FILE = "users.json";
    private static final long LOOK_INTERVAL_S = 2;
    private static final int MOST_NAMED = 100;
    private static final int PASSWORD_THREADS = 2;
    private static final int MOST_WAITING = 1_024;

    private final SecurityConfig config;
    private final TicketSource tickets;
    private final Clock clock;
    private final UserDirectory directory;
    private final UserStore users;
    private final LoginThreads threads = new LoginThreads("authn", PASSWORD_THREADS, MOST_WAITING);
    private final ScheduledThreadPoolExecutor timer = timer();
    private final LocalUsers localUsers;
    private final DirectoryProvider ldap;
    private final OAuthProviders oauth;
    private final LtpaProviders ltpa;
    private final LoginThrottle throttle;
    private final Authenticator passwords;
    private final Map<String, SecureEndpoint> secured = new ConcurrentHashMap<>();
    private final CertificateExpiry certificates;
    private final ScheduledExecutorService watcher = watcher();

    private BrokerSecurity(SecurityConfig config, Path folder, Path files, TicketSource tickets, Clock clock)
            throws CannotSecureException {
        SecureRandom random = new SecureRandom();
        boolean fips = config.fips();
        PasswordHasher hasher = new PasswordHasher(random);
        this.config = config;
        this.certificates = new CertificateExpiry(files);
        this.tickets = tickets;
        this.clock = clock;
        this.directory = directory(folder.resolve(USER_FILE), fips ? null : hasher, random);
        this.users = config.userStore().orElse(directory);
        this.throttle = new LoginThrottle(
                config.throttleLogins() ? LoginThrottleOptions.DEFAULT : LoginThrottleOptions.OFF, clock);
        this.localUsers = new LocalUsers(users, hasher, threads, random);
        this.ldap = new DirectoryProvider(files, clock, timer);
        this.oauth = new OAuthProviders(files, fips, clock, timer);
        this.ltpa = new LtpaProviders(files, fips, clock, timer);
        this.passwords = throttled(chain(EnumSet.allOf(LoginSource.class), ""));
    }

    /** @param tickets gives the keys of session tickets to endpoints */
    static BrokerSecurity open(
            SecurityConfig config,
            List<EndpointConfig> endpoints,
            Path dataDirectory,
            TicketSource tickets,
            Clock clock)
            throws CannotSecureException {
        ApprovedCryptography.require(config.fips());
        Path folder = dataDirectory.resolve(FOLDER);
        BrokerSecurity security = new BrokerSecurity(
                config, folder, UploadedFiles.of(dataDirectory).folder(), tickets, clock);
        security.warnOfHashes();
        try {
            for (EndpointConfig endpoint : endpoints) {
                if (endpoint.tls().enabled()) {
                    security.secure(endpoint.name(), SecurityOptions.tls(endpoint.tls(), folder));
                }
            }
        } catch (CannotSecureException e) {
            security.close();
            throw e;
        }
        var unused = security.watcher.scheduleWithFixedDelay(
                security::lookAfterFiles, LOOK_INTERVAL_S, LOOK_INTERVAL_S, TimeUnit.SECONDS);
        return security;
    }

    /** When the certificates of CertificateProfile objects run out; has to hear of changes of those. */
    CertificateExpiry certificates() {
        return certificates;
    }

    BrokerUsers users() {
        return new BrokerUsers(
                directory, users, config.users().stream().map(UserConfig::name).collect(Collectors.toSet()));
    }

    /** The directory; has to hear of changes of the LDAP object. */
    DirectoryProvider directory() {
        return ldap;
    }

    /** The servers of tokens; have to hear of changes of OAuthProfile objects. */
    OAuthProviders tokens() {
        return oauth;
    }

    /** The keys of LTPA tokens; have to hear of changes of LTPAProfile objects. */
    LtpaProviders ltpaTokens() {
        return ltpa;
    }

    /**
     * Those who are asked about a login, in order; no login waits here because others failed.
     *
     * @param tokenProfile the name of an OAuthProfile, or empty
     */
    LoginChain chain(Set<LoginSource> sources, String tokenProfile) {
        List<LoginProvider> providers = new ArrayList<>();
        if (!tokenProfile.isEmpty()) {
            providers.add(oauth.provider(tokenProfile));
        }
        if (sources.contains(LoginSource.LOCAL_USERS)) {
            providers.add(localUsers);
        }
        if (sources.contains(LoginSource.LDAP)) {
            providers.add(ldap);
        }
        return new LoginChain(providers);
    }

    /** Makes TLS ready for an endpoint. */
    void secure(String endpoint, TlsOptions options) throws CannotSecureException {
        if (config.fips() && options.extras().preSharedKeys() != null) {
            throw new CannotSecureException(
                    "endpoint '" + endpoint + "': PreSharedKeys cannot be used with security.fips,"
                            + " as they are served by a library that is not validated; make PreSharedKeys of the SecurityProfile"
                            + " empty");
        }
        TlsOptions used = config.fips() ? options.approvedOnly() : options;
        secured.put(endpoint, SecureEndpoint.open(endpoint, used, tickets, clock));
    }

    /** Whether only what FIPS 140 approves is used. */
    boolean fips() {
        return config.fips();
    }

    private void warnOfHashes() {
        if (config.fips()) {
            List<String> unusable = directory.users().stream()
                    .filter(user -> user.hasPassword() && !user.scram())
                    .map(UserEntry::name)
                    .toList();
            LOG.info("security.fips is on: TLS with approved cipher suites, and passwords by PBKDF2");
            if (!unusable.isEmpty()) {
                LOG.warn(
                        "{} users have a password that is kept by Argon2id alone, which FIPS 140 does not approve. They"
                                + " cannot log in until they get a new one with 'broker-admin user update': {}",
                        unusable.size(),
                        String.join(", ", unusable.subList(0, Math.min(MOST_NAMED, unusable.size()))));
            }
        }
    }

    /** Forgets the TLS of an endpoint; connections that have it keep it. */
    void forget(String endpoint) {
        SecureEndpoint found = secured.remove(endpoint);
        if (found != null) {
            found.close();
        }
    }

    /** TLS of an endpoint, or null. */
    @Nullable TlsContext tls(String endpoint) {
        SecureEndpoint found = secured.get(endpoint);
        return found == null ? null : found.context();
    }

    /** Who decides about logins at an endpoint of the startup file, or at one without a profile. */
    Authenticator authenticator(EndpointConfig endpoint) {
        return authenticator(
                SecurityOptions.certificateUse(endpoint.tls()),
                config.allowsAnonymous(endpoint) ? orAnonymous(passwords) : passwords);
    }

    /** Who decides about logins at an endpoint with a profile. */
    Authenticator authenticator(SecurityProfile profile) {
        Authenticator asked = throttled(chain(profile));
        boolean byToken =
                !profile.tokenProfile().isEmpty() || !profile.ltpaProfile().isEmpty();
        Authenticator byPassword = profile.usePasswordAuthentication()
                ? asked
                : byToken ? new AnonymousAdmission(asked) : orAnonymous(asked);
        Authenticator others = profile.allowNullPassword() ? new NullPasswordAdmission(users, byPassword) : byPassword;
        return authenticator(
                ProfileTls.certificateUse(profile),
                byToken ? new TokenAuthenticator(request -> tokenOf(profile, request), asked, others) : others);
    }

    private LoginChain chain(SecurityProfile profile) {
        LoginChain others = chain(profile.authenticators(), profile.tokenProfile());
        return profile.ltpaProfile().isEmpty() ? others : others.after(ltpa.provider(profile.ltpaProfile(), others));
    }

    private byte @Nullable [] tokenOf(SecurityProfile profile, LoginRequest request) {
        return profile.ltpaProfile().isEmpty()
                ? oauth.tokenOf(profile.tokenProfile(), request)
                : ltpa.tokenOf(profile.ltpaProfile(), request);
    }

    private Authenticator throttled(LoginChain chain) {
        return new ThrottledAuthenticator(new ChainAuthenticator(chain), throttle);
    }

    private Authenticator authenticator(CertificateUse use, Authenticator byPassword) {
        return use.equals(CertificateUse.NONE) ? byPassword : new CertificateAuthenticator(use, users, byPassword);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("avocet.logins.waiting", threads, LoginThreads::waiting)
                .description("Logins whose password waits to be checked")
                .register(registry);
        ldap.bindTo(registry);
        oauth.bindTo(registry);
        ltpa.bindTo(registry);
        secured.values().forEach(endpoint -> endpoint.bindTo(registry));
        certificates.bindTo(registry);
    }

    @Override
    public void close() {
        watcher.shutdownNow();
        threads.close();
        ldap.close();
        oauth.close();
        ltpa.close();
        timer.shutdownNow();
        secured.values().forEach(SecureEndpoint::close);
    }

    /** Where no user is known, every name is as good as none. */
    private Authenticator orAnonymous(Authenticator byPassword) {
        boolean mayKnowNobody = config.users().isEmpty() && !config.userFile();
        return mayKnowNobody
                ? new AnonymousWhileNobodyIsKnown(() -> directory.isEmpty() && !ldap.isActive(), byPassword)
                : new AnonymousAdmission(byPassword);
    }

    private void lookAfterFiles() {
        try {
            secured.values().forEach(SecureEndpoint::lookAfter);
            certificates.lookAfter();
            directory.reloadIfChanged();
        } catch (UserDirectoryException e) {
            LOG.error("The users and groups stay as they were: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("Looking after users and certificates failed; it is tried again", e);
        }
    }

    private static UserDirectory directory(Path file, @Nullable PasswordHasher hasher, SecureRandom random)
            throws CannotSecureException {
        try {
            return UserDirectory.open(file, hasher, random);
        } catch (UserDirectoryException e) {
            throw new CannotSecureException("users", e);
        }
    }

    /** Ends the waiting for a directory that does not answer; what it does takes microseconds. */
    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "login-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    private static ScheduledExecutorService watcher() {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "security-files");
            thread.setDaemon(true);
            return thread;
        });
    }
}
