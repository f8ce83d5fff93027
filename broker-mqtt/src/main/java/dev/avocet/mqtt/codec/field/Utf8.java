package dev.avocet.mqtt.codec.field;

import dev.avocet.core.message.EightBytes;

/**
 * Checks UTF-8 in place: eight ASCII bytes at a time, anything else by the Unicode standard's table of well-formed
 * sequences.
 */
public final class Utf8 {
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long PLUSES = EightBytes.of('+');
    private static final long HASHES = EightBytes.of('#');

    private Utf8() {}

    /**
     * True for what a UTF-8 encoded string of the protocol may hold: well-formed [MQTT-1.5.4-1] and no U+0000
     * [MQTT-1.5.4-2].
     */
    public static boolean isMqttString(byte[] buf, int from, int length) {
        int limit = from + length;
        int at = from;
        while (at < limit) {
            if (limit - at >= Long.BYTES && isAsciiWithoutNull(EightBytes.at(buf, at))) {
                at += Long.BYTES;
                continue;
            }
            if (length >= Long.BYTES
                    && limit - at < Long.BYTES
                    && isAsciiWithoutNull(EightBytes.at(buf, limit - Long.BYTES))) {
                return true; // the last eight bytes, of which some have been looked at already
            }
            if (buf[at] == 0) {
                return false;
            }
            int size = sequenceSize(buf, at, limit);
            if (size == 0) {
                return false;
            }
            at += size;
        }
        return true;
    }

    /** True for any well-formed text, U+0000 included, as a payload may be. */
    public static boolean isWellFormed(byte[] buf, int from, int length) {
        int limit = from + length;
        int at = from;
        while (at < limit) {
            if (limit - at >= Long.BYTES && (EightBytes.at(buf, at) & EightBytes.HIGH_BITS) == 0) {
                at += Long.BYTES;
                continue;
            }
            int size = sequenceSize(buf, at, limit);
            if (size == 0) {
                return false;
            }
            at += size;
        }
        return true;
    }

    /** True when a byte is {@code +} or {@code #}; in UTF-8 these bytes are never part of another character. */
    public static boolean hasWildcard(byte[] buf, int from, int length) {
        int limit = from + length;
        int at = from;
        for (; limit - at >= Long.BYTES; at += Long.BYTES) {
            long word = EightBytes.at(buf, at);
            if ((EightBytes.zeroBytes(word ^ PLUSES) | EightBytes.zeroBytes(word ^ HASHES)) != 0) {
                return true;
            }
        }
        for (; at < limit; at++) {
            if (buf[at] == '+' || buf[at] == '#') {
                return true;
            }
        }
        return false;
    }

    private static boolean isAsciiWithoutNull(long word) {
        return ((word | (word - ONES)) & EightBytes.HIGH_BITS) == 0;
    }

    /**
     * The length of the well-formed sequence at {@code at}, or 0. Refuses encoded surrogates, over-long forms and what
     * is above U+10FFFF.
     */
    private static int sequenceSize(byte[] buf, int at, int limit) {
        int first = buf[at] & 0xFF;
        if (first < 0x80) {
            return 1;
        }
        if (first < 0xC2 || first > 0xF4) {
            return 0;
        }
        int size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (limit - at < size || !isSecond(first, buf[at + 1] & 0xFF)) {
            return 0;
        }
        for (int i = 2; i < size; i++) {
            if ((buf[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return size;
    }

    private static boolean isSecond(int first, int second) {
        return switch (first) {
            case 0xE0 -> second >= 0xA0 && second <= 0xBF;
            case 0xED -> second >= 0x80 && second <= 0x9F;
            case 0xF0 -> second >= 0x90 && second <= 0xBF;
            case 0xF4 -> second >= 0x80 && second <= 0x8F;
            default -> second >= 0x80 && second <= 0xBF;
        };
    }
}
