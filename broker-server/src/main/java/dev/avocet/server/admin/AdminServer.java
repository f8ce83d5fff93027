package dev.avocet.server.admin;

import dev.avocet.core.tls.JavaTls;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.router.Endpoint;
import io.javalin.router.ParsedEndpoint;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /health}, {@code /live}, {@code /ready}, {@code /metrics} and what it is given until it is closed. Its
 * methods may be called from any thread.
 */
public final class AdminServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final int MAX_THREADS = 16;
    private static final int MIN_THREADS = 2;
    private static final String JSON = "application/json";

    /**
     * Client identifiers and names of subscriptions may hold any character; what a path means is decided here alone,
     * part by part.
     */
    private static final UriCompliance NAMES_IN_PATHS =
            UriCompliance.DEFAULT.with("names", Violation.AMBIGUOUS_PATH_SEPARATOR, Violation.AMBIGUOUS_PATH_ENCODING);

    /** Nothing here is a page: no browser may show, frame, sniff or keep it. */
    private static final Map<String, String> HEADERS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
            "Referrer-Policy", "no-referrer",
            "Cache-Control", "no-store");

    private final Metrics metrics;
    private final ProcessFacts process;
    private final Javalin http;
    private volatile @Nullable AdminConnectors connectors;

    private AdminServer(AdminListener listener, ProcessFacts process, AdminRoutes routes, boolean jmx) {
        this.metrics = new Metrics(jmx);
        this.process = process;
        this.http = Javalin.create(config -> configure(config, listener));
        http.before(context -> HEADERS.forEach(context::header));
        http.get("/health", this::answerHealth);
        http.get("/live", this::answerLive);
        http.get("/ready", this::answerReady);
        http.get(
                "/metrics", context -> context.contentType(Metrics.CONTENT_TYPE).result(metrics.scrape()));
        routes.addTo(http);
        http.error(
                404,
                context -> answerError(
                        context,
                        "there is nothing at this path; try /health, /ready, /metrics, /api/v1/configuration, or"
                                + " /api/v1/openapi.json, which lists all paths"));
        http.error(
                405,
                context -> answerError(
                        context,
                        "this path does not take " + context.method() + "; it takes "
                                + String.valueOf(context.res().getHeader("Allow"))));
        http.exception(MethodNotAllowedResponse.class, (refusal, context) -> {
            context.header("Allow", methodsAt(context.path()));
            context.status(HttpStatus.METHOD_NOT_ALLOWED);
        });
        http.exception(Exception.class, AdminServer::answerFailure);
    }

    /**
     * Listens on the address and returns.
     *
     * @throws IOException when the address cannot be bound
     */
    public static AdminServer start(InetSocketAddress address, ProcessFacts process) throws IOException {
        return start(address, process, http -> {});
    }

    /**
     * Listens on the address and returns.
     *
     * @param routes what else is served
     * @throws IOException when the address cannot be bound
     */
    public static AdminServer start(InetSocketAddress address, ProcessFacts process, AdminRoutes routes)
            throws IOException {
        return start(new AdminPlace(address, null), process, routes, false);
    }

    /**
     * Listens at a place and returns.
     *
     * @param routes what else is served
     * @param jmx whether the metrics are JMX beans as well
     * @throws IOException when the address cannot be bound
     */
    public static AdminServer start(AdminPlace place, ProcessFacts process, AdminRoutes routes, boolean jmx)
            throws IOException {
        return start(AdminListener.bind(place), process, routes, jmx, server -> {});
    }

    /**
     * Answers what comes through the listener from now on, and returns. Closes the listener with itself, or when it
     * cannot start.
     *
     * @param routes what else is served
     * @param jmx whether the metrics are JMX beans as well
     * @param first what is to be done before anything is answered; by the calling thread
     * @throws IOException when the listener cannot be used
     */
    public static AdminServer start(
            AdminListener listener, ProcessFacts process, AdminRoutes routes, boolean jmx, Consumer<AdminServer> first)
            throws IOException {
        AdminServer server = new AdminServer(listener, process, routes, jmx);
        try {
            first.accept(server);
            server.http.start();
            LOG.info("The administration answers on port {}", server.port());
            return server;
        } catch (RuntimeException e) {
            server.close();
            listener.close();
            throw asIoException(e);
        }
    }

    /** The port it listens on, also when the configured one was 0. */
    public int port() {
        return connectors().port();
    }

    /**
     * Listens elsewhere; requests under way are answered. One thread at a time.
     *
     * @throws IOException when the address cannot be bound; then everything stays as it was
     */
    public void moveTo(AdminPlace place) throws IOException {
        connectors().moveTo(place);
    }

    /** New connections get another certificate; those that are open keep theirs. One thread at a time. */
    public void renew(JavaTls tls) {
        connectors().renew(tls);
    }

    /** Adds metrics. */
    public void bind(MeterBinder meters) {
        metrics.bind(meters);
    }

    /** Shows metrics until the scope is closed. */
    public MeterScope bindWhileOpen(List<MeterBinder> meters) {
        return metrics.bindWhileOpen(meters);
    }

    @Override
    public void close() {
        http.stop();
        metrics.close();
    }

    private AdminConnectors connectors() {
        return Objects.requireNonNull(connectors, "it has not started");
    }

    private void configure(JavalinConfig config, AdminListener listener) {
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
        threads.setName("admin");
        threads.setDaemon(true);
        config.showJavalinBanner = false;
        config.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.jetty.addConnector((server, settings) -> {
            AdminConnectors made = AdminConnectors.of(server, settings, listener);
            connectors = made;
            return made.first();
        });
        config.jetty.threadPool = threads;
        config.jetty.modifyHttpConfiguration(settings -> {
            settings.setSendServerVersion(false);
            settings.setUriCompliance(NAMES_IN_PATHS);
        });
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JsonErrors());
        });
    }

    /** What a path takes; where several fit it, the one with the fewest parameters, as that is found first. */
    private String methodsAt(String path) {
        List<Endpoint> fitting = http.unsafeConfig().pvt.internalRouter.allHttpHandlers().stream()
                .filter(handler -> handler.getEndpoint().getMethod().isHttpMethod() && handler.matches(path))
                .map(ParsedEndpoint::getEndpoint)
                .toList();
        String found = fitting.stream()
                .map(Endpoint::getPath)
                .min(Comparator.comparingLong(
                        template -> template.chars().filter(c -> c == '{').count()))
                .orElse("");
        return fitting.stream()
                .filter(endpoint -> endpoint.getPath().equals(found))
                .map(endpoint -> endpoint.getMethod().name())
                .collect(Collectors.joining(", "));
    }

    private void answerHealth(Context context) {
        Health now = process.health();
        context.status(now.status().httpStatus()).contentType(JSON).result(Json.of(now));
    }

    /** Whether the process should go on: only a store that has failed is a reason to end it. */
    private void answerLive(Context context) {
        Health now = process.health();
        boolean alive = now.status() != Health.Status.STORE_FAILED;
        context.status(alive ? 200 : 503).contentType(JSON).result(Json.state(alive ? "alive" : "failed", List.of()));
    }

    /** Whether clients should be sent here, and if not, why. */
    private void answerReady(Context context) {
        List<String> problems = process.problems();
        boolean ready = problems.isEmpty();
        context.status(ready ? 200 : 503).contentType(JSON).result(Json.state(ready ? "ready" : "notReady", problems));
    }

    private static void answerError(Context context, String message) {
        if (context.attribute(AdminRoutes.ANSWERED) != null) {
            return;
        }
        context.contentType(JSON).result(Json.error(context.statusCode(), message));
    }

    private static void answerFailure(Exception failure, Context context) {
        LOG.error("request {} {} failed", context.method(), context.path(), failure);
        context.status(500);
        answerError(context, "internal error; the log says more");
    }

    static IOException asIoException(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException e) {
                return e;
            }
        }
        BindException unknown = new BindException(failure.getMessage());
        unknown.initCause(failure);
        return unknown;
    }
}
