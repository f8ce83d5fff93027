package dev.avocet.mqtt.admission;

import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.policy.ClientFacts;
import dev.avocet.core.policy.PolicySet;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a connection, as far as is known by now, and what the log says of it. Owned by the
 * connection's loop.
 */
public final class Peer implements Supplier<ClientFacts> {
    /** The cause of what is refused by policies while the connection goes on. */
    private static final String NOT_AUTHORIZED = "not authorized";

    /** What is about who the client is and what it may do. */
    public static final Set<String> SECURITY_CAUSES = Set.of(
            NOT_AUTHORIZED,
            ReasonCode.NOT_AUTHORIZED.name(),
            ReasonCode.BAD_USER_NAME_OR_PASSWORD.name(),
            ReasonCode.BAD_AUTHENTICATION_METHOD.name(),
            ReasonCode.CONNECTION_RATE_EXCEEDED.name(),
            ReasonCode.SERVER_UNAVAILABLE.name(),
            ReasonCode.MAXIMUM_CONNECT_TIME.name());

    /** Topics and filters of one connection. */
    private static final int UNAUTHORIZED_NOTED_MAX = 16;

    private final Channel channel;
    private final Admission admission;
    private final ConnectionLog log;
    private String clientId = "";
    private ClientIdentity identity = ClientIdentity.ANONYMOUS;
    /** What it claims to be called, not proved. */
    private @Nullable String claimedUser;
    /** What the log has been told that the client wants and may not. */
    private Set<String> unauthorizedNoted = Set.of();

    public Peer(Channel channel, Admission admission, ConnectionLog log) {
        this.channel = channel;
        this.admission = admission;
        this.log = log;
    }

    public String clientId() {
        return clientId;
    }

    public void clientId(String said) {
        clientId = said;
    }

    public ClientIdentity identity() {
        return identity;
    }

    public void identity(ClientIdentity proved) {
        identity = proved;
    }

    public ClientOrigin origin() {
        return admission.origin();
    }

    /** The one place where what is known of a client becomes what policies ask about. */
    @Override
    public ClientFacts get() {
        ClientOrigin origin = admission.origin();
        return ClientFacts.of(identity, clientId, origin.address(), origin.commonName(), Protocol.MQTT);
    }

    /** The client is connected, which the log tells only when it tells of every connection. */
    public void noteConnected(ProtocolVersion version, boolean sessionPresent) {
        if (log.tellsOfEvery()) {
            log.connected(who(), version + (sessionPresent ? ", session resumed" : ", new session"));
        }
    }

    /** The same for the end of the connection. */
    public void noteEnded() {
        if (log.tellsOfEvery()) {
            log.ended(who());
        }
    }

    /** The client has said that this is its user name; null for none. */
    public void claims(@Nullable String userName) {
        claimedUser = userName;
    }

    /** The user name that the client has said, or its identifier where it has said none. */
    public String claimedUserOrId() {
        return claimedUser == null ? clientId : claimedUser;
    }

    /** The connection is closed: one line in the log a minute for each cause and client. */
    public void noteClosed(String cause, String detail) {
        noteClosed(cause, clientId, detail);
    }

    /** The same for each cause and object that it is about. */
    public void noteClosed(String cause, String object, String detail) {
        log.closed(cause, object, who(), detail);
    }

    /** Something was refused and the connection goes on: one line in the log a minute for each kind and object. */
    public void noteRefusal(String what, String object, Supplier<String> detail) {
        log.refused(what, object, this::who, detail);
    }

    /**
     * No policy allows what the client wants: for each topic or filter once a connection in the log, as it may want it
     * very often, and no more than some of them.
     */
    public void noteUnauthorized(String verb, String object) {
        if (unauthorizedNoted.size() < UNAUTHORIZED_NOTED_MAX && !unauthorizedNoted.contains(object)) {
            unauthorizedNoted = unauthorizedNoted.isEmpty() ? new HashSet<>() : unauthorizedNoted;
            unauthorizedNoted.add(object);
            noteRefusal(NOT_AUTHORIZED, object, () -> unauthorized(verb, object));
        }
    }

    /** What the log says of a client that may not do something to a topic or filter. */
    public String unauthorized(String verb, String object) {
        return "no policy lets this client " + verb + " '" + ConnectionLog.shortened(object) + "'; "
                + policies(PolicySet::topicPolicies);
    }

    /** Which policies there are, for the log. */
    String policies(Function<PolicySet, String> kinds) {
        PolicySet present = admission.policies().current();
        return "endpoint '" + origin().endpoint() + "' has " + (present == null ? "no policies" : kinds.apply(present));
    }

    /** The broker itself did something wrong. */
    public void noteFailure(Throwable cause) {
        log.failed(who(), cause);
    }

    private String who() {
        String name = identity.userName() == null ? claimedUser : identity.userName();
        String user = name == null ? "" : " of user '" + name + "'";
        return "client '" + clientId + "'" + user + " at " + channel.remoteAddress();
    }
}
