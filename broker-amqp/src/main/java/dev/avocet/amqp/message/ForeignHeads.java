package dev.avocet.amqp.message;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * What comes before the body in messages of other protocols that have no properties: it is the same for all messages
 * to a topic that are alike, and devices publish to the same topics again and again. Each head has one place, where it
 * takes that of another, so the memory has a bound however many topics there are. Owned by a loop.
 */
final class ForeignHeads {
    private static final int PLACES = 1 << 10;
    /** A longer one, of a topic with a very long name, is made each time. */
    private static final int KEPT_MAX_BYTES = 512;

    private record Head(TopicName topic, int kind, byte[] bytes) {}

    private final @Nullable Head[] heads = new Head[PLACES];

    /**
     * The head of a message that has no properties and does not expire; not to be changed.
     *
     * @param body what it is to Jakarta Messaging
     */
    byte[] of(Message message, ForeignBody body) {
        int kind = kind(message, body);
        TopicName topic = message.topic();
        int at = place(topic, kind);
        Head known = heads[at];
        if (known != null && known.kind == kind && known.topic.equals(topic)) {
            return known.bytes;
        }
        byte[] bytes = new ForeignMessage(message, body).encodeHead();
        if (bytes.length <= KEPT_MAX_BYTES) {
            heads[at] = new Head(topic, kind, bytes);
        }
        return bytes;
    }

    private static int place(TopicName topic, int kind) {
        int hash = 31 * topic.hashCode() + kind;
        return (hash ^ hash >>> 16) & PLACES - 1;
    }

    /** All that a head tells besides the topic. */
    private static int kind(Message message, ForeignBody body) {
        int kind = message.qos().ordinal();
        kind = kind << 1 | (message.retain() ? 1 : 0);
        kind = kind << 1 | (message.isForQueue() ? 1 : 0);
        kind = kind << 1 | (body.guessed() ? 1 : 0);
        return kind << 3 | body.type().ordinal();
    }
}
