package dev.avocet.mqtt.codec.field;

/** How the value of a property is written. A property of one byte is always a flag, 0 or 1. */
enum PropertyType {
    FLAG,
    TWO_BYTE,
    FOUR_BYTE,
    VAR_INT,
    UTF8,
    BINARY,
    UTF8_PAIR
}
