package dev.avocet.server.rest;

import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.admin.AdminRoutes;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.endpoint.WebSocketEndpoint;
import dev.avocet.server.console.LiveFigures;
import dev.avocet.server.console.LiveStreams;
import dev.avocet.server.console.SessionCookie;
import dev.avocet.server.console.TraceStreams;
import dev.avocet.server.logging.AuditSink;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.rest.config.AccessRequests;
import dev.avocet.server.rest.config.ChangeAnswer;
import dev.avocet.server.rest.config.ChangeSetRequests;
import dev.avocet.server.rest.config.ConfigurationRequests;
import dev.avocet.server.rest.config.DirectoryRequests;
import dev.avocet.server.rest.config.FileRequests;
import dev.avocet.server.rest.config.SetupRequests;
import dev.avocet.server.rest.config.ShownPair;
import dev.avocet.server.rest.config.TokenTrials;
import dev.avocet.server.rest.config.TryRequests;
import dev.avocet.server.rest.config.UserRequests;
import dev.avocet.server.rest.config.VersionRequests;
import dev.avocet.server.rest.login.AdminLogin;
import dev.avocet.server.rest.login.RequestOrigin;
import dev.avocet.server.rest.login.SessionRequests;
import dev.avocet.server.rest.login.TokenRequests;
import dev.avocet.server.rest.messaging.ClientRequests;
import dev.avocet.server.rest.messaging.ClientSetRequests;
import dev.avocet.server.rest.messaging.LiveRequests;
import dev.avocet.server.rest.messaging.LiveTraceRequests;
import dev.avocet.server.rest.messaging.MemberRequests;
import dev.avocet.server.rest.messaging.MonitorRequests;
import dev.avocet.server.rest.messaging.QueueMoveRequests;
import dev.avocet.server.rest.messaging.QueueRequests;
import dev.avocet.server.rest.messaging.QueueSendRequests;
import dev.avocet.server.rest.messaging.RetainedRequests;
import dev.avocet.server.rest.messaging.TransactionRequests;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Authorities;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PairControl;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.service.ExportRequests;
import dev.avocet.server.rest.service.MaintenanceMode;
import dev.avocet.server.rest.service.PairRequests;
import dev.avocet.server.rest.service.ProcessControl;
import dev.avocet.server.rest.service.ProcessRequests;
import dev.avocet.server.rest.service.ServiceRequests;
import dev.avocet.server.rest.service.TraceRequests;
import dev.avocet.server.rest.service.TransferRequests;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the administration, and what happens before one of them is taken: is it a page of another server, who
 * is it, may that one. The same routes are there below {@code /ima/v1}, where scripts for the reference product look
 * for them. Thread-safe.
 */
public final class RestApi implements AdminRoutes {
    private static final int MOST_WEB_SOCKET_ENDPOINTS = 50;

    static final List<String> PREFIXES = List.of("/api/v1", RestRoute.OF_REFERENCE);

    private final ConfigurationStore objects;
    private final ProcessFacts process;
    private final AuditLog audit;
    private final AdminLogin login;
    private final PresentBroker present = new Present();
    private final LiveStreams live;
    private final TraceStreams traces = new TraceStreams(new SystemClock());
    private volatile @Nullable RunningBroker broker;
    private volatile @Nullable ProcessControl control;
    private volatile @Nullable PairControl pair;
    private volatile @Nullable Path dataDirectory;
    private volatile Supplier<String> place = () -> "";

    /** @param throttled whether logins wait that follow upon failed ones */
    public RestApi(ConfigurationStore objects, ProcessFacts process, boolean throttled) {
        this(objects, process, throttled, new SystemClock());
    }

    public RestApi(ConfigurationStore objects, ProcessFacts process, boolean throttled, Clock clock) {
        this.objects = objects;
        this.process = process;
        this.audit = new AuditLog(clock);
        this.login = new AdminLogin(throttled, clock);
        this.live = new LiveStreams(new LiveFigures(process, present, new SystemClock()), new SystemClock());
    }

    /** Where the audit log goes; nowhere until this is called. */
    public void auditTo(AuditSink sink) {
        audit.writeTo(sink);
    }

    /** Tells the requests that change where the administration listens where that is. */
    public void administeredAt(Supplier<String> description) {
        place = description;
    }

