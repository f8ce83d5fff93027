package dev.avocet.core.security.user;

import java.text.Normalizer;
import java.util.Locale;

/**
 * SASLprep (RFC 4013): makes two ways of typing the same password the same text. Code points that Unicode 3.2 did not
 * know are let through, as RFC 3454 section 7 does for queries, so that a password with a newer character can be used
 * at all.
 */
public final class SaslPrep {
    private static final int SOFT_HYPHEN = 0x00AD;
    private static final int COMBINING_GRAPHEME_JOINER = 0x034F;
    private static final int MONGOLIAN_TODO_SOFT_HYPHEN = 0x1806;
    private static final int ZERO_WIDTH_SPACE = 0x200B;
    private static final int ZERO_WIDTH_JOINER = 0x200D;
    private static final int WORD_JOINER = 0x2060;
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private SaslPrep() {}

    /** The prepared text; {@link IllegalArgumentException} when it holds something that RFC 4013 forbids. */
    public static String prepare(String text) {
        if (isPrintableAscii(text)) {
            return text;
        }
        String prepared = Normalizer.normalize(map(text), Normalizer.Form.NFKC);
        prepared.codePoints().forEach(SaslPrep::refuseForbidden);
        refuseMixedDirections(prepared);
        return prepared;
    }

    private static boolean isPrintableAscii(String text) {
        return text.chars().allMatch(c -> c >= 0x20 && c < 0x7F);
    }

    /** RFC 4013 section 2.1: other spaces become a space, characters commonly mapped to nothing go. */
    private static String map(String text) {
        StringBuilder mapped = new StringBuilder(text.length());
        text.codePoints().filter(c -> !isMappedToNothing(c)).forEach(c -> mapped.appendCodePoint(isSpace(c) ? ' ' : c));
        return mapped.toString();
    }

    /** RFC 3454 table C.1.2. U+200B is there too, but table B.1 comes first for us as for other implementations. */
    private static boolean isSpace(int codePoint) {
        return Character.getType(codePoint) == Character.SPACE_SEPARATOR;
    }

    /** RFC 3454 table B.1. */
    private static boolean isMappedToNothing(int c) {
        return c == SOFT_HYPHEN
                || c == COMBINING_GRAPHEME_JOINER
                || c == MONGOLIAN_TODO_SOFT_HYPHEN
                || (c >= 0x180B && c <= 0x180D)
                || (c >= ZERO_WIDTH_SPACE && c <= ZERO_WIDTH_JOINER)
                || c == WORD_JOINER
                || (c >= 0xFE00 && c <= 0xFE0F)
                || c == BYTE_ORDER_MARK;
    }

    /** RFC 4013 section 2.3. */
    private static void refuseForbidden(int c) {
        boolean forbidden =
                switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.PRIVATE_USE,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> true;
                    default -> isNonCharacter(c) || isBadForPlainText(c);
                };
        if (forbidden) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "U+%04X must not be in a user name or password", c));
        }
    }

    private static boolean isNonCharacter(int c) {
        return (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
    }

    /** RFC 3454 tables C.6 to C.8, as far as they are not format characters: replacement, description, tone marks. */
    private static boolean isBadForPlainText(int c) {
        return (c >= 0xFFF9 && c <= 0xFFFD) || (c >= 0x2FF0 && c <= 0x2FFB) || c == 0x0340 || c == 0x0341;
    }

    /**
     * RFC 3454 section 6: text with a right-to-left letter begins and ends with one, and holds no left-to-right letter.
     */
    private static void refuseMixedDirections(String text) {
        if (text.codePoints().noneMatch(SaslPrep::isRightToLeft)) {
            return;
        }
        boolean leftToRight = text.codePoints()
                .anyMatch(c -> Character.getDirectionality(c) == Character.DIRECTIONALITY_LEFT_TO_RIGHT);
        boolean framed = isRightToLeft(text.codePointAt(0)) && isRightToLeft(text.codePointBefore(text.length()));
        if (leftToRight || !framed) {
            throw new IllegalArgumentException("a user name or password does not mix writing directions");
        }
    }

    private static boolean isRightToLeft(int c) {
        byte direction = Character.getDirectionality(c);
        return direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
                || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
    }
}
