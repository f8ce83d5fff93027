package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.link.OpenLink;
import dev.avocet.amqp.message.Address;
import dev.avocet.amqp.message.JmsAnnotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.qpid.protonj2.engine.Link;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transactions.Coordinator;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.LinkError;
import org.jspecify.annotations.Nullable;

/**
 * The links of one connection: opens what a client attaches, and ends everything when the connection does. Owned by the
 * connection's loop.
 */
final class Links {
    private static final Symbol QUEUE = Symbol.valueOf("queue");
    private static final Symbol TOPIC = Symbol.valueOf("topic");
    private static final Symbol TEMPORARY_QUEUE = Symbol.valueOf("temporary-queue");
    private static final Symbol TEMPORARY_TOPIC = Symbol.valueOf("temporary-topic");

    private final OpenConnection connection;
    private final LocalTransactions transactions;
    private final Sources sources;
    private final TemporaryNodes temporaryNodes;
    private final Set<OpenLink> open = new LinkedHashSet<>();

    Links(OpenConnection connection) {
        this.connection = connection;
        this.transactions = new LocalTransactions(connection);
        this.temporaryNodes = new TemporaryNodes(connection);
        this.sources = new Sources(connection, this);
    }

    LocalTransactions transactions() {
        return transactions;
    }

    TemporaryNodes temporaryNodes() {
        return temporaryNodes;
    }

    /** A client wants to receive. */
    void onSender(Sender sender) {
        sender.setLinkedResource(connection.flows().outgoing());
        if (connection.flows().isIncomplete()) {
            sendBack(sender);
            return;
        }
        try {
            sources.open(sender);
        } catch (AmqpException e) {
            refuse(sender, e.condition());
        }
    }

    /**
     * Nothing new may be sent to a client that cannot say all that it has [AMQP 1.0 part 2, 2.7.3]. So it hears from
     * the attach frame that nothing of it is known here, and attaches again without it.
     */
    private void sendBack(Sender sender) {
        sender.setSource(sender.getRemoteSource());
        if (sender.getRemoteTarget() instanceof Target target) {
            sender.setTarget(target);
        }
        sender.open();
        sender.setCondition(new ErrorCondition(
                LinkError.DETACH_FORCED, "none of the unsettled deliveries is known here: attach again without them"));
        sender.detach();
    }

    /** A client wants to send, or to use transactions. */
    void onReceiver(Receiver receiver) {
        receiver.setLinkedResource(connection.flows().incoming());
        try {
            if (receiver.getRemoteTarget() instanceof Coordinator coordinator) {
                add(new CoordinatorLink(connection, receiver, coordinator, transactions));
            } else if (receiver.getRemoteTarget() instanceof Target target) {
                add(PublishLink.open(connection, receiver, target, this));
            } else {
                throw new AmqpException(AmqpError.INVALID_FIELD, "a link to send by needs a target");
            }
        } catch (AmqpException e) {
            refuse(receiver, e.condition());
        }
    }

    void add(OpenLink link) {
        open.add(link);
        link.begin(() -> open.remove(link));
    }

    /**
     * Tells a client that it cannot have a link: it is attached without source and target, and detached at once [AMQP
     * 1.0 part 2, 2.6.3]. With one of them clients such as go-amqp take the link for granted.
     */
    void refuse(Link<?> link, ErrorCondition condition) {
        connection.noteRefusal(
                String.valueOf(condition.getCondition()),
                String.valueOf(condition.getDescription()), // which names what it is about
                "link '" + link.getName() + "': " + condition.getDescription());
        if (link instanceof Receiver receiver) {
            receiver.setTarget((Target) null);
            receiver.setSource(null);
        } else if (link instanceof Sender sender) {
            sender.setTarget((Target) null);
            sender.setSource(null);
        }
        link.open();
        link.setCondition(condition);
        link.close();
    }

    void onWritable() {
        for (OpenLink link : List.copyOf(open)) {
            link.onWritable();
        }
    }

    void onSubscriptionEnding(String key) {
        List.copyOf(open).forEach(link -> link.onSubscriptionEnding(key));
    }

    void onSessionEnd(Session session) {
        for (OpenLink link : new ArrayList<>(open)) {
            if (link.isOf(session)) {
                link.end(false);
                open.remove(link);
            }
        }
    }

    /**
     * The connection is over.
     *
     * @param lost false when the client has closed it, and so has said of its deliveries what it had to say
     */
    void close(boolean lost) {
        for (OpenLink link : new ArrayList<>(open)) {
            link.end(lost);
        }
        open.clear();
        transactions.close();
        temporaryNodes.close();
    }

    /** What capabilities of a source or target say about what an address names. */
    static Address address(String text, Symbol @Nullable [] capabilities) {
        List<Symbol> said = capabilities == null ? List.of() : Arrays.asList(capabilities);
        int kind = JmsAnnotation.UNKNOWN;
        if (said.contains(QUEUE) || said.contains(TEMPORARY_QUEUE)) {
            kind = JmsAnnotation.QUEUE;
        } else if (said.contains(TOPIC) || said.contains(TEMPORARY_TOPIC)) {
            kind = JmsAnnotation.TOPIC;
        }
        return Address.parse(text, kind);
    }

    static boolean saysTopic(Symbol @Nullable [] capabilities) {
        return address("", capabilities).kind() == JmsAnnotation.TOPIC;
    }
}
