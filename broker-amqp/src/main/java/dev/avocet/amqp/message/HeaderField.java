package dev.avocet.amqp.message;

/** Positions in a message's header [AMQP 1.0 part 3, 3.2.1]. */
final class HeaderField {
    static final int DURABLE = 0;
    static final int PRIORITY = 1;
    static final int TTL = 2;

    private HeaderField() {}
}
