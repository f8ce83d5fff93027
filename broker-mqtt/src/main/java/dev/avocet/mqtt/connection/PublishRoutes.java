package dev.avocet.mqtt.connection;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DisallowedCharacters;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteLooks;
import dev.avocet.mqtt.admission.RefusedText;
import dev.avocet.mqtt.codec.PublishDecoder;
import dev.avocet.mqtt.codec.PublishView;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * Where the publishes of one connection go: by topic name, or by topic alias. The route of the last topic is kept, so a
 * client that publishes to one topic is served without looking anything up.
 *
 * <p>Owned by the connection's loop.
 */
final class PublishRoutes {
    /**
     * Of how many routes that the loop did not hold one is remembered, the first one to begin with. So a client that
     * stays on a topic is served by it soon, and one with many topics does not have each of them stored for nothing:
     * a reference that is stored in an old object costs as much as a part of the walk.
     */
    private static final int REMEMBERED_NEW_ROUTES = 16;

    private final MqttConnection connection;
    private final Broker broker;
    private final IoLoop loop;
    private final TopicAliases aliases;
    private final boolean takesControlCharacters;
    private final Refusal refusal;

    private final RouteLooks looks = new RouteLooks();
    private @Nullable CachedRoute<Route> last;
    private int newRoutes;

    /** Tells a client that it may not publish to a topic. */
    interface Refusal {
        void refuse(PublishView view, String why);
    }

    PublishRoutes(MqttConnection connection, Broker broker, IoLoop loop, TopicAliases aliases, Refusal refusal) {
        this.connection = connection;
        this.broker = broker;
        this.loop = loop;
        this.aliases = aliases;
        this.takesControlCharacters = connection.leniency().controlCharacters();
        this.refusal = refusal;
    }

    /** The route of a publish; null when it cannot be published, of which the client has been told. */
    @Nullable CachedRoute<Route> routeOf(PublishView view) throws MalformedPacketException {
        if (view.topicAlias() != Publish.NO_ALIAS) {
            return aliasRoute(view);
        }
        byte[] buf = view.buffer();
        CachedRoute<Route> before = last;
        if (before != null && before.isFor(buf, view.topicOffset(), view.topicLength())) {
            return before.isCurrent() ? before : remember(broker.route(before.topic(), loop));
        }
        CachedRoute<Route> leader = before != null && leads(before, view) ? before : null;
        boolean isLookedFor = leader == null && looks.isWorthIt();
        if (isLookedFor) {
            CachedRoute<Route> known = broker.findRoute(buf, view.topicOffset(), view.topicLength(), loop);
            if (known != null) {
                looks.found();
                return isAcceptable(known.topic()) ? remember(known) : null;
            }
            looks.missed();
        }
        TopicName topic = topicOf(view);
        if (!mayPublishTo(view, topic)) {
            return null;
        }
        CachedRoute<Route> fresh = leader != null
                ? leader.of(topic)
                : isLookedFor ? broker.newRoute(topic, loop) : broker.passingRoute(topic, last, loop);
        return newRoutes++ % REMEMBERED_NEW_ROUTES == 0 ? remember(fresh) : fresh;
    }

    /** The same of a publish with a topic alias, which it may set. */
    @SuppressWarnings("ReferenceEquality") // a client that stays on one topic publishes with the very same object
    @Nullable CachedRoute<Route> aliasRoute(PublishView view) throws MalformedPacketException {
        int alias = view.topicAlias();
        if (!aliases.isAllowed(alias)) {
            connection.fail(
                    ReasonCode.TOPIC_ALIAS_INVALID, "topic alias " + alias + " is above the maximum [MQTT-3.3.2-9]");
            return null;
        }
        TopicName topic;
        if (view.topicLength() > 0) {
            topic = topicOf(view);
            aliases.set(alias, topic); // also when the topic is refused: the client goes on to use the alias
        } else {
            topic = aliases.topicOf(alias);
            if (topic == null) {
                connection.fail(
                        ReasonCode.PROTOCOL_ERROR, "topic alias " + alias + " was never set on this connection");
                return null;
            }
        }
        CachedRoute<Route> before = last;
        if (before != null && before.topic() == topic && before.isCurrent()) {
            return before;
        }
        return mayPublishTo(view, topic) ? remember(broker.route(topic, loop)) : null;
    }

    /**
     * Whether another topic has the route of the last one; then nothing is looked for. What the loop remembers of a
     * topic is of use where it says who may publish to that very topic, or is one of few.
     */
    private boolean leads(CachedRoute<Route> before, PublishView view) {
        return before.noted() == null
                && !broker.holdsFewRoutes(loop)
                && before.leads(view.buffer(), view.topicOffset(), view.topicLength());
    }

    private CachedRoute<Route> remember(CachedRoute<Route> route) {
        last = route;
        return route;
    }

    private static TopicName topicOf(PublishView view) throws MalformedPacketException {
        byte[] utf8 = view.copyTopic();
        TopicName plain = TopicName.ifPlain(utf8);
        if (plain != null) {
            return plain;
        }
        PublishDecoder.validateTopicName(utf8, 0, utf8.length);
        return TopicName.ofUtf8(utf8);
    }

    /** Whether a publish may ask for answers as it does; when it may not, the client has been told so. */
    boolean mayAskForAnswers(PublishView view) {
        if (takesControlCharacters) {
            return true;
        }
        int found = DisallowedCharacters.firstIn(view.buffer(), view.responseTopicOffset(), view.responseTopicLength());
        if (found == DisallowedCharacters.NONE) {
            return true;
        }
        failForCharacter("response topic", found);
        return false;
    }

    /** Whether clients may publish to a topic; when they may not, this one has been told so. */
    private boolean mayPublishTo(PublishView view, TopicName topic) {
        if (!isAcceptable(topic)) {
            return false;
        }
        if (topic.isReserved()) {
            refusal.refuse(view, "topics that begin with $ are the broker's own");
            return false;
        }
        int levelsMax = broker.topicLevelsMax();
        if (topic.levels() > levelsMax) {
            refusal.refuse(view, "a topic name has at most " + levelsMax + " levels");
            return false;
        }
        return true;
    }

    /**
     * Whether the endpoint takes the characters of a topic name. Another endpoint may, so what the loop knows already
     * is asked too; what was found out when the name was made is a look at a field.
     */
    private boolean isAcceptable(TopicName topic) {
        if (takesControlCharacters || !topic.hasDisallowedCharacters()) {
            return true;
        }
        byte[] utf8 = topic.utf8();
        failForCharacter("topic name", DisallowedCharacters.firstIn(utf8, 0, utf8.length));
        return false;
    }

    private void failForCharacter(String what, int codePoint) {
        connection.fail(ReasonCode.MALFORMED_PACKET, RefusedText.reason(what, codePoint));
    }
}
