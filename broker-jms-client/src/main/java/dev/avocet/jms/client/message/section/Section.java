package dev.avocet.jms.client.message.section;

/** Descriptor codes of the sections of a message, AMQP 1.0, part 3, section 3.2. */
public final class Section {
    public static final int HEADER = 0x70;
    static final int DELIVERY_ANNOTATIONS = 0x71;
    public static final int MESSAGE_ANNOTATIONS = 0x72;
    public static final int PROPERTIES = 0x73;
    public static final int APPLICATION_PROPERTIES = 0x74;
    public static final int DATA = 0x75;
    public static final int SEQUENCE = 0x76;
    public static final int VALUE = 0x77;
    static final int FOOTER = 0x78;

    private Section() {}
}
