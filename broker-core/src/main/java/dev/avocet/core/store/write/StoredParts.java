package dev.avocet.core.store.write;

import dev.avocet.core.destination.Queues;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.session.SessionRegistry;
import dev.avocet.core.session.Subscriptions;
import dev.avocet.core.topic.RetainedMessages;
import dev.avocet.core.transaction.Transactions;
import java.util.List;

/** The parts of a broker that survive, as checkpoints and reclaim go through them. */
public record StoredParts(
        List<IoLoop> loops,
        SessionRegistry sessions,
        Subscriptions subscriptions,
        Queues queues,
        RetainedMessages retained,
        Transactions transactions) {}
