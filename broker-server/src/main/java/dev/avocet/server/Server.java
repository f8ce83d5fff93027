package dev.avocet.server;

import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.DefaultConfiguration;
import dev.avocet.core.config.object.server.HighAvailability;
import dev.avocet.core.endpoint.OutputLease;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.ticket.SharedTickets;
import dev.avocet.core.tls.ticket.TicketSource;
import dev.avocet.server.admin.AdminListener;
import dev.avocet.server.admin.AdminRoutes;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.broker.ApprovedCryptography;
import dev.avocet.server.broker.InstanceOpener;
import dev.avocet.server.broker.ProcessStarter;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.broker.store.StoreFailureListener;
import dev.avocet.server.certificates.CertificateRules;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.config.MaskedConfig;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.console.ConsolePages;
import dev.avocet.server.export.ConfigurationCopy;
import dev.avocet.server.logging.AuditFile;
import dev.avocet.server.objects.ChangeOrigin;
import dev.avocet.server.objects.ConfigurationListener;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.process.CleanStore;
import dev.avocet.server.process.DataDirectory;
import dev.avocet.server.process.EndByAdministrator;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.StartException;
import dev.avocet.server.rest.RestApi;
import dev.avocet.server.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One broker process: data directory, administration and the broker itself, started in order and stopped in the reverse
 * order.
 *
 * <p>Started by the main thread, closed by whichever thread stops the process.
 */
