package dev.avocet.core.broker;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.store.write.EntryAction;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.TransactedDelivery;
import dev.avocet.core.transaction.TransactedMessage;
import dev.avocet.core.transaction.TransactedTarget;
import dev.avocet.core.transaction.Transaction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Writes a transaction for whose messages room is taken. One that is to be committed and fits a record is written as if
 * it were none, since a record is there as a whole or not at all. Another one is written under its number, and counts
 * from its last entry on. On the transaction's loop.
 */
final class TransactionWrite {
    private static final long AS_ONE_RECORD = 0;

    /** More than the fixed parts of a message take, and than a reference with its options but for the identifiers. */
    private static final int MESSAGE_BYTES = 64;

    private static final int TARGET_BYTES = 48;
    private static final int IDENTIFIER_BYTES = 5;
    private static final int DELIVERY_BYTES = 48;
    private static final int BYTES_PER_CHARACTER = 3;

    private final Transaction transaction;
    private final StoreWriter writer;

    TransactionWrite(Transaction transaction, StoreWriter writer) {
        this.transaction = transaction;
        this.writer = writer;
    }

    void commit() {
        if (writer.holdTogether(bytesAtMost())) {
            writeMessages(AS_ONE_RECORD);
            for (TransactedDelivery delivery : transaction.deliveries()) {
                if (delivery.isStored()) {
                    writer.acknowledged(delivery.queue().durableId(), delivery.reference());
                }
            }
            writer.heldTogether();
        } else {
            writeInPieces();
            writeCommit();
        }
    }

    /** Ends a transaction that was written in pieces. */
    void writeCommit() {
        writer.transactionCommitted(transaction.id(), new EntryAction() {
            @Override
            protected void onCommitted(long position, int bytes) {
                transaction.routed().forEach(transacted -> transacted.countsFrom(position));
            }
        });
    }

    void prepare(BranchId branch) {
        writeInPieces();
        writer.transactionPrepared(transaction.id(), branch.encoded(), transaction.owner());
    }

    private void writeInPieces() {
        transaction.inStore();
        writer.transactionBegun(transaction.id());
        writeMessages(transaction.id());
        Map<MessageQueue, LongStream.Builder> acknowledged = new LinkedHashMap<>();
        for (TransactedDelivery delivery : transaction.deliveries()) {
            if (delivery.isStored()) {
                acknowledged
                        .computeIfAbsent(delivery.queue(), queue -> LongStream.builder())
                        .add(delivery.reference());
            }
        }
        acknowledged.forEach((queue, references) -> writer.transactionAcknowledged(
                transaction.id(), queue.durableId(), references.build().toArray()));
    }

    private void writeMessages(long transactionId) {
        for (TransactedMessage transacted : transaction.routed()) {
            Message message = transacted.message();
            if (message != null && transacted.needsStore()) {
                write(message, transacted, transactionId);
            }
        }
    }

    private void write(Message message, TransactedMessage transacted, long transactionId) {
        writer.beginMessage(message, message.retain(), transacted.storedTargets(), transactionId);
        for (TransactedTarget target : transacted.targets()) {
            if (target.isStored()) {
                writer.target(target.queue().durableId(), target.reference(), target.options());
            }
        }
        writer.endMessage(message, transacted.storedReferences(), new EntryAction() {
            @Override
            protected void onCommitted(long position, int bytes) {
                transacted.stored(position, bytes);
            }
        });
    }

    private long bytesAtMost() {
        long bytes = (long) DELIVERY_BYTES * transaction.deliveries().size();
        for (TransactedMessage transacted : transaction.routed()) {
            Message message = transacted.message();
            if (message != null && transacted.needsStore()) {
                bytes += bytesAtMost(message, transacted);
            }
        }
        return bytes;
    }

    private static long bytesAtMost(Message message, TransactedMessage transacted) {
        long bytes = MESSAGE_BYTES
                + message.topic().utf8().length
                + (long) BYTES_PER_CHARACTER * message.publisher().toString().length()
                + message.properties().encoded().length
                + message.body().length;
        for (TransactedTarget target : transacted.targets()) {
            int identifiers = target.options() == null ? 0 : target.options().subscriptionIdentifiers().length;
            bytes += TARGET_BYTES + (long) IDENTIFIER_BYTES * identifiers;
        }
        return bytes;
    }
}
