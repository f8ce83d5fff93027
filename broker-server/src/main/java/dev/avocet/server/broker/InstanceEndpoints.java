package dev.avocet.server.broker;

import dev.avocet.amqp.connection.AmqpConnections;
import dev.avocet.amqp.frontend.AmqpFrontEnd;
import dev.avocet.amqp.peer.ContainerIds;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.value.ServerAddress;
import dev.avocet.core.endpoint.ConnectionGuard;
import dev.avocet.core.endpoint.EndpointListener;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.frontend.Sending;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.security.admission.UncheckedAdmission;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.connection.MqttConnections;
import dev.avocet.mqtt.frontend.MqttFrontEnd;
import dev.avocet.mqtt.frontend.MqttWebSocketFrontEnd;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.endpoint.EndpointRegister;
import dev.avocet.server.broker.endpoint.EndpointState;
import dev.avocet.server.broker.endpoint.ListenPlan;
import dev.avocet.server.broker.endpoint.MaintenanceDoor;
import dev.avocet.server.broker.endpoint.ObjectEndpoints;
import dev.avocet.server.broker.endpoint.StartupEndpoints;
import dev.avocet.server.broker.endpoint.WebSocketEndpoint;
import dev.avocet.server.broker.options.ConfigurationUse;
import dev.avocet.server.broker.options.CoreOptions;
import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.config.WireProtocol;
import dev.avocet.server.monitor.EndpointFacts;
import dev.avocet.server.objects.ConfigurationStoreException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where an instance listens: the endpoints of the startup file and those that are configuration objects, with their
 * figures. Opened and closed by the threads that open and close the instance; any thread may ask.
 */
final class InstanceEndpoints implements AutoCloseable {
    private final ServerConfig config;
    private final Broker broker;
    private final LoopGroup loops;
    private final ConnectionGuard guard;
    private final BrokerSecurity security;
    private final Supplier<MqttOptions> mqttOptions;
    private final ContainerIds jmsContainers = new ContainerIds();
    private final @Nullable Elsewhere elsewhere;
    private final EndpointRegister register;
    private final MaintenanceDoor maintenance;
    private final StartupEndpoints startup;
    /** None, so that everything is allowed. */
    private final EndpointPolicies startupPolicies = new EndpointPolicies();

    private final ObjectEndpoints objects;

    /**
     * @param mqttOptions what holds for MQTT clients now
     * @param closer closes connections
     * @param files where uploaded certificates are
     * @param elsewhere where every client is sent without a look at who it is; null to serve them
     */
    InstanceEndpoints(
            ServerConfig config,
            Broker broker,
            LoopGroup loops,
            ConnectionGuard guard,
            BrokerSecurity security,
            Supplier<MqttOptions> mqttOptions,
            ObjectEndpoints.ConnectionCloser closer,
            Path files,
            Clock clock,
            @Nullable Elsewhere elsewhere) {
        this.config = config;
        this.broker = broker;
        this.loops = loops;
        this.guard = guard;
        this.security = security;
        this.mqttOptions = mqttOptions;
        this.elsewhere = elsewhere;
        this.register = new EndpointRegister(clock);
        this.maintenance = new MaintenanceDoor(() -> closer.closeConnections(connection -> true));
        this.startup = new StartupEndpoints(
                config.endpoints(),
                endpoint -> bind(
                        endpoint, security.authenticator(endpoint), startupPolicies, Sending.DEFAULT, false, null));
        this.objects = new ObjectEndpoints(new ObjectBinder(), closer, config.endpoints(), config.store(), files);
    }

    /** Those of the startup file listen when it returns. */
    void listen() throws CannotListenException {
        startup.listen();
    }

    /**
     * Those of the startup file follow maintenance mode from now on, and those that are objects follow the objects.
     *
     * @param objectsListen whether endpoints that are objects serve clients
     */
    void follow(ConfigurationUse use, boolean objectsListen) throws ConfigurationStoreException {
        use.follow(startup);
        if (objectsListen) {
            use.follow(objects);
            use.follow((before, after) -> register.retain(facts()));
        }
        use.follow(maintenance); // when no endpoint listens any more
    }

    /** Those of the startup file, in its order. */
    List<InetSocketAddress> ofStartupFile() {
        return startup.listeners().stream().map(EndpointListener::address).toList();
    }

    /** Those that are objects, by name. */
    List<EndpointState> ofObjects() {
        return objects.states();
    }

