package dev.avocet.amqp.connection;

import dev.avocet.amqp.peer.AmqpContext;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedShort;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * From the client's open to the broker's: checks who it is and whether it may connect. One per connection, on its loop.
 */
final class OpenProcess {
    static final String CONTAINER_ID = "avocet";

    private static final Symbol SOLE_CONNECTION = Symbol.valueOf("sole-connection-for-container");
    private static final Symbol[] OFFERED = {
        Symbol.valueOf("ANONYMOUS-RELAY"),
        Symbol.valueOf("DELAYED_DELIVERY"),
        Symbol.valueOf("SHARED-SUBS"),
        SOLE_CONNECTION,
        BranchRequests.CAPABILITY,
        CoordinatorLink.ALL_OR_NOTHING
    };

    private final AmqpConnection connection;
    private final AmqpContext context;
    private @Nullable String taken;
    private @Nullable AccessRights rights;

    OpenProcess(AmqpConnection connection) {
        this.connection = connection;
        this.context = connection.context();
    }

    /** Open has come. Nothing more of the client is looked at before it is answered. */
    void begin() {
        connection.pause();
        String id = connection.protocol().getRemoteContainerId();
        String containerId = id == null ? "" : id;
        connection.identify(containerId);
        ErrorCondition refusal = refusal(containerId);
        if (refusal != null) {
            connection.refuse(refusal);
        } else if (connection.client().isKnown()) {
            authorize();
        } else {
            authenticateUnnamed();
        }
    }

    /** The connection has ended. */
    void release() {
        if (taken != null) {
            context.containers().release(taken, connection);
        }
    }

    private @Nullable ErrorCondition refusal(String containerId) {
        AmqpOptions.Redirect redirect = context.options().redirect();
        if (redirect != null) {
            Map<Symbol, Object> where = new LinkedHashMap<>();
            where.put(Symbol.valueOf("hostname"), redirect.host());
            where.put(Symbol.valueOf("network-host"), redirect.host());
            where.put(Symbol.valueOf("port"), UnsignedShort.valueOf(redirect.port()));
            return new ErrorCondition(ConnectionError.REDIRECT, "another server serves this client", where);
        }
        if (!connection.loop().memory().acceptsClients()) {
            return new ErrorCondition(AmqpError.RESOURCE_LIMIT_EXCEEDED, "the broker is short of memory");
        }
        if (!context.broker().isAttended()) {
            return new ErrorCondition(AmqpError.RESOURCE_LIMIT_EXCEEDED, Destinations.STANDBY_AWAY);
        }
        int length = containerId.getBytes(StandardCharsets.UTF_8).length;
        return length == 0 || length > context.options().maxContainerIdBytes()
                ? invalidContainerId("a container identifier is 1 to "
                        + context.options().maxContainerIdBytes() + " bytes long, not " + length)
                : null;
    }

    private static ErrorCondition invalidContainerId(String why) {
        return new ErrorCondition(
                AmqpError.INVALID_FIELD, why, Map.of(Symbol.valueOf("invalid-field"), Symbol.valueOf("container-id")));
    }

    /** The client has left SASL out. */
    private void authenticateUnnamed() {
        LoginRequest request = new LoginRequest(connection.client().containerId(), null, null, connection.origin());
        context.authenticator().authenticate(request, connection.loop(), result -> {
            if (connection.isClosed()) {
                return;
            }
            if (result instanceof LoginResult.Granted granted) {
                connection.identity(granted.identity(), granted.until());
                authorize();
            } else {
                connection.loop().counters().increment(Counter.AUTHENTICATION_FAILURES);
                connection.refuse(new ErrorCondition(
                        AmqpError.UNAUTHORIZED_ACCESS,
                        ((LoginResult.Refused) result).reason().text()));
            }
        });
    }

    private void authorize() {
        AccessRights asked = connection.askRights();
        if (!asked.connect().allowed()) {
            connection.loop().counters().increment(Counter.CONNECTIONS_UNAUTHORIZED);
            connection.refuse(
                    new ErrorCondition(AmqpError.UNAUTHORIZED_ACCESS, "no connection policy lets this client in"));
            return;
        }
        rights = asked;
        String containerId = connection.client().containerId();
        boolean sole = wantsToBeSole();
        if (sole && !context.containers().take(containerId, connection)) {
            connection.refuse(invalidContainerId("another connection has this client identifier"));
            return;
        }
        taken = sole ? containerId : null;
        String suffix = sole ? "" : "#" + context.containers().nextNumber();
        context.broker()
                .sessions()
                .claim(ClientSession.JMS_PREFIX + containerId + suffix, true, connection.loop(), this::onSession);
    }

    private boolean wantsToBeSole() {
        Symbol[] desired = connection.protocol().getRemoteDesiredCapabilities();
        return desired != null && Arrays.asList(desired).contains(SOLE_CONNECTION);
    }

    private ConnectedClient onSession(ClientSession session, boolean present) {
        context.broker().sessions().describe(session, 0, null);
        if (connection.isClosed()) {
            connection.loop().execute(() -> context.broker().sessions().disconnected(session, false));
            return connection;
        }
        AmqpOptions options = context.options();
        Connection open = connection.protocol();
        open.setContainerId(CONTAINER_ID);
        open.setChannelMax(options.maxSessions() - 1);
        if (options.idleTimeoutMs() > 0) {
            open.setIdleTimeout(options.idleTimeoutMs());
        }
        open.setOfferedCapabilities(OFFERED);
        open.setProperties(Map.of(Symbol.valueOf("product"), "Avocet"));
        connection.begin(session, Objects.requireNonNull(rights));
        connection.resume();
        return connection;
    }
}
