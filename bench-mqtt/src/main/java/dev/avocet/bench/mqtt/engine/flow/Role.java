package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.check.ReceiverAccount;
import org.jspecify.annotations.Nullable;

/**
 * What a client is there for. One without any of this connects and does nothing.
 *
 * @param publishQos of what it publishes or replies
 * @param streams what it publishes
 * @param own what it publishes of messages of one's own; null for those that the harness makes
 * @param isRequester whether what it receives are replies to what it publishes
 * @param account of what it receives; null when it answers, or ignores it
 * @param responder null when it does not answer
 */
public record Role(
        int publishQos,
        PublishStream[] streams,
        @Nullable OwnPublisher own,
        @Nullable Subscriptions subscriptions,
        @Nullable ReceiverAccount account,
        @Nullable Responder responder,
        boolean isRequester) {
    private static final PublishStream[] NONE = {};

    public static final Role IDLE = new Role(0, NONE, null, null, null, null, false);

    public static Role publisher(PublishStream[] streams, int qos) {
        return new Role(qos, streams, null, null, null, null, false);
    }

    public static Role subscriber(Subscriptions subscriptions, ReceiverAccount account) {
        return new Role(0, NONE, null, subscriptions, account, null, false);
    }

    /** One that subscribes to the replies to what it publishes. */
    public static Role requester(PublishStream[] streams, Subscriptions replies, ReceiverAccount account) {
        return new Role(replies.qos(), streams, null, replies, account, null, true);
    }

    public static Role responder(Subscriptions requests, Responder responder) {
        return new Role(requests.qos(), NONE, null, requests, null, responder, false);
    }

    /** The same that publishes messages of one's own. */
    public Role sending(OwnPublisher messages) {
        return new Role(messages.maxQos(), streams, messages, subscriptions, account, responder, isRequester);
    }

    public boolean isPublishing() {
        return streams.length > 0 || responder != null;
    }

    /** Whether it publishes the stream of that number. */
    public boolean hasStream(int number) {
        int first = streams[0].number();
        return number >= first && number < first + streams.length;
    }
}
