package dev.avocet.core.store.transfer;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.store.write.EntryAction;
import dev.avocet.core.store.write.RunningStore;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.topic.RetainedMessages;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Takes retained messages of an export in; a topic that has one keeps it, as it is the newer. One loop. */
final class ImportedRetained {
    private final RetainedMessages retained;
    private final RunningStore store;
    private final IoLoop loop;
    private long kept;

    ImportedRetained(RetainedMessages retained, RunningStore store, IoLoop loop) {
        this.retained = retained;
        this.store = store;
        this.loop = loop;
    }

    /** How many there are now that came out of the export. */
    long kept() {
        return kept;
    }

    /** The answer completes when they are durable; false when not all were taken. */
    void write(List<Message> messages, CompletableFuture<Boolean> answer) {
        StoreWriter writer = store.writer(loop);
        long nowNs = loop.clock().nanoTime();
        for (Message message : messages) {
            if (message.isExpired(nowNs) || retained.isHeld(message.topic())) {
                continue;
            }
            if (!writer.acceptsMessages() || !writer.takes(message, 0) || !retained.store(message)) {
                answer.complete(false);
                return;
            }
            kept++;
            writer.beginMessage(message, true, 0);
            writer.endMessage(message, 1, new EntryAction() {
                @Override
                protected void onCommitted(long position, int bytes) {
                    if (!retained.saved(message, new StoredMessage(message, position, bytes))) {
                        store.abandoned(position, bytes);
                    }
                }
            });
        }
        writer.afterCommit(position -> answer.complete(true));
    }
}
