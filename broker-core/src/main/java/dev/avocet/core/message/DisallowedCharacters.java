package dev.avocet.core.message;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The code points that section 1.5.4 of MQTT 5.0 calls disallowed: control characters, U+0001 to U+001F and U+007F to
 * U+009F, and the noncharacters of Unicode, such as U+FFFF. A server may refuse what holds one of them. U+0000 is never
 * allowed and not looked for here.
 */
public final class DisallowedCharacters {
    /** No such character. */
    public static final int NONE = -1;

    private static final int DELETE = 0x7F;
    private static final int LAST_CONTROL = 0x9F;

    private DisallowedCharacters() {}

    /** The first of them in a text, or {@link #NONE}. */
    public static int firstIn(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return firstIn(utf8, 0, utf8.length);
    }

    /**
     * The first of them in well-formed UTF-8, or {@link #NONE}: eight bytes at a time where they are printable ASCII.
     */
    public static int firstIn(byte[] utf8, int from, int length) {
        int limit = from + length;
        int at = from;
        while (at < limit) {
            if (limit - at >= Long.BYTES && EightBytes.isPrintableAscii(EightBytes.at(utf8, at))) {
                at += Long.BYTES;
                continue;
            }
            if (length >= Long.BYTES
                    && limit - at < Long.BYTES
                    && EightBytes.isPrintableAscii(EightBytes.at(utf8, limit - Long.BYTES))) {
                return NONE; // the last eight bytes, of which some have been looked at already
            }
            int size = sizeOf(utf8[at]);
            if (size > limit - at) {
                return NONE; // not well-formed, as what the disk has damaged: that is for others to say
            }
            int codePoint = codePoint(utf8, at, size);
            if (isDisallowed(codePoint)) {
                return codePoint;
            }
            at += size;
        }
        return NONE;
    }

    /** Names a code point of {@link #firstIn} for a reason that a client or an administrator reads. */
    public static String describe(int codePoint) {
        String kind = codePoint <= LAST_CONTROL ? "a control character" : "a noncharacter";
        return String.format(Locale.ROOT, "U+%04X, %s", codePoint, kind);
    }

    private static boolean isDisallowed(int codePoint) {
        return codePoint < ' '
                || (codePoint >= DELETE && codePoint <= LAST_CONTROL)
                || (codePoint >= 0xFDD0 && codePoint <= 0xFDEF)
                || (codePoint & 0xFFFE) == 0xFFFE;
    }

    private static int sizeOf(byte first) {
        int unsigned = first & 0xFF;
        return unsigned < 0x80 ? 1 : unsigned < 0xE0 ? 2 : unsigned < 0xF0 ? 3 : 4;
    }

    private static int codePoint(byte[] utf8, int at, int size) {
        int first = utf8[at];
        return switch (size) {
            case 1 -> first;
            case 2 -> (first & 0x1F) << 6 | tail(utf8, at + 1);
            case 3 -> (first & 0x0F) << 12 | tail(utf8, at + 1) << 6 | tail(utf8, at + 2);
            default -> (first & 0x07) << 18 | tail(utf8, at + 1) << 12 | tail(utf8, at + 2) << 6 | tail(utf8, at + 3);
        };
    }

    private static int tail(byte[] utf8, int at) {
        return utf8[at] & 0x3F;
    }
}
