package dev.avocet.core.store;

import dev.avocet.core.journal.RecordBuffer;
import dev.avocet.core.queue.DeliverySource;
import dev.avocet.core.queue.QueueSnapshot;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A stored session at one moment.
 *
 * @param entries its session, subscription and protocol entries, behind each other
 * @param queues of its own subscriptions
 */
record SessionSnapshot(byte[] entries, List<QueueSnapshot> queues) {
    private static final int USUAL_BYTES = 512;

    /** Home loop of the session. */
    static SessionSnapshot of(ClientSession session, Clock clock) {
        RecordBuffer buffer = new RecordBuffer(USUAL_BYTES);
        EntryWriter out = new EntryWriter(buffer);
        out.begin(EntryKind.SESSION);
        SessionEntries.session(session, clock, out);
        out.end();
        List<QueueSnapshot> queues = new ArrayList<>(session.subscriptions().size());
        for (Map.Entry<String, Subscription> keyed :
                session.subscriptionsByKey().entrySet()) {
            Subscription subscription = keyed.getValue();
            out.begin(EntryKind.SUBSCRIPTION);
            SessionEntries.subscription(session.storeId(), keyed.getKey(), subscription, out);
            out.end();
            if (!subscription.isShared() && subscription.queue().durableId() != DeliverySource.NOT_STORED) {
                queues.add(subscription.queue().snapshot());
            }
        }
        ProtocolState state = session.protocolState();
        if (state != null) {
            state.snapshot(bytes -> {
                out.begin(EntryKind.PROTOCOL);
                out.number(session.storeId());
                out.bytes(bytes, 0, bytes.length);
                out.end();
            });
        }
        return new SessionSnapshot(Arrays.copyOf(buffer.array(), buffer.length()), queues);
    }
}
