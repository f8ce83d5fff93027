package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.link.DurableName;
import dev.avocet.amqp.link.DurableRequest;
import dev.avocet.amqp.link.ProtectionOffer;
import dev.avocet.amqp.link.SourceFilters;
import dev.avocet.amqp.message.Address;
import dev.avocet.core.config.object.policy.QueueAction;
import dev.avocet.core.config.object.policy.SubscriptionAction;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.policy.Decision;
import dev.avocet.core.policy.Limits;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.topic.level.TopicLevels;
import java.util.Arrays;
import org.apache.qpid.protonj2.engine.Sender;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.TerminusDurability;
import org.apache.qpid.protonj2.types.messaging.TerminusExpiryPolicy;
import org.apache.qpid.protonj2.types.transport.AmqpError;

/**
 * From what a client wants to receive to the link that gives it: a queue, to take from or to look at, or a subscription
 * to a topic, which may be durable, shared, both or neither. Owned by the connection's loop.
 */
final class Sources {
    private static final Symbol COPY = Symbol.valueOf("copy");
    private static final Symbol SHARED = Symbol.valueOf("shared");
    private static final Symbol GLOBAL = Symbol.valueOf("global");
    /** Behind it a link's name tells one link of a shared subscription from the others. */
    private static final char NAME_END = '|';

    private final OpenConnection connection;
    private final Links links;
    private final Destinations destinations;
    private final DurableSubscriptions durable;

    Sources(OpenConnection connection, Links links) {
        this.connection = connection;
        this.links = links;
        this.destinations = new Destinations(connection);
        this.durable = new DurableSubscriptions(connection);
    }

    void open(Sender sender) throws AmqpException {
        Source source = sender.getRemoteSource();
        if (source == null) {
            find(sender);
            return;
        }
        Source granted = source.copy();
        SourceFilters filters = SourceFilters.of(source);
        granted.setFilter(filters.granted());
        sender.setSource(granted);
        Address address;
        if (source.isDynamic()) {
            TemporaryNodes.Node node = links.temporaryNodes()
                    .create(Links.saysTopic(source.getCapabilities()), source.getDynamicNodeProperties());
            granted.setAddress(node.name());
            address = node.address();
        } else if (source.getAddress() == null || source.getAddress().isEmpty()) {
            throw new AmqpException(AmqpError.INVALID_FIELD, "a source needs an address, or must be dynamic");
        } else {
            address = Links.address(source.getAddress(), source.getCapabilities());
        }
        if (destinations.isQueue(address, has(source, SHARED))) { // only subscriptions to topics are shared in that way
            openQueue(sender, address.name(), source, filters);
        } else {
            openTopic(sender, address.name(), source, filters);
        }
    }

    private void openQueue(Sender sender, String name, Source source, SourceFilters filters) throws AmqpException {
        boolean browses = COPY.equals(source.getDistributionMode());
        NamedQueue queue = browses
                ? destinations.queue(name, QueueAction.BROWSE, "browse")
                : destinations.queue(name, QueueAction.RECEIVE, "receive from");
        ReceiverOptions options =
                browses ? ReceiverOptions.browsing(filters.selector()) : ReceiverOptions.selecting(filters.selector());
        ProtectionOffer.ofQueue(sender, connection.broker().protection(), queue.name());
        links.add(new QueueLink(connection, sender, queue, options, links.transactions()));
    }

    private void openTopic(Sender sender, String name, Source source, SourceFilters filters) throws AmqpException {
        TopicFilter filter = filter(name);
        if (filter.hasWildcard()) {
            ProtectionOffer.ofTopics(sender, connection.broker().protection());
        } else {
            ProtectionOffer.ofTopic(sender, connection.broker().protection(), filter.text());
        }
        boolean shared = has(source, SHARED);
        boolean survives = isDurable(source);
        String subscriptionName = subscriptionName(sender, shared);
        boolean global = shared && has(source, GLOBAL);
        DurableName durableName = new DurableName(global ? "" : connection.containerId(), subscriptionName);
        QueueLimits limits = limits(authorize(filter, survives, shared, durableName));
        if (survives) {
            durable.open(
                    new DurableRequest(durableName, shared, filter, filters.noLocal(), filters.selector(), limits),
                    subscription -> attach(sender, subscription, filters),
                    problem -> links.refuse(sender, problem.condition()));
        } else if (shared) {
            String group = global
                    ? ShareNames.notDurable(subscriptionName)
                    : ShareNames.sharedWhileConsumed(
                            ClientSession.JMS_PREFIX + connection.containerId(), subscriptionName);
            attach(
                    sender,
                    NonDurableSubscription.share(connection, group, filter, filters.selector(), limits),
                    filters);
        } else {
            String group = ShareNames.ofConsumer(
                    connection.session().clientId(),
                    sender.getName(),
                    connection.context().containers().nextNumber());
            attach(sender, NonDurableSubscription.open(connection, group, filter, limits), filters);
        }
    }

