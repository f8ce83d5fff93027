package dev.avocet.core.broker;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.store.EntryAction;
import dev.avocet.core.store.StoreWriter;
import dev.avocet.core.topic.RetainedMessages;

/**
 * A retained message without an answer, as it was published at QoS 0: retained already, and now also written to the
 * store.
 */
final class StoredRetained extends EntryAction {
    private final RetainedMessages retained;
    private final Message message;

    private StoredRetained(RetainedMessages retained, Message message) {
        this.retained = retained;
        this.message = message;
    }

    static void write(RetainedMessages retained, StoreWriter writer, Message message) {
        if (message.payload().length == 0) {
            writer.retainedRemoved(message.topic());
        } else if (writer.acceptsMessages()) {
            writer.beginMessage(message, true, 0);
            writer.endMessage(message, 1, new StoredRetained(retained, message));
        }
    }

    @Override
    protected void onCommitted(long position, int storedBytes) {
        retained.stored(message, new StoredMessage(message, position, storedBytes));
    }
}
