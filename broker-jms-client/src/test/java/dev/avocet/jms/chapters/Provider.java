package dev.avocet.jms.chapters;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;
import org.jspecify.annotations.Nullable;

/** What is tested. */
public interface Provider {
    Run run();

    /** A factory of all domains, with that client identifier or without, whose clients trust every class. */
    ConnectionFactory factory(@Nullable String clientId);

    default QueueConnectionFactory queueFactory() {
        return (QueueConnectionFactory) factory(null);
    }

    default TopicConnectionFactory topicFactory() {
        return (TopicConnectionFactory) factory(null);
    }
}
