package dev.avocet.mqtt.connection;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.session.ShareNames;
import org.jspecify.annotations.Nullable;

/**
 * What a client writes into SUBSCRIBE, taken apart.
 *
 * @param filter the plain topic filter
 * @param group the shared subscription that it belongs to, the same text for all members; null for a subscription of
 *     its own
 * @param globalName names a global shared durable subscription, for which subscription policies are; null for all
 *     others
 * @param takes which messages it wants
 */
record SubscriptionName(
        TopicFilter filter,
        @Nullable String group,
        @Nullable String globalName,
        QualityOfServiceFilter takes) {
    private static final String SELECT = "$select/";
    private static final String SHARE = "$share/";
    private static final String SHARED_SUBSCRIPTION = "$SharedSubscription/";

    /**
     * Takes a filter apart. {@code $share/NAME/FILTER} is the standard's form: everybody with the same name and filter
     * shares [MQTT-4.8.2-1]. {@code $SharedSubscription/NAME/FILTER} is the older one, in which the name alone says who
     * shares, and clients with a session that outlives its connection share apart from the others.
     * {@code $select/QoS=0/} or {@code $select/QoS>0/} may stand before any of them.
     *
     * @throws IllegalArgumentException with a message for the client when it is not well-formed
     */
    static SubscriptionName parse(String text, boolean durable) {
        if (!text.startsWith(SELECT)) {
            return parse(text, durable, QualityOfServiceFilter.NONE);
        }
        for (QualityOfServiceFilter takes : QualityOfServiceFilter.values()) {
            String prefix = SELECT + takes + '/';
            if (takes != QualityOfServiceFilter.NONE && text.startsWith(prefix)) {
                return parse(text.substring(prefix.length()), durable, takes);
            }
        }
        throw new IllegalArgumentException(
                "a selection is " + SELECT + "QoS=0/FILTER or " + SELECT + "QoS>0/FILTER: " + text);
    }

    private static SubscriptionName parse(String text, boolean durable, QualityOfServiceFilter takes) {
        if (text.startsWith(SHARE)) {
            Shared shared = Shared.parse(text, SHARE);
            return new SubscriptionName(
                    TopicFilter.of(shared.filter), ShareNames.mixed(shared.name, shared.filter), null, takes);
        }
        if (text.startsWith(SHARED_SUBSCRIPTION)) {
            Shared shared = Shared.parse(text, SHARED_SUBSCRIPTION);
            String group = durable ? ShareNames.durable(shared.name) : ShareNames.notDurable(shared.name);
            return new SubscriptionName(TopicFilter.of(shared.filter), group, durable ? shared.name : null, takes);
        }
        return new SubscriptionName(TopicFilter.of(text), null, null, takes);
    }

    boolean isShared() {
        return group != null;
    }

    /**
     * Why the name of a share, or what stands for it, is a protocol error; null when it is none, or there is no share
     * [MQTT-4.8.2-1] [MQTT-4.8.2-2].
     */
    static @Nullable String shareProblem(String text) {
        String prefix = prefixOf(selected(text));
        return prefix == null ? null : Shared.problem(selected(text), prefix);
    }

    /** What stands behind a selection. */
    private static String selected(String text) {
        int end = text.startsWith(SELECT) ? text.indexOf('/', SELECT.length()) : -1;
        return end < 0 ? text : text.substring(end + 1);
    }

    private static @Nullable String prefixOf(String text) {
        if (text.startsWith(SHARE)) {
            return SHARE;
        }
        return text.startsWith(SHARED_SUBSCRIPTION) ? SHARED_SUBSCRIPTION : null;
    }

    private record Shared(String name, String filter) {
        static Shared parse(String text, String prefix) {
            String problem = problem(text, prefix);
            if (problem != null) {
                throw new IllegalArgumentException(problem);
            }
            int slash = text.indexOf('/', prefix.length());
            return new Shared(text.substring(prefix.length(), slash), text.substring(slash + 1));
        }

        static @Nullable String problem(String text, String prefix) {
            int slash = text.indexOf('/', prefix.length());
            if (slash < 0 || slash == prefix.length() || slash == text.length() - 1) {
                return "a shared subscription is " + prefix + "NAME/FILTER: " + text;
            }
            String name = text.substring(prefix.length(), slash);
            return name.indexOf('+') >= 0 || name.indexOf('#') >= 0
                    ? "a share name holds no '+' and no '#': " + text
                    : null;
        }
    }
}
