package dev.avocet.mqtt.connection;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.Route;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages of the input that is being decoded which go to the same targets, until something else comes or the input ends. One for all
 * connections of a loop, as only one of them decodes at a time and leaves it empty.
 */
final class OpenRun {
    /** What the first level of a processor's cache holds beside the rest. */
    private static final int MAX_BYTES = 16 << 10;

    private static final int MAX_MESSAGES = 256;
    /** One target gets a message as cheaply alone. */
    private static final int MIN_TARGETS = 2;

    private final Message[] messages = new Message[MAX_MESSAGES];
    private @Nullable PublishReceiver owner;
    private @Nullable CachedRoute<Route> route;
    private int count;
    private int bytes;

    /** Whether a message can be part of a run at all. */
    static boolean mayHold(Message message, Route route) {
        return MessageRun.mayHold(message) && route.targets().length >= MIN_TARGETS;
    }

    /** Whether there are messages of this connection. */
    boolean isOpenFor(PublishReceiver receiver) {
        return owner == receiver;
    }

    /** Whether a message may follow those that are here. */
    @SuppressWarnings("ReferenceEquality") // another object is another state of the subscriptions
    boolean continuesWith(CachedRoute<Route> next, int packetBytes) {
        return route == next && count < MAX_MESSAGES && bytes + packetBytes <= MAX_BYTES;
    }

    void add(PublishReceiver receiver, Message message, CachedRoute<Route> itsRoute, int packetBytes) {
        assert owner == null || owner == receiver : "a run of two connections";
        owner = receiver;
        route = itsRoute;
        messages[count++] = message;
        bytes += packetBytes;
    }

    /** Where its messages go. */
    CachedRoute<Route> route() {
        return Objects.requireNonNull(route);
    }

    /** What is here, which then is no longer. */
    MessageRun take() {
        MessageRun run = new MessageRun(Arrays.copyOf(messages, count));
        Arrays.fill(messages, 0, count, null);
        owner = null;
        route = null;
        count = 0;
        bytes = 0;
        return run;
    }
}
