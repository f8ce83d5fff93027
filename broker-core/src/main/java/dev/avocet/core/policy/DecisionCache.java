package dev.avocet.core.policy;

import dev.avocet.core.message.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about the topics that a client published to last. A topic has one place, which it takes from the one before; while
 * that happens often the table grows, up to {@value #MAX_SLOTS} places. Not thread-safe.
 */
final class DecisionCache {
    static final int MAX_SLOTS = 1_024;
    private static final int FIRST_SLOTS = 8;

    private @Nullable TopicName[] topics = new TopicName[FIRST_SLOTS];
    private @Nullable Decision[] decisions = new Decision[FIRST_SLOTS];
    private int displaced;

    @Nullable Decision find(TopicName topic) {
        int slot = slotOf(topic);
        return topic.equals(topics[slot]) ? decisions[slot] : null;
    }

    void put(TopicName topic, Decision decision) {
        if (topics[slotOf(topic)] != null && ++displaced > topics.length && topics.length < MAX_SLOTS) {
            grow();
        }
        int slot = slotOf(topic);
        topics[slot] = topic;
        decisions[slot] = decision;
    }

    private void grow() {
        @Nullable TopicName[] oldTopics = topics;
        @Nullable Decision[] oldDecisions = decisions;
        topics = new TopicName[oldTopics.length * 4];
        decisions = new Decision[topics.length];
        displaced = 0;
        for (int i = 0; i < oldTopics.length; i++) {
            TopicName topic = oldTopics[i];
            if (topic != null) {
                int slot = slotOf(topic);
                topics[slot] = topic;
                decisions[slot] = oldDecisions[i];
            }
        }
    }

    private int slotOf(TopicName topic) {
        int hash = topic.hashCode() * 0x9E37_79B9;
        return hash >>> 16 & topics.length - 1;
    }
}
