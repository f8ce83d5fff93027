package dev.avocet.core.session;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;

/**
 * The message that the broker publishes when a client goes away without saying so.
 *
 * @param delaySeconds how long to wait after that for the client to come back, 0 for not at all
 * @param messageExpirySeconds the message's lifetime counted from its publication, or -1 for no limit
 */
public record Will(
        TopicName topic,
        QualityOfService qos,
        boolean retain,
        byte[] payload,
        MessageProperties properties,
        long delaySeconds,
        long messageExpirySeconds) {}
