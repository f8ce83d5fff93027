package dev.avocet.mqtt.connection;

import dev.avocet.core.message.TopicFilter;
import org.jspecify.annotations.Nullable;

/**
 * What a client writes into SUBSCRIBE, taken apart.
 *
 * @param filter the plain topic filter
 * @param group the shared subscription that it belongs to, the same text for all members; null for a subscription of its own
 * @param globalName names a global shared durable subscription, for which subscription policies are; null for all others
 */
record SubscriptionName(
        TopicFilter filter,
        @Nullable String group,
        @Nullable String globalName) {
    private static final String SHARE = "$share/";
    private static final String SHARED_SUBSCRIPTION = "$SharedSubscription/";

    /**
     * Takes a filter apart. {@code $share/NAME/FILTER} is the standard's form: everybody with the same name and filter shares
     * [MQTT-4.8.2-1]. {@code $SharedSubscription/NAME/FILTER} is the older one, in which clients with a session that outlives its
     * connection share apart from the others.
     *
     * @throws IllegalArgumentException with a message for the client when it is not well-formed
     */
    static SubscriptionName parse(String text, boolean durable) {
        if (text.startsWith(SHARE)) {
            return shared(text, SHARE, "", false);
        }
        if (text.startsWith(SHARED_SUBSCRIPTION)) {
            return shared(text, SHARED_SUBSCRIPTION, durable ? " (durable)" : " (not durable)", durable);
        }
        return new SubscriptionName(TopicFilter.of(text), null, null);
    }

    private static SubscriptionName shared(String text, String prefix, String kind, boolean global) {
        int slash = text.indexOf('/', prefix.length());
        if (slash < 0 || slash == prefix.length()) {
            throw new IllegalArgumentException("a shared subscription is " + prefix + "NAME/FILTER: " + text);
        }
        String name = text.substring(prefix.length(), slash);
        if (name.indexOf('+') >= 0 || name.indexOf('#') >= 0) {
            throw new IllegalArgumentException("a share name holds no '+' and no '#': " + text); // [MQTT-4.8.2-2]
        }
        return new SubscriptionName(TopicFilter.of(text.substring(slash + 1)), text + kind, global ? name : null);
    }

    boolean isShared() {
        return group != null;
    }
}
