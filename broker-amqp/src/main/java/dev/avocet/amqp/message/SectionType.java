package dev.avocet.amqp.message;

/** Descriptors of a message's sections [AMQP 1.0 part 3, 3.2]. */
final class SectionType {
    static final int HEADER = 0x70;
    static final int DELIVERY_ANNOTATIONS = 0x71;
    static final int MESSAGE_ANNOTATIONS = 0x72;
    static final int PROPERTIES = 0x73;
    static final int APPLICATION_PROPERTIES = 0x74;
    static final int DATA = 0x75;
    static final int SEQUENCE = 0x76;
    static final int VALUE = 0x77;
    static final int FOOTER = 0x78;

    private SectionType() {}
}
