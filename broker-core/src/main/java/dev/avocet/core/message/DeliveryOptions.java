package dev.avocet.core.message;

import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a subscription wants what matches it. Immutable; one object for all subscriptions without identifiers that want
 * the same, one per other subscription, and one per combination where several subscriptions of a client match the same
 * topic.
 *
 * @param qos the highest level at which to deliver
 * @param retainAsPublished deliver the publisher's retain flag instead of clearing it [MQTT-3.8.3-4]
 * @param retained the message comes from the retained messages and not from a publisher just now
 * @param subscriptionIdentifiers what the client called the matching subscriptions; empty for none
 * @param standing of this one message in its queue; null where it is {@link Standing#NEW}, as it is for nearly all
 *     messages of subscriptions
 * @param ownWay true when only the standing counts, and everything else is as the consumer's own subscription wants it
 */
public record DeliveryOptions(
        QualityOfService qos,
        boolean retainAsPublished,
        boolean retained,
        int[] subscriptionIdentifiers,
        @Nullable Standing standing,
        boolean ownWay) {
    /** No identifier. */
    public static final int[] NO_IDENTIFIERS = {};

    private static final DeliveryOptions DELIVERED_ONCE = of(null, Standing.NEW.failed(1, 0));

    /** Of each quality of service the ones that clear the publisher's retain flag, and then those that do not. */
    private static final DeliveryOptions[] PLAIN = Arrays.stream(QualityOfService.values())
            .flatMap(qos -> Stream.of(false, true)
                    .map(retainAsPublished -> new DeliveryOptions(qos, retainAsPublished, false, NO_IDENTIFIERS)))
            .toArray(DeliveryOptions[]::new);

    /** How a subscription wants it. */
    public DeliveryOptions(
            QualityOfService qos, boolean retainAsPublished, boolean retained, int[] subscriptionIdentifiers) {
        this(qos, retainAsPublished, retained, subscriptionIdentifiers, null, false);
    }

    /** How most subscriptions want it: one object for all of them, as each message to a subscription looks at it. */
    public static DeliveryOptions plain(QualityOfService qos, boolean retainAsPublished) {
        return PLAIN[2 * qos.ordinal() + (retainAsPublished ? 1 : 0)];
    }

    /** How a message stands in a queue; null where that is nothing special. */
    public static @Nullable DeliveryOptions of(Standing standing) {
        return standing.equals(Standing.NEW)
                ? null
                : new DeliveryOptions(QualityOfService.EXACTLY_ONCE, false, false, NO_IDENTIFIERS, standing, false);
    }

    /**
     * How to deliver a message of a subscription that stands so in its queue.
     *
     * @param options beside that; null for the consumer's own way
     */
    public static DeliveryOptions of(@Nullable DeliveryOptions options, Standing standing) {
        return options == null
                ? new DeliveryOptions(QualityOfService.EXACTLY_ONCE, false, false, NO_IDENTIFIERS, standing, true)
                : new DeliveryOptions(
                        options.qos,
                        options.retainAsPublished,
                        options.retained,
                        options.subscriptionIdentifiers,
                        standing,
                        options.ownWay);
    }

    /**
     * The same for a message of which so many deliveries have begun and failed.
     *
     * @param options null for the consumer's own way
     */
    public static @Nullable DeliveryOptions delivered(@Nullable DeliveryOptions options, int count) {
        Standing before = standingOf(options);
        if (before.deliveryCount() == count) {
            return options;
        }
        Standing standing = before.failed(count, before.notBeforeWallMs());
        if (standing.equals(Standing.NEW) && (options == null || options.ownWay)) {
            return null;
        }
        return options == null && count == 1 ? DELIVERED_ONCE : of(options, standing);
    }

    /** What holds for a delivery: the options of the message, or the consumer's own where it has none. */
    public static DeliveryOptions orOwn(@Nullable DeliveryOptions options, DeliveryOptions own) {
        return options == null || options.ownWay ? own : options;
    }

    /** How a message with these options stands in a queue. */
    public static Standing standingOf(@Nullable DeliveryOptions options) {
        return options == null || options.standing == null ? Standing.NEW : options.standing;
    }

    /** The same for a retained message that is replayed at subscribe time. */
    public DeliveryOptions asRetained() {
        return new DeliveryOptions(qos, retainAsPublished, true, subscriptionIdentifiers, standing, false);
    }
}
