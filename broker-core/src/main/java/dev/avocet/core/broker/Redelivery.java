package dev.avocet.core.broker;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.transaction.TransactedDelivery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gives queues back what a transaction had acknowledged that was rolled back, in the order of the acknowledgements. */
final class Redelivery {
    private final Map<MessageQueue, List<Unsettled>> messages = new LinkedHashMap<>();
    private final Map<MessageQueue, List<Long>> references = new LinkedHashMap<>();

    Redelivery(List<TransactedDelivery> deliveries) {
        for (TransactedDelivery delivery : deliveries) {
            Message message = delivery.message();
            if (message == null) {
                references
                        .computeIfAbsent(delivery.queue(), queue -> new ArrayList<>())
                        .add(delivery.reference());
            } else {
                messages.computeIfAbsent(delivery.queue(), queue -> new ArrayList<>())
                        .add(new Unsettled(message, delivery.reference(), delivery.deliveryCount()));
            }
        }
    }

    void begin() {
        messages.forEach(Redelivery::giveBack);
        references.forEach((queue, its) ->
                queue.giveBackReferences(its.stream().mapToLong(Long::longValue).toArray()));
    }

    private static void giveBack(MessageQueue queue, List<Unsettled> unsettled) {
        if (queue.home().inLoop()) {
            queue.giveBack(unsettled);
        } else {
            queue.home().execute(() -> giveBack(queue, unsettled));
        }
    }
}