    /**
     * The broker that serves clients from now on.
     *
     * @param running null while none does; then there is only its configuration
     */
    public void administer(@Nullable RunningBroker running) {
        broker = running;
    }

    /** Who ends the process when an administrator wants it; until this is called nothing does. */
    public void control(ProcessControl process) {
        control = process;
    }

    /** The pair that the process is one of; until this is called it is alone. */
    public void pair(PairControl member) {
        pair = member;
    }

    /** Where exports lie, and the files that go with them. */
    public void files(Path directory) {
        dataDirectory = directory;
    }

    /** Where the console's own MQTT client may connect: so many that their addresses fit into a header. Any thread. */
    public List<WebSocketEndpoint> webSocketEndpoints() {
        RunningBroker running = broker;
        return running == null
                ? List.of()
                : running.webSocketEndpoints().stream()
                        .limit(MOST_WEB_SOCKET_ENDPOINTS)
                        .toList();
    }

    @Override
    public void addTo(Javalin http) {
        for (String prefix : PREFIXES) {
            routes().forEach(route ->
                    http.addHttpHandler(route.method(), prefix + route.path(), context -> answer(context, route)));
        }
    }

    List<RestRoute> routes() {
        ChangeAnswer change = new ChangeAnswer(present, () -> place.get(), audit);
        Stream<RestRoute> versions = new VersionRequests(objects, change).routes().stream();
        DirectoryRequests directory = new DirectoryRequests(objects, present, audit);
        Stream<RestRoute> configuration = new ConfigurationRequests(
                        objects, present, change, directory, new ShownPair(() -> pair))
                .routes().stream();
        Stream<RestRoute> service = new ServiceRequests(objects, process, present, () -> pair, audit).routes().stream();
        Stream<RestRoute> ha = new PairRequests(() -> pair, audit).routes().stream();
        Stream<RestRoute> monitor = new MonitorRequests(present).routes().stream();
        Stream<RestRoute> users = new UserRequests(present, audit).routes().stream();
        Stream<RestRoute> tokens = new TokenRequests(login, objects, present, audit).routes().stream();
        Stream<RestRoute> sessions = new SessionRequests(login, objects, present, audit).routes().stream();
        Stream<RestRoute> dashboard = new LiveRequests(live, login).routes().stream();
        Stream<RestRoute> trials = new TryRequests(present, this::webSocketEndpoints).routes().stream();
        Stream<RestRoute> access = new AccessRequests(objects, present).routes().stream();
        Stream<RestRoute> uploads = new FileRequests(present, objects, audit).routes().stream();
        Stream<RestRoute> clients = new ClientRequests(present, audit).routes().stream();
        Stream<RestRoute> members = new MemberRequests(present).routes().stream();
        Stream<RestRoute> transactions = new TransactionRequests(present, audit).routes().stream();
        Stream<RestRoute> ending =
                new ProcessRequests(() -> control, new MaintenanceMode(objects, audit), audit).routes().stream();
        Stream<RestRoute> exports = new ExportRequests(objects, present, () -> dataDirectory, audit).routes().stream();
        Stream<RestRoute> queues = new QueueRequests(present, objects, audit).routes().stream();
        Stream<RestRoute> moves = new QueueMoveRequests(present, audit).routes().stream();
        Stream<RestRoute> sends = new QueueSendRequests(present, audit).routes().stream();
        Stream<RestRoute> retained = new RetainedRequests(present, objects, audit).routes().stream();
        Stream<RestRoute> changeSets =
                new ChangeSetRequests(objects, change, new ShownPair(() -> pair)).routes().stream();
        Stream<RestRoute> setup = new SetupRequests(objects, present, change, audit).routes().stream();
        Stream<RestRoute> trace = new TraceRequests(present, audit).routes().stream();
        Stream<RestRoute> watches = new LiveTraceRequests(present, traces, login, audit).routes().stream();
        Stream<RestRoute> clientSets = new ClientSetRequests(present, audit).routes().stream();
        Stream<RestRoute> transfers = new TransferRequests(present, () -> dataDirectory, audit).routes().stream();
        RestRoute document = new RestRoute(
                HandlerType.GET,
                "/openapi.json",
                "This description",
                Set.of(),
                (context, who) -> Answer.document(
                        context,
                        OpenApi.document(routes(), PREFIXES, process.health().version())));
        return Stream.of(
                        versions, // before the types, as they are found first where a path fits both
                        configuration,
                        users,
                        uploads,
                        clients,
                        members,
                        transactions,
                        queues,
                        moves,
                        sends,
                        retained,
                        transfers, // before the status of one part
                        clientSets,
                        trace,
                        watches,
                        ha, // before the actions of the process
                        changeSets,
                        setup,
                        directory.routes().stream(),
                        new TokenTrials(objects, present, audit).routes().stream(),
                        tokens,
                        sessions,
                        dashboard,
                        trials,
                        access,
                        service,
                        monitor,
                        exports,
                        ending,
                        Stream.of(document))
                .flatMap(each -> each)
                .toList();
    }

