package dev.avocet.mqtt.connection;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.object.policy.SubscriptionAction;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.policy.Decision;
import dev.avocet.core.policy.Limits;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.core.session.SessionLog;
import dev.avocet.core.session.ShareMismatchException;
import dev.avocet.core.session.Subscribed;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.topic.level.TopicLevels;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.admission.RefusedText;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * SUBSCRIBE and UNSUBSCRIBE of one connection, and the consumers that come of them. Owned by the connection's loop.
 */
final class SubscriptionRequests {
    private static final String NOT_AUTHORIZED = "no policy lets this client subscribe to that";

    private static final String STANDBY_AWAY =
            "the standby does not answer, and has to have subscriptions that have to survive (MinInSync)";

    private final MqttConnection connection;
    private final Broker broker;
    private final Supplier<MqttOptions> options;
    private final ClientSession session;
    private final Deliveries deliveries;
    private final ProtocolVersion version;
    /** A map that can be changed is made with the first one. */
    private Map<String, SubscriptionConsumer> consumers = Map.of();
    /** Why the last refused subscription of the packet at hand was refused. */
    private @Nullable String refusalReason;

    SubscriptionRequests(
            MqttConnection connection,
            Broker broker,
            Supplier<MqttOptions> options,
            ClientSession session,
            Deliveries deliveries,
            ProtocolVersion version) {
        this.connection = connection;
        this.broker = broker;
        this.options = options;
        this.session = session;
        this.deliveries = deliveries;
        this.version = version;
    }

    /**
     * Takes up the subscriptions that the session already has. Those of the client's own are authorised again, and go
     * on under the policy that now allows them; what none allows stays with the session but gets nothing over this
     * connection.
     */
    void attachExisting() {
        broker.subscriptions().refreshLimits(session);
        session.subscriptionsByKey().forEach((key, subscription) -> {
            if (subscription.isShared() || connection.rights().isOpen() || authorizeAgain(key, subscription)) {
                attach(key, subscription);
            }
        });
    }

    private boolean authorizeAgain(String key, Subscription subscription) {
        Decision decision = connection.rights().subscribe(subscription.filter().text());
        if (decision.allowed()) {
            broker.subscriptions().limit(session, key, limitsOf(decision));
        } else {
            noteUnauthorized(key);
        }
        return decision.allowed();
    }

    /** Answers first and then sends, so that the client knows a subscription before its messages come. */
    void onSubscribe(Subscribe packet) {
        for (TopicSubscription wanted : packet.subscriptions()) {
            if (!isWellFormed(wanted.filter())) {
                return;
            }
        }
        if (session.log() != null && !broker.isAttended()) {
            refuseAll(packet);
            return;
        }
        List<ReasonCode> answers = new ArrayList<>(packet.subscriptions().size());
        List<Runnable> afterAnswer = new ArrayList<>(packet.subscriptions().size());
        for (TopicSubscription wanted : packet.subscriptions()) {
            answers.add(subscribe(wanted, packet.subscriptionIdentifier(), afterAnswer));
            if (connection.isClosed()) {
                return;
            }
        }
        String reason = refusalReason;
        refusalReason = null;
        answer(() -> {
            send(new SubAck(packet.packetId(), codes(answers), reason, List.of()));
            afterAnswer.forEach(Runnable::run);
        });
    }

    /** What it asks for has to survive, and cannot. */
    private void refuseAll(Subscribe packet) {
        List<ReasonCode> answers =
                new ArrayList<>(Collections.nCopies(packet.subscriptions().size(), ReasonCode.QUOTA_EXCEEDED));
        boolean unused = connection.sendFreely(new SubAck(packet.packetId(), codes(answers), STANDBY_AWAY, List.of()));
    }

    void onUnsubscribe(Unsubscribe packet) {
        for (String filter : packet.filters()) {
            if (!isWellFormed(filter)) {
                return;
            }
        }
        if (session.log() != null && !broker.isAttended()) {
            refuseAll(packet);
            return;
        }
        List<ReasonCode> answers = new ArrayList<>(packet.filters().size());
        for (String filter : packet.filters()) {
            answers.add(unsubscribe(filter));
        }
        answer(() -> send(new UnsubAck(packet.packetId(), answers)));
    }

    /** The end of what survives has to survive, too. Before MQTT 5 there is no other way to say that it does not. */
    private void refuseAll(Unsubscribe packet) {
        if (version.hasProperties()) {
            List<ReasonCode> answers =
                    Collections.nCopies(packet.filters().size(), ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR);
            boolean unused = connection.sendFreely(new UnsubAck(packet.packetId(), answers));
        } else {
            connection.fail(ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR, STANDBY_AWAY);
        }
    }

