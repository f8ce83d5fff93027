package dev.avocet.core.message;

/** Topic names of printable ASCII, 0x20 to 0x7E, without wildcards: looked at eight bytes at a time, and once. */
final class PlainText {
    /** The name is another one. */
    static final int OTHER = -1;

    private static final long LOW_BITS = ~EightBytes.HIGH_BITS;
    private static final long SPACES = EightBytes.of(' ');
    private static final long SLASHES = EightBytes.of('/');
    private static final long PLUSES = EightBytes.of('+');
    private static final long HASHES = EightBytes.of('#');

    private PlainText() {}

    /** How many slashes the bytes have; {@link #OTHER} where one is a wildcard, or not printable ASCII. */
    static int slashesUnlessWildcard(byte[] utf8) {
        int slashes = 0;
        int at = 0;
        for (; utf8.length - at >= Long.BYTES; at += Long.BYTES) {
            long word = EightBytes.at(utf8, at);
            if (!isPlain(word)) {
                return OTHER;
            }
            slashes += slashes(word);
        }
        if (at < utf8.length) {
            long word = filledUp(utf8, at);
            if (!isPlain(word)) {
                return OTHER;
            }
            slashes += slashes(word);
        }
        return slashes;
    }

    /** The last bytes, fewer than eight, and spaces behind them. */
    private static long filledUp(byte[] utf8, int from) {
        return EightBytes.fewer(utf8, from, utf8.length) | SPACES << (utf8.length - from) * Byte.SIZE;
    }

    private static boolean isPlain(long word) {
        return EightBytes.isPrintableAscii(word)
                && (EightBytes.zeroBytes(word ^ PLUSES) | EightBytes.zeroBytes(word ^ HASHES)) == 0;
    }

    /** Of a word of ASCII: a byte that is not zero has its high bit set by the sum. */
    private static int slashes(long word) {
        return Long.BYTES - Long.bitCount(((word ^ SLASHES) + LOW_BITS) & EightBytes.HIGH_BITS);
    }
}