    private void answer(Context context, RestRoute route) {
        try {
            RequestOrigin.refuseOtherSites(context);
            long delayMs = login.delayMs(context);
            if (delayMs > 0) {
                context.future(() -> later(delayMs, context, route));
                return;
            }
            CompletableFuture<@Nullable LoginVerdict> asked = login.ask(context, objects.current(), broker);
            if (asked.isDone()) {
                serve(context, route, asked.join());
            } else {
                context.future(() -> served(asked, context, route));
            }
        } catch (Refusal e) {
            refuse(context, null, e);
        }
    }

    /** Waits without a thread, of which there are few. */
    private CompletableFuture<Void> later(long delayMs, Context context, RestRoute route) {
        Executor afterwards = CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS);
        return CompletableFuture.supplyAsync(
                        () -> {
                            login.leave(context);
                            try {
                                return served(login.ask(context, objects.current(), broker), context, route);
                            } catch (Refusal e) {
                                refuse(context, null, e);
                                return CompletableFuture.<Void>completedFuture(null);
                            }
                        },
                        afterwards)
                .thenCompose(served -> served);
    }

    /** Serves the request when those who were asked about its user have answered. */
    private CompletableFuture<Void> served(
            CompletableFuture<@Nullable LoginVerdict> asked, Context context, RestRoute route) {
        return asked.thenAcceptAsync(verdict -> serve(context, route, verdict));
    }

    private void serve(Context context, RestRoute route, @Nullable LoginVerdict asked) {
        Administrator who = null;
        try {
            Administrator administrator = login.admit(context, objects.current(), broker, asked);
            who = administrator;
            Authorities.require(administrator, route.anyOf(), objects.current());
            PairRequests.require(pair, route);
            route.handler().handle(context, administrator);
            PairRequests.fulfilled(pair, route);
            audit.answered(administrator, context.req().getMethod() + " " + context.path());
        } catch (Refusal e) {
            refuse(context, who, e);
        } catch (ConfigurationRefusedException e) {
            refuse(context, who, Refusal.of(e));
        } catch (ConfigurationStoreException e) {
            refuse(context, who, new Refusal(Code.NOT_NOW, String.valueOf(e.getMessage())));
        }
    }

    private void refuse(Context context, @Nullable Administrator who, Refusal refusal) {
        boolean asksForPassword = refusal.code() == Code.NOT_AUTHENTICATED;
        boolean firstAsks = asksForPassword && context.header("Authorization") == null; // as programs do
        boolean onlyReads =
                context.method() == HandlerType.GET && !refusal.code().isAboutAccess();
        if (!firstAsks && !onlyReads) {
            audit.refused(who, AdminLogin.address(context), context.req().getMethod() + " " + context.path(), refusal);
        }
        if (asksForPassword && !SessionCookie.isOfConsole(context)) { // where the browser would ask beside the page
            context.header("WWW-Authenticate", "Basic realm=\"Avocet\", charset=\"UTF-8\"");
        }
        Answer.refused(context, refusal);
    }

    /** As this is told, and why there is none. */
    private final class Present implements PresentBroker {
        @Override
        public @Nullable RunningBroker get() {
            return broker;
        }

        @Override
        public Refusal absent() {
            List<String> problems = process.problems();
            return problems.isEmpty()
                    ? PresentBroker.super.absent()
                    : new Refusal(Code.NOT_NOW, String.join("; ", problems));
        }
    }
}