    /** What is about a session that ends with the connection is known nowhere else. */
    private void send(Packet answer) {
        if (!connection.isClosed()) {
            boolean unused = session.log() == null ? connection.sendFreely(answer) : connection.send(answer);
        }
    }

    /** What ends the connection when a filter has it; the packet then changes nothing. */
    private boolean isWellFormed(String filter) {
        String character =
                connection.leniency().controlCharacters() ? null : RefusedText.reason("topic filter", filter);
        if (character != null) {
            connection.fail(ReasonCode.MALFORMED_PACKET, character);
            return false;
        }
        String share = SubscriptionName.shareProblem(filter);
        if (share != null) {
            connection.fail(ReasonCode.PROTOCOL_ERROR, share);
            return false;
        }
        return true;
    }

    /** What the endpoint says of refused subscriptions. */
    private List<ReasonCode> codes(List<ReasonCode> answers) {
        if (connection.leniency().plainSubscribeCodes()) {
            answers.replaceAll(code -> code.isError() ? ReasonCode.UNSPECIFIED_ERROR : code);
        }
        return answers;
    }

    /**
     * Runs an action that tells the client what is durable then. The connection may have ended, and the session moved.
     */
    private void answer(Runnable action) {
        SessionLog log = session.log();
        if (log == null) {
            action.run();
        } else {
            log.afterCommit(action);
        }
    }

    /** Stops taking messages for all subscriptions; the session keeps them. */
    void detachAll() {
        consumers.values().forEach(SubscriptionConsumer::detach);
        consumers = Map.of();
    }

    private ReasonCode subscribe(TopicSubscription wanted, int identifier, List<Runnable> afterAnswer) {
        SubscriptionName name;
        try {
            name = SubscriptionName.parse(wanted.filter(), session.expirySeconds() > 0);
        } catch (IllegalArgumentException e) {
            return invalidFilter(wanted, e.getMessage());
        }
        if (name.isShared() && wanted.noLocal()) {
            connection.fail(ReasonCode.PROTOCOL_ERROR, "No Local on a shared subscription [MQTT-3.8.3-4]");
            return ReasonCode.PROTOCOL_ERROR;
        }
        ReasonCode refusal = refusal(wanted, name.filter());
        if (refusal != null) {
            return refusal;
        }
        Decision decision = authorize(name);
        if (!decision.allowed()) {
            return unauthorized(wanted);
        }
        Subscribed subscribed;
        try {
            subscribed = broker.subscriptions().subscribe(session, requestOf(wanted, name, identifier, decision));
        } catch (ShareMismatchException e) {
            return invalidFilter(wanted, e.getMessage());
        }
        Subscription subscription = subscribed.subscription();
        boolean replays = !name.isShared() // none for shared ones
                && wantsRetained(wanted.retainHandling(), subscribed.isNew());
        begin(wanted, subscription, replays, afterAnswer);
        return granted(subscription.options().qos());
    }

    private SubscriptionRequest requestOf(
            TopicSubscription wanted, SubscriptionName name, int identifier, Decision decision) {
        DeliveryOptions delivery = identifier == Subscribe.NO_IDENTIFIER
                ? DeliveryOptions.plain(wanted.qos(), wanted.retainAsPublished())
                : new DeliveryOptions(wanted.qos(), wanted.retainAsPublished(), false, new int[] {identifier});
        return new SubscriptionRequest(
                wanted.filter(),
                name.filter(),
                name.group(),
                delivery,
                wanted.noLocal(),
                limitsOf(decision),
                name.takes(),
                decision.selection());
    }

    private void begin(
            TopicSubscription wanted, Subscription subscription, boolean replays, List<Runnable> afterAnswer) {
        boolean survives = subscription.queue().durableId() != DeliverySource.NOT_STORED;
        if (replays && survives) {
            replayRetained(subscription); // what fits into one record with the subscription is durable together with it
        }
        afterAnswer.add(() -> {
            attach(wanted.filter(), subscription);
            if (replays && !survives) {
                replayRetained(subscription);
            }
        });
    }

    private void replayRetained(Subscription subscription) {
        IoLoop home = subscription.queue().home();
        if (home.inLoop()) {
            broker.replayRetained(subscription, home);
        } else {
            home.execute(() -> replayRetained(subscription)); // the client has come back there meanwhile
        }
    }

    private static ReasonCode granted(QualityOfService qos) {
        return switch (qos) {
            case AT_MOST_ONCE -> ReasonCode.GRANTED_QOS_0;
            case AT_LEAST_ONCE -> ReasonCode.GRANTED_QOS_1;
            case EXACTLY_ONCE -> ReasonCode.GRANTED_QOS_2;
        };
    }

