package dev.avocet.amqp.peer;

import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.policy.ClientFacts;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import io.netty.channel.Channel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a connection, as far as it has said and proved that. Owned by the connection's loop.
 */
public final class AmqpClient implements Supplier<ClientFacts> {
    private final Admission admission;
    private final Channel channel;
    private String containerId = "";
    private @Nullable ClientIdentity identity;
    /** How it logs in; null before and afterwards. */
    private @Nullable SaslNegotiation login;

    public AmqpClient(Admission admission, Channel channel) {
        this.admission = admission;
        this.channel = channel;
    }

    /** How it calls itself; empty before it has said so. */
    public String containerId() {
        return containerId;
    }

    public void containerId(String said) {
        containerId = said;
    }

    public boolean isKnown() {
        return identity != null;
    }

    public ClientIdentity identity() {
        return identity == null ? ClientIdentity.ANONYMOUS : identity;
    }

    public void identity(ClientIdentity proved) {
        identity = proved;
        login = null;
    }

    public @Nullable SaslNegotiation login() {
        return login;
    }

    public void login(SaslNegotiation begun) {
        login = begun;
    }

    public ClientOrigin origin() {
        return admission.origin();
    }

    /** The one place where what is known of a client becomes what policies ask about. */
    @Override
    public ClientFacts get() {
        ClientOrigin origin = admission.origin();
        return ClientFacts.of(identity(), containerId, origin.address(), origin.commonName(), Protocol.JMS);
    }

    /** What to call it where it has to be told from others: by its identifier, or by its user. */
    String shortName() {
        String user = identity().userName();
        return containerId.isEmpty() && user != null ? user : containerId;
    }

    @Override
    public String toString() {
        String name = login == null ? identity().userName() : login.userName();
        String user = name == null ? "" : " of user '" + name + "'";
        String id = containerId.isEmpty() ? "" : " '" + containerId + "'";
        return "JMS client" + id + user + " at " + channel.remoteAddress();
    }
}
