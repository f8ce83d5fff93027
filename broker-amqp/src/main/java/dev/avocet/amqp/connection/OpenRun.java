package dev.avocet.amqp.connection;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a client sends to one queue and that nothing has been done with yet: they go on together, when the read
 * is over or something else than a message on their link comes. One for all connections of a loop, as nothing stays in
 * it from one read to the next.
 */
final class OpenRun {
    private static final int MAX_MESSAGES = 128;
    private static final int MAX_BYTES = 64 << 10;

    private final @Nullable Message[] messages = new Message[MAX_MESSAGES];
    private @Nullable PublishLink link;
    private int firstDeliveryId;
    private int size;
    private int bytes;

    /** Whether the messages are those of a link. */
    boolean isOf(PublishLink sender) {
        return link == sender;
    }

    /** How many messages of a link are here. */
    int countOf(PublishLink sender) {
        return isOf(sender) ? size : 0;
    }

    /** Adds a message of the link whose messages are here; of any, when there are none. */
    void add(PublishLink sender, Message message, int deliveryId) {
        if (size == 0) {
            link = sender;
            firstDeliveryId = deliveryId;
        }
        messages[size++] = message;
        bytes += message.sizeBytes();
        if (size == MAX_MESSAGES || bytes >= MAX_BYTES) {
            end();
        }
    }

    /** Has the messages go on, if there are any. */
    void end() {
        PublishLink sender = link;
        if (sender == null) {
            return;
        }
        MessageRun run = new MessageRun(Arrays.copyOf(messages, size), size);
        Arrays.fill(messages, 0, size, null);
        link = null;
        size = 0;
        bytes = 0;
        sender.send(run, firstDeliveryId);
    }
}
