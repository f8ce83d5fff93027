package dev.avocet.jms.client.message;

/**
 * What a message becomes whose sender does not say what it is: one of an MQTT client without a payload format, or bytes
 * without a content type.
 */
public enum ConvertMessageType {
    /**
     * Text where the bytes are UTF-8 without control characters other than line feed, carriage return and tab; bytes
     * otherwise.
     */
    AUTOMATIC,
    /** Always bytes. */
    BYTES,
    /** Always text. */
    TEXT
}
