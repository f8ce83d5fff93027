package dev.avocet.server.broker.endpoint;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.endpoint.EndpointListener;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.server.broker.content.ConnectionFacts;
import dev.avocet.server.certificates.ProfileTls;
import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.config.StoreConfig;
import dev.avocet.server.config.WireProtocol;
import dev.avocet.server.objects.ConfigurationListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and closes the endpoints that are configuration objects, as the configuration wants it. What is not asked for
 * any more stops accepting before anything else begins, so that endpoints can exchange their ports. One that cannot
 * listen says why and is tried again at the next change; the others go on.
 *
 * <p>Of the {@code configuration} thread, but for {@link #states} and {@link #policies}, which any thread may ask, and
 * {@link #close}, which comes when that thread has ended or does nothing here any more.
 */
public final class ObjectEndpoints implements ConfigurationListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectEndpoints.class);

    private final Binder binder;
    private final ConnectionCloser closer;
    private final List<EndpointConfig> ofStartupFile;
    private final long maxMessageSizeBytes;
    private final Path files;
    private final Map<String, Open> open = new LinkedHashMap<>();
    private final Map<String, EndpointPolicies> policies = new ConcurrentHashMap<>(); // by endpoint
    private volatile List<EndpointState> states = List.of();

    /**
     * @param ofStartupFile the endpoints that are no objects and come first
     * @param files where uploaded certificates are
     */
    public ObjectEndpoints(
            Binder binder, ConnectionCloser closer, List<EndpointConfig> ofStartupFile, StoreConfig store, Path files) {
        this.binder = binder;
        this.closer = closer;
        this.ofStartupFile = List.copyOf(ofStartupFile);
        this.maxMessageSizeBytes = store.isDurable() ? store.maxMessageSizeBytes() : Long.MAX_VALUE;
        this.files = files;
    }

    /** How they are, by name. */
    public List<EndpointState> states() {
        return states;
    }

    /** By which an endpoint decides; null when there is none of that name. */
    public @Nullable EndpointPolicies policies(String name) {
        return policies.get(name);
    }

    @Override
    public void configurationChanged(Configuration before, Configuration after) {
        Map<String, Wanted> wanted = new LinkedHashMap<>();
        after.all(Endpoint.class).forEach(endpoint -> wanted.put(endpoint.name(), wanted(after, endpoint)));
        for (Open each : List.copyOf(open.values())) {
            Wanted next = wanted.get(each.name());
            if (next == null || !each.plan.equals(next.plan)) {
                stop(each);
            }
        }
        applyPolicies(after, wanted.keySet());
        List<EndpointState> next = new ArrayList<>();
        wanted.values().forEach(endpoint -> next.add(begin(endpoint)));
        states = List.copyOf(next);
        before.all(Endpoint.class).stream()
                .map(Endpoint::name)
                .filter(name -> !wanted.containsKey(name))
                .forEach(this::closeConnections);
    }

    @Override
    public void close() {
        List.copyOf(open.values()).forEach(this::stop);
        states = List.of();
    }

    private Wanted wanted(Configuration configuration, Endpoint endpoint) {
        if (!endpoint.enabled() || configuration.single(Singletons.class).isMaintenance()) {
            return new Wanted(endpoint, null, null);
        }
        if (ofStartupFile.stream().anyMatch(other -> other.name().equals(endpoint.name()))) {
            return new Wanted(endpoint, null, "an endpoint of the startup file has its name; rename one of the two");
        }
        try {
            return new Wanted(endpoint, ListenPlan.of(configuration, endpoint, maxMessageSizeBytes, files), null);
        } catch (CannotServeException e) {
            return new Wanted(endpoint, null, e.getMessage());
        }
    }

    private EndpointState begin(Wanted wanted) {
        ListenPlan plan = wanted.plan;
        if (plan == null) {
            return wanted.problem == null ? state(wanted, null, null) : failed(wanted, wanted.problem);
        }
        Open present = open.get(wanted.name());
        if (present != null) {
            return state(wanted, present, null);
        }
        try {
            Open begun = listen(plan);
            open.put(wanted.name(), begun);
            LOG.info("Endpoint '{}' listens on {}", wanted.name(), begun.listener.address());
            warn(plan);
            return state(wanted, begun, null);
        } catch (IOException | CannotSecureException e) {
            return failed(wanted, "cannot listen on port " + plan.config().port() + ": " + reason(plan, e));
        }
    }

    private static void warn(ListenPlan plan) {
        SecurityProfile profile = plan.profile();
        if (profile != null) {
            ProfileTls.weaknesses(profile)
                    .forEach(weakness -> LOG.warn(
                            "SecurityProfile '{}' of endpoint '{}': {}",
                            profile.name(),
                            plan.config().name(),
                            weakness));
        }
    }

    private Open listen(ListenPlan plan) throws IOException, CannotSecureException {
        try {
            return new Open(plan, plan, binder.bind(plan, policiesOf(plan)));
        } catch (IOException e) {
            if (!plan.config().host().equals(ListenPlan.EVERY_ADDRESS)) {
                throw e;
            }
            ListenPlan withoutIpv6 = plan.listeningOn(ListenPlan.EVERY_IPV4_ADDRESS);
            return new Open(plan, withoutIpv6, binder.bind(withoutIpv6, policiesOf(plan)));
        }
    }

    private EndpointPolicies policiesOf(ListenPlan plan) {
        return policies.computeIfAbsent(plan.config().name(), name -> new EndpointPolicies());
    }

    /**
     * They hold for connections too that an endpoint has from before it was changed or disabled; where it is gone,
     * nothing is allowed.
     */
    private void applyPolicies(Configuration configuration, Set<String> names) {
        names.forEach(name -> policies.computeIfAbsent(name, unused -> new EndpointPolicies()));
        policies.forEach((name, ofEndpoint) -> ofEndpoint.apply(configuration, name));
        policies.keySet().retainAll(names);
    }

    private String reason(ListenPlan plan, Exception failure) {
        return ofStartupFile.stream()
                .filter(other -> other.port() == plan.config().port())
                .findFirst()
                .map(other -> "endpoint '" + other.name() + "' of the startup file, or of --endpoint, listens there")
                .orElseGet(() -> CannotListenException.reason(failure));
    }

    private EndpointState failed(Wanted wanted, String problem) {
        LOG.warn("Endpoint '{}' accepts no connections: {}", wanted.name(), problem);
        return state(wanted, null, problem);
    }

    private static EndpointState state(Wanted wanted, @Nullable Open open, @Nullable String problem) {
        return new EndpointState(
                wanted.name(),
                wanted.endpoint.enabled(),
                open == null ? null : open.listener.address(),
                open == null
                        ? List.of()
                        : open.plan.config().protocols().stream()
                                .map(WireProtocol::toString)
                                .toList(),
                open != null && open.plan.tls() != null,
                problem);
    }

    private void stop(Open endpoint) {
        endpoint.listener.close();
        binder.release(endpoint.bound);
        open.remove(endpoint.name());
        LOG.info("Endpoint '{}' accepts no connections any more", endpoint.name());
    }

    private void closeConnections(String endpoint) {
        int closed = closer.closeConnections(connection -> connection.endpoint().equals(endpoint));
        LOG.info("Endpoint '{}' is gone, and {} connections with it", endpoint, closed);
    }

    /** Begins to listen. */
    public interface Binder {
        EndpointListener bind(ListenPlan plan, EndpointPolicies policies) throws IOException, CannotSecureException;

        /** The listener of a plan is closed. */
        void release(ListenPlan plan);
    }

    /** Closes connections. */
    @FunctionalInterface
    public interface ConnectionCloser {
        int closeConnections(Predicate<ConnectionFacts> unwanted);
    }

    /** An endpoint that should listen by its plan, cannot because of its problem, or should not. */
    private record Wanted(
            Endpoint endpoint,
            @Nullable ListenPlan plan,
            @Nullable String problem) {
        String name() {
            return endpoint.name();
        }
    }

    /** An endpoint that listens: as it was asked to, and as it could. */
    private record Open(ListenPlan plan, ListenPlan bound, EndpointListener listener) {
        Open {
            Objects.requireNonNull(listener);
        }

        String name() {
            return plan.config().name();
        }
    }
}
