package dev.avocet.mqtt.connection;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.Route;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages of the input that is being decoded which go to the same targets, until something else comes or the input
 * ends. One for all connections of a loop, as only one of them decodes at a time and leaves it empty.
 */
final class OpenRun {
    private static final int MIN_CAPACITY = 4;
    private static final Message[] NONE = {};

    private final int[] packetIds = new int[MessageRun.MAX_MESSAGES];
    /** Made anew for each run: a reference that is stored in a young object costs less. */
    private Message[] messages = NONE;

    private @Nullable PublishReceiver owner;
    private @Nullable CachedRoute<Route> route;
    private QualityOfService qos = QualityOfService.AT_MOST_ONCE;
    private int count;
    private int lastCount = MIN_CAPACITY;
    private int bytes;

    /** Whether a message can be part of a run at all. At QoS 0 one target gets a message as cheaply alone. */
    static boolean mayHold(Message message, Route route) {
        int targets = route.targets().length;
        return MessageRun.mayHold(message)
                && (targets > 1 || (targets == 1 && message.qos() != QualityOfService.AT_MOST_ONCE));
    }

    /** Whether there are messages of this connection. */
    boolean isOpenFor(PublishReceiver receiver) {
        return owner == receiver;
    }

    /** Whether messages are here that go the same way, be it to another topic. */
    @SuppressWarnings("ReferenceEquality") // the same object mostly: a client that stays on one topic
    boolean goesTo(CachedRoute<Route> next, QualityOfService nextQos) {
        CachedRoute<Route> known = route;
        return known != null
                && qos == nextQos
                && (known == next || known.route().isSameWayAs(next.route()));
    }

    /** Whether there is room for one more. */
    boolean hasRoom(int packetBytes) {
        return count < MessageRun.MAX_MESSAGES && bytes + packetBytes <= MessageRun.MAX_BYTES;
    }

    /** @param packetId 0 at QoS 0 */
    void add(PublishReceiver receiver, Message message, int packetId, CachedRoute<Route> itsRoute, int packetBytes) {
        assert owner == null || owner == receiver : "a run of two connections";
        if (count == 0) {
            owner = receiver;
            route = itsRoute;
            qos = message.qos();
            messages = new Message[lastCount];
        } else if (count == messages.length) {
            messages = Arrays.copyOf(messages, Math.min(2 * count, MessageRun.MAX_MESSAGES));
        }
        packetIds[count] = packetId;
        messages[count++] = message;
        bytes += packetBytes;
    }

    /** Where its messages go. */
    CachedRoute<Route> route() {
        return Objects.requireNonNull(route);
    }

    /** The identifiers of its messages. Good until the next run begins. */
    int[] packetIds() {
        return packetIds;
    }

    /** What is here, which then is no longer. */
    MessageRun take() {
        MessageRun run = new MessageRun(messages, count);
        lastCount = Math.max(count, MIN_CAPACITY);
        messages = NONE;
        owner = null;
        route = null;
        count = 0;
        bytes = 0;
        return run;
    }
}
