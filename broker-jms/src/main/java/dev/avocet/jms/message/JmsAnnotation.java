package dev.avocet.jms.message;

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

    // values of x-opt-jms-msg-type
    static final int MAP_MESSAGE = 2;
    static final int BYTES_MESSAGE = 3;
    static final int STREAM_MESSAGE = 4;
    static final int TEXT_MESSAGE = 5;

    private JmsAnnotation() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