    /** The answer to a subscription that is not made, which in MQTT 3.1 may look granted; null to make it. */
    private @Nullable ReasonCode refusal(TopicSubscription wanted, TopicFilter filter) {
        if (TopicLevels.levelCount(filter) > broker.topicLevelsMax()) {
            return invalidFilter(wanted, "too many levels");
        }
        if (filter.isReserved() && !filter.text().startsWith("$SYS/")) {
            return invalidFilter(wanted, "filters that begin with $ are the broker's own");
        }
        int most = options.get().maxSubscriptions();
        boolean full = session.subscription(wanted.filter()) == null
                && session.subscriptions().size() >= most;
        if (!full && session.home().memory().acceptsClients()) {
            return null;
        }
        String why = full ? "a session has at most " + most + " subscriptions" : "memory is short";
        refusalReason = why;
        connection
                .peer()
                .noteRefusal(
                        "subscription",
                        session.clientId(),
                        () -> "to '" + ConnectionLog.shortened(wanted.filter()) + "': " + why);
        return ReasonCode.QUOTA_EXCEEDED;
    }

    /**
     * Every subscription needs a topic policy; a global shared durable one also a policy for its members and, if need
     * be, its maker.
     */
    private Decision authorize(SubscriptionName name) {
        Decision topic = connection.rights().subscribe(name.filter().text());
        String global = name.globalName();
        if (!topic.allowed() || global == null) {
            return topic;
        }
        boolean mayMake = broker.subscriptions().isShared(Objects.requireNonNull(name.group()))
                || connection
                        .rights()
                        .sharedSubscription(global, SubscriptionAction.CONTROL)
                        .allowed();
        return mayMake ? connection.rights().sharedSubscription(global, SubscriptionAction.RECEIVE) : Decision.DENIED;
    }

    private QueueLimits limitsOf(Decision decision) {
        Limits limits = decision.limits();
        return limits == null
                ? broker.options().subscriptionLimits()
                : broker.subscriptions().policies().limitsUnder(limits);
    }

    /** MQTT 3.1 has no word for it: the answer looks as granted as any other. */
    private ReasonCode unauthorized(TopicSubscription wanted) {
        refusalReason = NOT_AUTHORIZED;
        noteUnauthorized(wanted.filter());
        return version == ProtocolVersion.V3_1 ? granted(wanted.qos()) : ReasonCode.NOT_AUTHORIZED;
    }

    private void noteUnauthorized(String filter) {
        connection.loop().counters().increment(Counter.SUBSCRIPTIONS_UNAUTHORIZED);
        connection.peer().noteUnauthorized("subscribe to", filter);
    }

    /** MQTT 3.1 has no word for a refused subscription: the answer looks granted and nothing will come. */
    private ReasonCode invalidFilter(TopicSubscription wanted, String fullReason) {
        String why = RefusedText.shortened(fullReason);
        refusalReason = why;
        String filter = wanted.filter();
        connection
                .peer()
                .noteRefusal("subscription", filter, () -> "to '" + ConnectionLog.shortened(filter) + "': " + why);
        return version == ProtocolVersion.V3_1 ? ReasonCode.GRANTED_QOS_0 : ReasonCode.TOPIC_FILTER_INVALID;
    }

    /** Takes the consumer of a subscription off its queue, as the subscription is about to end. */
    void detach(String key) {
        SubscriptionConsumer consumer = consumers.get(key);
        if (consumer != null) {
            consumers.remove(key);
            consumer.unsubscribe();
        }
    }

    private ReasonCode unsubscribe(String filter) {
        detach(filter);
        if (broker.subscriptions().unsubscribe(session, filter)) {
            return ReasonCode.SUCCESS;
        }
        return ReasonCode.NO_SUBSCRIPTION_EXISTED; // [MQTT-3.11.3-2]
    }

    @SuppressWarnings("ReferenceEquality")
    private void attach(String key, Subscription subscription) {
        if (connection.isClosed() || session.subscription(key) != subscription) {
            return; // or it is over or changed already, as the client has not waited for the answer
        }
        SubscriptionConsumer present = consumers.get(key);
        if (present != null) {
            present.subscription(subscription);
            return;
        }
        SubscriptionConsumer consumer = new SubscriptionConsumer(deliveries, subscription);
        if (consumers.isEmpty()) {
            consumers = new LinkedHashMap<>(4);
        }
        consumers.put(key, consumer);
        consumer.attach();
    }

    private static boolean wantsRetained(RetainHandling handling, boolean isNew) {
        return switch (handling) {
            case SEND_AT_SUBSCRIBE -> true;
            case SEND_IF_NEW_SUBSCRIPTION -> isNew;
            case DO_NOT_SEND -> false;
        };
    }
}
