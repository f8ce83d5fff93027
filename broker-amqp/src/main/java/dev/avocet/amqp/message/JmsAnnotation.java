package dev.avocet.amqp.message;

import java.nio.charset.StandardCharsets;

/** Message annotations of the AMQP JMS Mapping, and their values. */
public final class JmsAnnotation {
    /** Values of {@code x-opt-jms-dest} and {@code x-opt-jms-reply-to}. */
    public static final int QUEUE = 0;

    public static final int TOPIC = 1;
    public static final int TEMPORARY_QUEUE = 2;
    public static final int TEMPORARY_TOPIC = 3;
    /** Nothing is said. */
    public static final int UNKNOWN = -1;

    static final byte[] DESTINATION = ascii("x-opt-jms-dest");
    static final byte[] REPLY_TO = ascii("x-opt-jms-reply-to");
    static final byte[] MESSAGE_TYPE = ascii("x-opt-jms-msg-type");
    static final byte[] DELIVERY_TIME = ascii("x-opt-delivery-time");
    static final byte[] DELIVERY_DELAY = ascii("x-opt-delivery-delay");

    /**
     * Ours: the payload alone has decided the type of message, and a client that was told another rule follows that.
     */
    static final byte[] TYPE_GUESSED = ascii("x-opt-avocet-type-guessed");

    // ours, of dead letters
    static final String DEAD_LETTER_PREFIX = "x-opt-avocet-dead-letter-";
    static final byte[] DEAD_LETTER_CAUSE = ascii(DEAD_LETTER_PREFIX + "cause");
    static final byte[] DEAD_LETTER_QUEUE = ascii(DEAD_LETTER_PREFIX + "queue");
    static final byte[] DEAD_LETTER_DELIVERY_COUNT = ascii(DEAD_LETTER_PREFIX + "delivery-count");
    static final byte[] DEAD_LETTER_DESCRIPTION = ascii(DEAD_LETTER_PREFIX + "description");
    static final byte[] DEAD_LETTER_EXPIRATION = ascii(DEAD_LETTER_PREFIX + "expiration");

    private JmsAnnotation() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