    /** Those of the startup file first. */
    List<EndpointFacts> facts() {
        List<EndpointFacts> facts = new ArrayList<>();
        for (EndpointListener listener : startup.listeners()) {
            facts.add(register.facts(listener.options().name(), true, listener.address(), null));
        }
        for (EndpointState state : objects.states()) {
            boolean shouldListen = state.enabled() && !maintenance.isShut();
            facts.add(register.facts(state.name(), shouldListen, state.address(), state.problem()));
        }
        return facts;
    }

    /** By which an endpoint decides; null when there is none of that name. */
    @Nullable EndpointPolicies policies(String name) {
        boolean isOfStartupFile =
                config.endpoints().stream().anyMatch(endpoint -> endpoint.name().equals(name));
        return isOfStartupFile ? startupPolicies : objects.policies(name);
    }

    /** Those that take MQTT over WebSocket now; those of the startup file first. */
    List<WebSocketEndpoint> forWebSocket() {
        List<WebSocketEndpoint> found = new ArrayList<>();
        for (EndpointListener listener : startup.listeners()) {
            String name = listener.options().name();
            config.endpoints().stream()
                    .filter(endpoint -> endpoint.name().equals(name))
                    .filter(endpoint -> endpoint.protocols().contains(WireProtocol.WEBSOCKET))
                    .forEach(endpoint -> found.add(new WebSocketEndpoint(
                            name, listener.address(), endpoint.tls().enabled())));
        }
        for (EndpointState state : objects.states()) {
            InetSocketAddress address = state.address();
            if (address != null && state.protocols().contains(WireProtocol.WEBSOCKET.toString())) {
                found.add(new WebSocketEndpoint(state.name(), address, state.encrypted()));
            }
        }
        return found;
    }

    /** None accepts connections any more; those that there are stay. */
    @Override
    public void close() {
        startup.close();
        objects.close();
        maintenance.close();
    }

    private EndpointListener bind(
            EndpointConfig endpoint,
            Authenticator authenticator,
            EndpointPolicies policies,
            Sending sending,
            boolean about,
            @Nullable ServerAddress redirect)
            throws IOException {
        boolean serves = elsewhere == null;
        return EndpointListener.bind(
                CoreOptions.endpoint(endpoint, config.mqtt(), policies, register.opened(endpoint.name()), sending),
                security.tls(endpoint.name()),
                loops,
                guard,
                frontEnds(
                        endpoint,
                        serves ? authenticator : new UncheckedAdmission(),
                        about && serves,
                        redirectOf(endpoint, redirect)));
    }

    /** What is configured comes first, as the other broker does the same. */
    private @Nullable ServerAddress redirectOf(EndpointConfig endpoint, @Nullable ServerAddress configured) {
        return elsewhere == null || configured != null ? configured : elsewhere.of(endpoint.port());
    }

    private List<FrontEnd> frontEnds(
            EndpointConfig endpoint, Authenticator authenticator, boolean about, @Nullable ServerAddress redirect) {
        MqttConnections connections =
                new MqttConnections(broker, CoreOptions.redirecting(mqttOptions, redirect), authenticator);
        return endpoint.protocols().stream()
                .map(protocol -> switch (protocol) {
                    case MQTT -> (FrontEnd) new MqttFrontEnd(connections);
                    case WEBSOCKET -> new MqttWebSocketFrontEnd(connections, CoreOptions.webSocket(endpoint, about));
                    case AMQP ->
                        new AmqpFrontEnd(new AmqpConnections(
                                broker, CoreOptions.amqp(config.mqtt(), redirect), authenticator, jmsContainers));
                })
                .toList();
    }

    /** Listens for endpoints that are objects. */
    private final class ObjectBinder implements ObjectEndpoints.Binder {
        @Override
        public EndpointListener bind(ListenPlan plan, EndpointPolicies policies)
                throws IOException, CannotSecureException {
            EndpointConfig endpoint = plan.config();
            SecurityProfile profile = plan.profile();
            TlsOptions tls = plan.tls();
            if (tls != null) {
                security.secure(endpoint.name(), tls);
            }
            try {
                return InstanceEndpoints.this.bind(
                        endpoint,
                        profile == null ? security.authenticator(endpoint) : security.authenticator(profile),
                        policies,
                        plan.sending(),
                        plan.about(),
                        plan.redirect());
            } catch (IOException e) {
                security.forget(endpoint.name());
                throw e;
            }
        }

        @Override
        public void release(ListenPlan plan) {
            security.forget(plan.config().name());
        }
    }
}
