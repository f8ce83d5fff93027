package dev.avocet.mqtt.connection;

import dev.avocet.core.broker.FrontEnd.Admission;
import dev.avocet.core.config.object.Protocol;
import dev.avocet.core.policy.ClientFacts;
import dev.avocet.core.security.ClientIdentity;
import dev.avocet.core.security.ClientOrigin;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import io.netty.channel.Channel;
import java.util.Set;
import java.util.function.Supplier;

/** Who is at the other end of a connection, as far as is known by now, and what the log says of it. Owned by the connection's loop. */
final class Peer implements Supplier<ClientFacts> {
    /** The cause of what is refused by policies while the connection goes on. */
    private static final String NOT_AUTHORIZED = "not authorized";

    /** What is about who somebody is and what he may do. */
    static final Set<String> SECURITY_CAUSES = Set.of(
            NOT_AUTHORIZED,
            ReasonCode.NOT_AUTHORIZED.name(),
            ReasonCode.BAD_USER_NAME_OR_PASSWORD.name(),
            ReasonCode.BAD_AUTHENTICATION_METHOD.name(),
            ReasonCode.CONNECTION_RATE_EXCEEDED.name());

    private final Channel channel;
    private final Admission admission;
    private final ConnectionLog log;
    private String clientId = "";
    private ClientIdentity identity = ClientIdentity.ANONYMOUS;
    /** It is in the log that the client wants what it may not. */
    private boolean unauthorizedNoted;

    Peer(Channel channel, Admission admission, ConnectionLog log) {
        this.channel = channel;
        this.admission = admission;
        this.log = log;
    }

    String clientId() {
        return clientId;
    }

    void clientId(String said) {
        clientId = said;
    }

    ClientIdentity identity() {
        return identity;
    }

    void identity(ClientIdentity proved) {
        identity = proved;
    }

    ClientOrigin origin() {
        return admission.origin();
    }

    /** The one place where what is known of a client becomes what policies ask about. */
    @Override
    public ClientFacts get() {
        ClientOrigin origin = admission.origin();
        String commonName = identity.commonName() == null ? origin.commonName() : identity.commonName();
        return ClientFacts.of(
                identity.userName(), identity.groups(), clientId, origin.address(), commonName, Protocol.MQTT);
    }

    /** The client is connected, which the log tells only when it tells of every connection. */
    void noteConnected(ProtocolVersion version, boolean sessionPresent) {
        if (log.tellsOfEvery()) {
            log.connected(who(), version + (sessionPresent ? ", session resumed" : ", new session"));
        }
    }

    /** The same for the end of the connection. */
    void noteEnded() {
        if (log.tellsOfEvery()) {
            log.ended(who());
        }
    }

    /** The connection is closed: one line in the log a minute for each cause. */
    void noteClosed(String cause, String detail) {
        log.closed(cause, who(), detail);
    }

    /** The same for something that was refused while the connection goes on. */
    void noteRefusal(String what, String detail) {
        log.refused(what, who(), detail);
    }

    /** No policy allows what the client wants: once a connection in the log, as it may want it very often. */
    void noteUnauthorized(String detail) {
        if (!unauthorizedNoted) {
            unauthorizedNoted = true;
            noteRefusal(NOT_AUTHORIZED, detail);
        }
    }

    /** The broker itself did something wrong. */
    void noteFailure(Throwable cause) {
        log.failed(who(), cause);
    }

    private String who() {
        String user = identity.userName() == null ? "" : " of user '" + identity.userName() + "'";
        return "client '" + clientId + "'" + user + " at " + channel.remoteAddress();
    }
}
