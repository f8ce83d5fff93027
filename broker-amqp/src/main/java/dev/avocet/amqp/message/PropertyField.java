package dev.avocet.amqp.message;

/** Positions in a message's properties [AMQP 1.0 part 3, 3.2.4]. */
final class PropertyField {
    static final int MESSAGE_ID = 0;
    static final int USER_ID = 1;
    static final int TO = 2;
    static final int SUBJECT = 3;
    static final int REPLY_TO = 4;
    static final int CORRELATION_ID = 5;
    static final int CONTENT_TYPE = 6;
    static final int ABSOLUTE_EXPIRY_TIME = 8;
    static final int CREATION_TIME = 9;
    static final int GROUP_ID = 10;
    static final int GROUP_SEQUENCE = 11;

    private PropertyField() {}
}
