package dev.avocet.core.queue.receiver;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.selector.Equality;
import dev.avocet.core.selector.Selector;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The receivers of one priority. Those whose selector demands a certain value of a property are found by that value, so
 * that a message concerns only the few that want it, be there a thousand. Home loop.
 */
final class ReceiverRank {
    private final int priority;
    private final ReadyReceivers others = new ReadyReceivers();
    /** By property, then by its value. */
    private final Map<String, Map<String, ReadyReceivers>> byValue = new HashMap<>(0);

    ReceiverRank(int priority) {
        this.priority = priority;
    }

    int priority() {
        return priority;
    }

    boolean isEmpty() {
        return others.isEmpty() && byValue.isEmpty();
    }

    void add(Receiver receiver) {
        Equality equality = equalityOf(receiver);
        if (equality == null) {
            others.add(receiver);
        } else {
            byValue.computeIfAbsent(equality.property(), property -> new HashMap<>())
                    .computeIfAbsent(equality.value(), value -> new ReadyReceivers())
                    .add(receiver);
        }
    }

    void remove(Receiver receiver) {
        Equality equality = equalityOf(receiver);
        Map<String, ReadyReceivers> values = equality == null ? null : byValue.get(equality.property());
        ReadyReceivers same = values == null || equality == null ? null : values.get(equality.value());
        if (equality == null) {
            others.remove(receiver);
        } else if (values != null && same != null) {
            same.remove(receiver);
            if (same.isEmpty() && values.remove(equality.value()) != null && values.isEmpty()) {
                byValue.remove(equality.property());
            }
        }
    }

    /** Who of them gets an entry whose message is at hand; null when no receiver can take it now. */
    @Nullable Receiver choose(Receivers all, QueueEntry entry, Message message) {
        if (byValue.isEmpty()) {
            return others.choose(all, entry, message);
        }
        for (Map.Entry<String, Map<String, ReadyReceivers>> property : byValue.entrySet()) {
            String value = Equality.valueOf(message, property.getKey());
            ReadyReceivers same = value == null ? null : property.getValue().get(value);
            Receiver chosen = same == null ? null : same.choose(all, entry, message);
            if (chosen != null) {
                return chosen;
            }
        }
        return others.choose(all, entry, message);
    }

    private static @Nullable Equality equalityOf(Receiver receiver) {
        Selector selector = receiver.options().selector();
        return selector == null ? null : selector.equality();
    }
}
