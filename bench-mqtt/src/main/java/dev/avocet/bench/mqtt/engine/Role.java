package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.ReceiverAccount;
import org.jspecify.annotations.Nullable;

/**
 * What a client is there for. One without any of this connects and does nothing.
 *
 * @param publishQos of what it publishes or replies
 * @param streams what it publishes
 * @param account of what it receives; null when it answers, or ignores it
 * @param responder null when it does not answer
 */
record Role(
        int publishQos,
        PublishStream[] streams,
        @Nullable Subscriptions subscriptions,
        @Nullable ReceiverAccount account,
        @Nullable Responder responder) {
    static final Role IDLE = new Role(0, new PublishStream[0], null, null, null);

    static Role publisher(PublishStream[] streams, int qos) {
        return new Role(qos, streams, null, null, null);
    }

    static Role subscriber(Subscriptions subscriptions, ReceiverAccount account) {
        return new Role(0, IDLE.streams, subscriptions, account, null);
    }

    /** One that subscribes to the replies to what it publishes. */
    static Role requester(PublishStream[] streams, Subscriptions replies, ReceiverAccount account) {
        return new Role(replies.qos(), streams, replies, account, null);
    }

    static Role responder(Subscriptions requests, Responder responder) {
        return new Role(requests.qos(), IDLE.streams, requests, null, responder);
    }

    boolean isPublishing() {
        return streams.length > 0 || responder != null;
    }

    boolean isRequester() {
        return streams.length > 0 && account != null;
    }

    /** Whether it publishes the stream of that number. */
    boolean hasStream(int number) {
        int first = streams[0].number();
        return number >= first && number < first + streams.length;
    }
}