final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private static final String OBJECTS_FOLDER = "config";
    private static final String AUDIT_FOLDER = "audit";

    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final AtomicBoolean isAdministered = new AtomicBoolean();
    private final ServerState state;
    private final ShownMeters meters = new ShownMeters();
    private final Launch launch;
    private final IntConsumer asked;
    private final StoreFailureListener onStoreFailed;

    private Server(Launch launch, ServerState state, IntConsumer asked, StoreFailureListener onStoreFailed) {
        this.launch = launch;
        this.state = state;
        this.asked = asked;
        this.onStoreFailed = onStoreFailed;
    }

    /**
     * Starts everything, and announces each part as it comes up; when one fails, nothing is left running.
     *
     * @param asked ends the process with a code, when an administrator wants that
     * @param onStoreFailed hears once when the store fails, and should end the process; from any thread, also during
     *     the start
     */
    static Server start(
            Launch launch,
            ProcessStarter starter,
            Announcement announcement,
            IntConsumer asked,
            StoreFailureListener onStoreFailed)
            throws StartException, InterruptedException {
        Server server = new Server(launch, new ServerState(launch.config().store()), asked, onStoreFailed);
        try {
            server.open(starter, announcement);
            return server;
        } catch (CannotListenException e) {
            server.close();
            throw new StartException(ExitCode.CANNOT_LISTEN, String.valueOf(e.getMessage()));
        } catch (CannotOpenStoreException e) {
            server.close();
            throw new StartException(ExitCode.STORE_UNUSABLE, String.valueOf(e.getMessage()));
        } catch (CannotSecureException e) {
            server.close();
            throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        } catch (StartException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    @Override
    public void close() {
        state.stopping();
        closers.forEach(Runnable::run);
        closers.clear();
    }

    private void open(ProcessStarter starter, Announcement announcement)
            throws StartException, CannotListenException, CannotOpenStoreException, CannotSecureException,
                    InterruptedException {
        ServerConfig config = launch.config();
        ApprovedCryptography.require(config.security().fips());
        DataDirectory data = DataDirectory.lock(launch.dataDirectory());
        closers.push(data::close);
        announcement.starting(data.path());
        new CleanStore(data.path()).fulfil(StoreLocation.of(config.store(), data.path()));
        ConfigurationStore objects = openObjects(data.path().resolve(OBJECTS_FOLDER));
        state.configuredBy(objects);
        disableSample(objects, config);
        objects.changeRule(new CertificateRules(UploadedFiles.of(data.path()), new SystemClock()));
        closers.push(objects::close);
        if (config.admin().enabled()) {
            AuditFile audit = new AuditFile(data.path().resolve(AUDIT_FOLDER));
            closers.push(audit::close);
            follow(objects, audit);
            RestApi rest = new RestApi(objects, state, config.security().throttleLogins());
            rest.auditTo(audit);
            rest.files(data.path());
            rest.control(new EndByAdministrator(new CleanStore(data.path()), MaskedConfig.of(config), asked));
            AdminPlacement placement = new AdminPlacement(
                    config.admin(), config.security().fips(), UploadedFiles.of(data.path()), new SystemClock());
            closers.push(placement::close);
            rest.administeredAt(placement::describe);
            AdminStart admin = AdminStart.bind(
                    placement.first(objects.current()),
                    listener -> startAdmin(listener, placement, config.admin().jmx(), objects, rest));
            closers.push(admin::close);
            serve(objects, starter, rest, announcement);
            announcement.administering(placement.place(), admin.port());
            becomeReady(config, announcement);
            admin.brokerRuns(server -> administer(server, objects, placement), this::adminFailed);
        } else {
            serve(objects, starter, null, announcement);
            becomeReady(config, announcement);
        }
    }

    private void becomeReady(ServerConfig config, Announcement announcement) {
        state.running();
        announcement.ready(config.store().mode(), ServerState.uptimeMs());
    }

    /** When the broker runs already, as it mostly does, the first answer knows of it. */
    private AdminServer startAdmin(
            AdminListener listener, AdminPlacement placement, boolean jmx, ConfigurationStore objects, RestApi rest)
            throws IOException {
        placement.makeCertificate();
        ConsolePages console = new ConsolePages(rest::webSocketEndpoints);
        AdminRoutes routes = http -> {
            rest.addTo(http);
            console.addTo(http);
        };
        return AdminServer.start(listener, state, routes, jmx, server -> {
            if (state.isRunning()) {
                administer(server, objects, placement);
            }
        });
    }

    /** Does nothing the second time. */
    private void administer(AdminServer admin, ConfigurationStore objects, AdminPlacement placement) {
        if (isAdministered.getAndSet(true)) {
            return;
        }
        meters.showIn(admin);
        placement.serve(admin);
        try {
            objects.addListener(placement);
        } catch (ConfigurationStoreException e) {
            LOG.warn("The administration stays where it is, whatever is changed: {}", e.getMessage());
        }
    }

    /** A mistake in here, as it listens already; unless the broker stops meanwhile, which takes away what it needs. */
    private void adminFailed(Throwable cause) {
        if (state.isStopping()) {
            LOG.debug("The administration has not started, as the broker stops", cause);
            return;
        }
        LOG.error("The administration cannot start, and the broker ends", cause);
        asked.accept(ExitCode.INTERNAL);
    }

    /** @param rest hears of the broker; null where there is no administration */
    private void serve(
            ConfigurationStore objects, ProcessStarter starter, @Nullable RestApi rest, Announcement announcement)
            throws CannotListenException, CannotOpenStoreException, CannotSecureException, StartException,
                    InterruptedException {
        ServerConfig config = launch.config();
        InstanceOpener process = starter.start(config);
        closers.push(process::close);
        meters.ofProcess(process.meters());
        ServedInstance instance = new ServedInstance(process, launch, objects, this::storeFailed, broker -> {
            meters.ofInstance(broker);
            if (rest != null) {
                rest.administer(broker);
            }
        });
        state.servedBy(instance);
        closers.push(instance::close);
        closers.push(objects::close); // before the broker, so that no change comes while it closes
        StoreOfPair.check(launch);
        PairConfig pair = launch.pair();
        if (pair == null) {
            announce(instance.open(null, OutputLease.ALWAYS, TicketSource.OWN), announcement);
        } else {
            pair(pair, process, instance, objects, rest, announcement);
        }
    }

    /** Returns when this node serves clients or follows the one that does, or has waited for that. */
    private void pair(
            PairConfig pair,
            InstanceOpener process,
            ServedInstance instance,
            ConfigurationStore objects,
            @Nullable RestApi rest,
            Announcement announcement)
            throws StartException, InterruptedException {
        PairReport report = new PairReport(pair, announcement);
        state.memberOf(report);
        meters.ofPair(new PairMeters(report, new SystemClock()));
        StandbyDoor standby = new StandbyDoor(process, launch, pair, objects);
        SharedTickets tickets = new SharedTickets();
        TakeoverRehearsal rehearsal = new TakeoverRehearsal(launch, new SystemClock());
        PairServing serving = new PairServing(
                instance,
                standby,
                new ConfigurationCopy(objects, launch.dataDirectory(), tickets),
                tickets,
                report,
                rehearsal,
                broker -> announce(broker, announcement),
                why -> storeFailed(new JournalException(why)));
        PairedServer member = PairedServer.start(
                launch, pair, objects.current().single(HighAvailability.class), process, serving, report);
        closers.push(standby::close);
        closers.push(member::close);
        closers.push(rehearsal::close);
        member.follow(objects);
        tickets.onChange(member::ticketsChanged);
        if (rest != null) {
            rest.pair(member);
        }
        report.awaitSettled();
    }

    private void announce(RunningBroker broker, Announcement announcement) {
        announcement.listening(launch.config().endpoints(), broker.endpoints());
        warnIfNobodyListens();
        announcement.listening(broker.objectEndpoints());
    }

    private static void follow(ConfigurationStore objects, ConfigurationListener listener) throws StartException {
        try {
            objects.addListener(listener);
        } catch (ConfigurationStoreException e) {
            throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private void warnIfNobodyListens() {
        if (state.isMaintenance()) {
            LOG.warn("No endpoint listens, as an administrator has begun maintenance mode");
        } else if (!launch.objectsListen()) {
            LOG.info("Clients are served where --endpoint says; endpoints that are objects do not listen");
        } else if (state.endpoints().isEmpty()) {
            LOG.warn("No endpoint listens, so no client can connect; enable one, or name one with --endpoint");
        }
    }

    /**
     * Who lists endpoints in the startup file must not get one more by surprise: as long as no administrator has
     * changed the objects, the sample is disabled then.
     */
    private void disableSample(ConfigurationStore objects, ServerConfig config) throws StartException {
        boolean untouched = objects.current().version() == DefaultConfiguration.VERSION;
        if (untouched && launch.objectsListen() && !config.endpoints().isEmpty()) {
            try {
                var unused = objects.make(
                        DefaultConfiguration.withoutEndpoint(),
                        DefaultConfiguration.VERSION,
                        ChangeOrigin.ofBroker("first start, with endpoints in the startup file"));
            } catch (ConfigurationRefusedException | ConfigurationStoreException e) {
                throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()));
            }
        }
    }

    private static ConfigurationStore openObjects(Path folder) throws StartException {
        try {
            return ConfigurationStore.open(folder);
        } catch (ConfigurationStoreException e) {
            throw new StartException(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private void storeFailed(Throwable cause) {
        if (state.storeFailed()) {
            logFailure(cause);
            onStoreFailed.onStoreFailed(cause);
        }
    }

    /** A disk that fails is told in a line; where the reason is in here, the trace tells where. */
    private static void logFailure(Throwable cause) {
        String what = "The store has failed; nothing is acknowledged any more, and the broker ends";
        if (cause instanceof IOException) {
            LOG.error("{}: {}", what, cause.getMessage());
            LOG.debug("Where it has failed", cause);
        } else {
            LOG.error(what, cause);
        }
    }
}
