package dev.avocet.mqtt.connection;

import dev.avocet.core.message.TopicName;
import dev.avocet.mqtt.packet.Publish;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topic aliases of one connection, both ways: those that the client has set, and those that the broker sets for the
 * first topics that it sends, as many as the client allows [MQTT-3.1.2-26]. They end with the connection
 * [MQTT-3.3.2-7].
 */
final class TopicAliases {
    /** Of all the connections that use none. */
    private static final TopicAliases NONE = new TopicAliases(0, 0);

    private final int maximumIn;
    private final int maximumOut;
    private TopicName @Nullable [] in;
    private @Nullable Map<TopicName, Integer> out;

    TopicAliases(int maximumIn, int maximumOut) {
        this.maximumIn = maximumIn;
        this.maximumOut = maximumOut;
    }

    static TopicAliases of(int maximumIn, int maximumOut) {
        return maximumIn == 0 && maximumOut == 0 ? NONE : new TopicAliases(maximumIn, maximumOut);
    }

    /** True when the client may use this alias [MQTT-3.3.2-9]. */
    boolean isAllowed(int alias) {
        return alias <= maximumIn;
    }

    void set(int alias, TopicName topic) {
        if (in == null) {
            in = new TopicName[maximumIn + 1];
        }
        in[alias] = topic;
    }

    /** What the client has set an alias to, or null. */
    @Nullable TopicName topicOf(int alias) {
        return in == null ? null : in[alias];
    }

    boolean sendsAliases() {
        return maximumOut > 0;
    }

    /** The alias that the client already knows for a topic, or {@link Publish#NO_ALIAS}. */
    int known(TopicName topic) {
        return out == null ? Publish.NO_ALIAS : out.getOrDefault(topic, Publish.NO_ALIAS);
    }

    /** A new alias for a topic, to be sent together with its name, or {@link Publish#NO_ALIAS} when all are taken. */
    int assign(TopicName topic) {
        if (out == null) {
            out = new HashMap<>();
        }
        if (out.size() >= maximumOut) {
            return Publish.NO_ALIAS;
        }
        int alias = out.size() + 1;
        out.put(topic, alias);
        return alias;
    }
}
