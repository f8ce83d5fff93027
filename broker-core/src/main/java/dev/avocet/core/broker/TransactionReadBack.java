package dev.avocet.core.broker;

import dev.avocet.core.message.Message;
import dev.avocet.core.transaction.TransactedMessage;
import dev.avocet.core.transaction.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of a prepared transaction of an earlier life back, before its commit is written: once that is
 * durable, they must go to their queues at once. On the transaction's loop.
 */
final class TransactionReadBack {
    private final Broker broker;
    private final Transaction transaction;

    TransactionReadBack(Broker broker, Transaction transaction) {
        this.broker = broker;
        this.transaction = transaction;
    }

    /** Never runs the action when something cannot be read: then the store has failed. */
    void read(Runnable then) {
        List<TransactedMessage> absent = transaction.routed().stream()
                .filter(message -> message.message() == null && message.storedReferences() > 0)
                .toList();
        if (absent.isEmpty()) {
            then.run();
            return;
        }
        long[] positions =
                absent.stream().mapToLong(TransactedMessage::position).toArray();
        int[] storedBytes =
                absent.stream().mapToInt(TransactedMessage::storedBytes).toArray();
        broker.fetch(positions, storedBytes, transaction.loop(), messages -> {
            if (take(absent, messages)) {
                then.run();
            }
        });
    }

    private static boolean take(List<TransactedMessage> absent, @Nullable Message[] messages) {
        for (int i = 0; i < messages.length; i++) {
            Message message = messages[i];
            if (message == null) {
                return false;
            }
            absent.get(i).message(message);
        }
        return true;
    }
}
