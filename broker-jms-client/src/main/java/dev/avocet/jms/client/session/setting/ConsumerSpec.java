package dev.avocet.jms.client.session.setting;

import dev.avocet.jms.client.message.JmsDestination;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer asks for.
 *
 * @param subscription the name of a durable or shared subscription; null: neither
 */
public record ConsumerSpec(
        JmsDestination destination,
        @Nullable String subscription,
        @Nullable String selector,
        boolean noLocal,
        boolean durable,
        boolean shared) {
    public static ConsumerSpec plain(
            final JmsDestination destination, final @Nullable String selector, final boolean noLocal) {
        return new ConsumerSpec(
                destination,
                null,
                nullIfBlank(selector),
                noLocal && destination.kind().isTopic(),
                false,
                false);
    }

    public static ConsumerSpec subscription(
            final JmsDestination topic,
            final @Nullable String name,
            final @Nullable String selector,
            final boolean noLocal,
            final boolean durable,
            final boolean shared)
            throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new JMSException("a subscription that is durable or shared needs a name");
        }
        return new ConsumerSpec(topic, name, nullIfBlank(selector), noLocal, durable, shared);
    }

    private static @Nullable String nullIfBlank(final @Nullable String selector) {
        return selector == null || selector.isBlank() ? null : selector;
    }
}
