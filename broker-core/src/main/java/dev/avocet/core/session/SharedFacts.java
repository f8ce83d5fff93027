package dev.avocet.core.session;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.MessageQueue;

/**
 * A shared subscription, for administrators.
 *
 * @param name as all its members call it
 * @param members sessions that belong to it, connected or not
 * @param queue what waits for them
 */
public record SharedFacts(String name, TopicFilter filter, int members, MessageQueue queue) {}
