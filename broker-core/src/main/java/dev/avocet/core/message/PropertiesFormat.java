package dev.avocet.core.message;

/** Reads properties back that a front end has written in its own way. Any thread. */
public interface PropertiesFormat {
    /** The number of a message without properties, which needs no format. */
    int NONE = 0;

    /** 1 to 255; never given to another format once messages were stored with it. */
    int number();

    /**
     * The properties again.
     *
     * @param encoded what {@link MessageProperties#encoded} gave; taken over
     * @throws IllegalArgumentException when that cannot be
     */
    MessageProperties decode(byte[] encoded);
}
