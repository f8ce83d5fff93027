package dev.avocet.server.ltpa;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of a decrypted token: {@code attributes%end%signature}. Attributes are {@code name:value} with {@code $}
 * between; a backslash takes the meaning from the character behind it.
 *
 * @param signed the attributes as they came
 * @param end milliseconds since 1970
 * @param signature in Base64
 */
record LtpaText(String signed, String end, String signature) {
    private static final char PART = '%';
    private static final char ATTRIBUTE = '$';
    private static final char VALUE = ':';
    private static final int PARTS = 3;

    /** Whether there are the three parts, which bytes that were decrypted with another key hardly ever have. */
    static boolean looksLikeOne(String text) {
        return split(text, PART).size() == PARTS;
    }

    static LtpaText parse(String text) throws LtpaRefusedException {
        List<String> parts = split(text, PART);
        if (parts.size() != PARTS) {
            throw new LtpaRefusedException("it has not got the three parts of a token");
        }
        return new LtpaText(parts.get(0), parts.get(1), parts.get(2));
    }

    /** The value of an attribute, or null; two of one name are an error. */
    @Nullable String attribute(String name) throws LtpaRefusedException {
        String found = null;
        for (String attribute : split(signed, ATTRIBUTE)) {
            List<String> parts = split(attribute, VALUE);
            if (unescaped(parts.get(0)).equals(name)) {
                if (parts.size() != 2 || found != null) {
                    throw new LtpaRefusedException("its attribute '" + name + "' is ambiguous");
                }
                found = unescaped(parts.get(1));
            }
        }
        return found;
    }

    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == separator) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            boolean escape = text.charAt(i) == '\\' && i + 1 < text.length();
            plain.append(text.charAt(escape ? ++i : i));
        }
        return plain.toString();
    }
}