    /**
     * What a member that shares leaves out no other member gets, so noLocal is for those who do not [Jakarta Messaging
     * 8.3].
     */
    private void attach(Sender sender, TopicSubscription subscription, SourceFilters filters) {
        boolean noLocal = filters.noLocal() && !subscription.isShared();
        links.add(new TopicLink(connection, sender, subscription, links.transactions(), filters.selector(), noLocal));
    }

    /** A client asks for a durable subscription by its name only, mostly to end it by closing the link. */
    private void find(Sender sender) throws AmqpException {
        boolean shared = sender.getName().indexOf(NAME_END) >= 0;
        DurableName name = new DurableName(shared ? "" : connection.containerId(), subscriptionName(sender, shared));
        if (shared
                && !connection
                        .rights()
                        .sharedSubscription(name.name(), SubscriptionAction.CONTROL)
                        .allowed()) {
            connection.loop().counters().increment(Counter.SUBSCRIPTIONS_UNAUTHORIZED);
            throw Destinations.unauthorized("end subscription '" + name + "'");
        }
        durable.find(
                name,
                found -> {
                    Source source = new Source();
                    source.setAddress(found.filterText());
                    source.setDurable(TerminusDurability.UNSETTLED_STATE);
                    source.setExpiryPolicy(TerminusExpiryPolicy.NEVER);
                    sender.setSource(source);
                    links.add(new TopicLink(connection, sender, found, links.transactions(), null, false));
                },
                problem -> links.refuse(sender, problem.condition()));
    }

    private static String subscriptionName(Sender sender, boolean shared) {
        int end = shared ? sender.getName().indexOf(NAME_END) : -1;
        return end < 0 ? sender.getName() : sender.getName().substring(0, end);
    }

    private TopicFilter filter(String name) throws AmqpException {
        TopicFilter filter;
        try {
            filter = TopicFilter.of(name);
        } catch (IllegalArgumentException e) {
            throw new AmqpException(AmqpError.INVALID_FIELD, String.valueOf(e.getMessage()));
        }
        int levelsMax = connection.broker().options().topicLevelsMax();
        if (TopicLevels.levelCount(filter) > levelsMax) {
            throw new AmqpException(AmqpError.INVALID_FIELD, "a topic has at most " + levelsMax + " levels");
        }
        if (filter.isReserved() && !filter.text().startsWith("$SYS/")) {
            throw new AmqpException(AmqpError.NOT_ALLOWED, "topics that begin with $ are the broker's own");
        }
        return filter;
    }

    private Decision authorize(TopicFilter filter, boolean survives, boolean shared, DurableName name)
            throws AmqpException {
        Decision topic = TemporaryNodes.isTemporaryTopic(filter.text())
                ? Decision.OPEN
                : connection.rights().subscribe(filter.text());
        boolean allowed = topic.allowed()
                && (!survives || connection.rights().connection().allowDurable());
        if (allowed && survives && shared) {
            topic = connection.rights().sharedSubscription(name.name(), SubscriptionAction.RECEIVE);
            allowed = topic.allowed() && (!name.isGlobal() || mayMake(name));
        }
        if (!allowed) {
            connection.loop().counters().increment(Counter.SUBSCRIPTIONS_UNAUTHORIZED);
            throw Destinations.unauthorized("subscribe to topic '" + filter.text() + "'");
        }
        return topic;
    }

    private boolean mayMake(DurableName name) {
        return connection.broker().subscriptions().isShared(name.group(true))
                || connection.broker().sessions().find(name.sessionId()) != null
                || connection
                        .rights()
                        .sharedSubscription(name.name(), SubscriptionAction.CONTROL)
                        .allowed();
    }

    private QueueLimits limits(Decision decision) {
        Limits limits = decision.limits();
        return limits == null
                ? connection.broker().options().subscriptionLimits()
                : connection.broker().subscriptions().policies().limitsUnder(limits);
    }

    private static boolean has(Source source, Symbol capability) {
        return source.getCapabilities() != null
                && Arrays.asList(source.getCapabilities()).contains(capability);
    }

    private static boolean isDurable(Source source) {
        TerminusDurability durability = source.getDurable();
        return (durability != null && durability != TerminusDurability.NONE)
                || source.getExpiryPolicy() == TerminusExpiryPolicy.NEVER;
    }
}
