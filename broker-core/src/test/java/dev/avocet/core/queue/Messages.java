package dev.avocet.core.queue;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import java.nio.charset.StandardCharsets;

/** Messages to put into queues. */
public final class Messages {
    private static final TopicName TOPIC = TopicName.of("a/b");

    private Messages() {}

    public static Message message(String text) {
        return expiring(text, Message.NEVER);
    }

    public static Message expiring(String text, long deadlineNs) {
        return new Message(
                TOPIC,
                QualityOfService.AT_LEAST_ONCE,
                false,
                text.getBytes(StandardCharsets.UTF_8),
                MessageProperties.NONE,
                deadlineNs,
                "publisher");
    }

    public static String text(Message message) {
        return new String(message.payload(), StandardCharsets.UTF_8);
    }
}
