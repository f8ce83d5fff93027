package dev.avocet.core.broker;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.store.write.EntryAction;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.topic.RetainedMessages;

/**
 * A retained message whose publisher waits for nothing, as it was published at QoS 0: subscribers get it already, and
 * it is also written to the store. What the journal says in the end counts, when it says so.
 */
final class StoredRetained {
    private StoredRetained() {}

    /** Writes a message that is retained as unsaved. */
    static void write(Broker broker, StoreWriter writer, Message message) {
        RetainedMessages retained = broker.retained();
        if (message.payload().length == 0) {
            writer.retainedRemoved(message.topic(), new EntryAction() {
                @Override
                protected void onCommitted(long position, int bytes) {
                    retained.removed(message, position);
                }
            });
        } else if (writer.acceptsMessages()) {
            writer.beginMessage(message, true, 0);
            writer.endMessage(message, 1, new EntryAction() {
                @Override
                protected void onCommitted(long position, int bytes) {
                    StoredMessage stored = new StoredMessage(message, position, bytes);
                    if (!retained.saved(message, stored)) {
                        broker.retaining().forget(stored, writer.loop());
                    }
                }
            });
        } else {
            retained.notSaved(message);
        }
    }

    /** Removes what a topic has when the entry that says so is durable, unless another one comes behind that. */
    static void remove(RetainedMessages retained, StoreWriter writer, TopicName topic) {
        writer.retainedRemoved(topic, new EntryAction() {
            @Override
            protected void onCommitted(long position, int bytes) {
                boolean unused = retained.removed(topic, position);
            }
        });
    }
}
