package dev.avocet.amqp.message;

/**
 * A destination as a client names it.
 *
 * @param name of the queue or the topic
 * @param kind {@link JmsAnnotation#QUEUE}, {@link JmsAnnotation#TOPIC}, or {@link JmsAnnotation#UNKNOWN} when the
 *     client does not say
 */
public record Address(String name, int kind) {
    private static final String QUEUE_PREFIX = "queue://";
    private static final String TOPIC_PREFIX = "topic://";

    /**
     * @param text the address, which may begin with {@code queue://} or {@code topic://}
     * @param kind what is known beside the text, among the four values of the JMS mapping
     */
    public static Address parse(String text, int kind) {
        if (text.startsWith(QUEUE_PREFIX)) {
            return new Address(text.substring(QUEUE_PREFIX.length()), JmsAnnotation.QUEUE);
        }
        if (text.startsWith(TOPIC_PREFIX)) {
            return new Address(text.substring(TOPIC_PREFIX.length()), JmsAnnotation.TOPIC);
        }
        return new Address(
                text,
                switch (kind) {
                    case JmsAnnotation.QUEUE, JmsAnnotation.TEMPORARY_QUEUE -> JmsAnnotation.QUEUE;
                    case JmsAnnotation.TOPIC, JmsAnnotation.TEMPORARY_TOPIC -> JmsAnnotation.TOPIC;
                    default -> JmsAnnotation.UNKNOWN;
                });
    }
}
