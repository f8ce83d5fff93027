package dev.avocet.amqp.connection;

import dev.avocet.amqp.peer.AmqpClient;
import dev.avocet.amqp.peer.AmqpContext;
import dev.avocet.amqp.peer.ConnectionNotes;
import dev.avocet.amqp.peer.OutputBuffer;
import dev.avocet.amqp.transfer.SessionFlows;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.frontend.Leniency;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.metrics.Traffic;
import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.session.ClientSession;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;

/**
 * A connection that is open, as its sessions and links see it: what they need of it, and what they tell it. It is there
 * still when the connection {@linkplain #isClosed has ended}, for answers that come late.
 *
 * <p>Owned by the connection's loop.
 */
final class OpenConnection {
    private final AmqpConnection connection;
    private final Parts parts;
    private final ClientSession session;
    private final AccessRights rights;

    /** What a connection consists of, from its beginning on. */
    record Parts(
            AmqpContext context,
            IoLoop loop,
            Admission admission,
            LoopResources resources,
            Traffic traffic,
            OutputBuffer output,
            SessionFlows flows,
            AmqpClient client,
            ConnectionNotes notes) {}

    /**
     * @param session that the connection's own subscriptions belong to
     * @param rights what the client may do
     */
    OpenConnection(AmqpConnection connection, Parts parts, ClientSession session, AccessRights rights) {
        this.connection = connection;
        this.parts = parts;
        this.session = session;
        this.rights = rights;
    }

    Broker broker() {
        return parts.context.broker();
    }

    AmqpContext context() {
        return parts.context;
    }

    IoLoop loop() {
        return parts.loop;
    }

    LoopResources resources() {
        return parts.resources;
    }

    Traffic traffic() {
        return parts.traffic;
    }

    OutputBuffer output() {
        return parts.output;
    }

    /** What flows in the sessions. */
    SessionFlows flows() {
        return parts.flows;
    }

    Connection protocol() {
        return connection.protocol();
    }

    /** The session that the connection's own subscriptions belong to. */
    ClientSession session() {
        return session;
    }

    /** What the client may do. */
    AccessRights rights() {
        return rights;
    }

    ClientIdentity identity() {
        return parts.client.identity();
    }

    String containerId() {
        return parts.client.containerId();
    }

    /** Who publishes what comes over this connection: all connections of a container count as one. */
    Object publisher() {
        return parts.client.containerId();
    }

    /** The largest message that the endpoint takes, in bytes. */
    int maxMessageBytes() {
        return parts.admission.maxPacketBytes();
    }

    /** What the endpoint puts up with. */
    Leniency leniency() {
        return parts.admission.leniency();
    }

    boolean isClosed() {
        return connection.isClosed();
    }

    /** The client did what it must not: it is told, and the connection is closed. */
    void fail(ErrorCondition condition) {
        connection.fail(condition);
    }

    /** Does what is called by ProtonJ2, where a failure would be lost. */
    void guarded(Runnable action) {
        connection.guarded(action);
    }

    /**
     * Something was refused while the connection goes on: one line in the log a minute for each cause and object.
     *
     * @param object what it is about
     */
    void noteRefusal(String what, String object, String detail) {
        parts.notes.refused(what, object, detail);
    }

    /** A message was refused as a queue or subscription is full. */
    void noteFull(Message message, MessageQueue queue) {
        parts.notes.full(message, queue);
    }
}
