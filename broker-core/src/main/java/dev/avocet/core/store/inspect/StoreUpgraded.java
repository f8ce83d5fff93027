package dev.avocet.core.store.inspect;

import java.nio.file.Path;

/**
 * What an upgrade has taken over.
 *
 * @param sessions stored sessions
 * @param queues durable queues
 * @param references messages in these queues
 * @param retained topics with a retained message
 * @param prepared transactions that wait for their coordinator
 * @param messages copied; one message may be in several queues
 * @param messageBytes what they take in the journal
 * @param kept where the store is as it was before
 */
public record StoreUpgraded(
        long sessions,
        long queues,
        long references,
        long retained,
        long prepared,
        long messages,
        long messageBytes,
        Path kept) {}
