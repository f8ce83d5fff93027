package dev.avocet.core.topic;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * One queue that a message goes to, and how.
 *
 * @param qos the highest level at which the queue's consumers want it
 * @param options what several subscriptions of one client come to together; null where the consumer's own options hold
 * @param owner the subscribing client's identity, compared with {@code equals} to that of a message's publisher
 * @param ownOptions the same as {@code options} for messages that the owner published itself
 * @param excludesOwn true when the owner does not want its own messages from any of the subscriptions
 * @param takes which messages it gets, by the quality of service with which they were published
 * @param selector which messages it gets, by their properties; null for all
 */
public record RouteTarget(
        MessageQueue queue,
        QualityOfService qos,
        @Nullable DeliveryOptions options,
        Object owner,
        @Nullable DeliveryOptions ownOptions,
        boolean excludesOwn,
        QualityOfServiceFilter takes,
        @Nullable Selector selector) {
    /** For messages whatever their properties are. */
    public RouteTarget(
            MessageQueue queue,
            QualityOfService qos,
            @Nullable DeliveryOptions options,
            Object owner,
            @Nullable DeliveryOptions ownOptions,
            boolean excludesOwn,
            QualityOfServiceFilter takes) {
        this(queue, qos, options, owner, ownOptions, excludesOwn, takes, null);
    }

    /**
     * False when the message is of a kind that is not asked for, or the owner published it itself and does not want to
     * hear of it.
     */
    public boolean wants(Message message) {
        return (takes == QualityOfServiceFilter.NONE || takes.takes(message.qos()))
                && (!excludesOwn || !owner.equals(message.publisher()))
                && (selector == null || selector.matches(message));
    }

    /** True when the message makes no difference: each one is wanted, in the consumer's own way. */
    public boolean isPlain() {
        return takes == QualityOfServiceFilter.NONE
                && !excludesOwn
                && selector == null
                && options == null
                && ownOptions == null;
    }

    /** How to deliver this message, or null for the consumer's own way. */
    @SuppressWarnings(
            "ReferenceEquality") // the same object in nearly every route, and then owners need not be compared
    public @Nullable DeliveryOptions optionsFor(Message message) {
        if (message.isForQueue()) {
            return options == null ? DeliveryOptions.of(Standing.of(message)) : options;
        }
        DeliveryOptions its = options == ownOptions || !owner.equals(message.publisher()) ? options : ownOptions;
        return message.isDelayed() ? DeliveryOptions.of(its, Standing.of(message)) : its;
    }
}
