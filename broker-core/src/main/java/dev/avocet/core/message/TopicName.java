package dev.avocet.core.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where a message is published to: levels separated by {@code /}, no wildcards. It is its UTF-8 form, which is matched
 * to filters and written for each delivery; the text is made when it is asked for first.
 *
 * <p>Immutable. The text is well-formed Unicode without U+0000 [MQTT-4.7.3-2], one character or longer [MQTT-4.7.3-1],
 * and at most {@value #MAX_BYTES} bytes long [MQTT-4.7.3-3]; a front end has checked that before it makes one.
 */
public final class TopicName {
    /** Longest topic name in UTF-8 bytes. */
    public static final int MAX_BYTES = 65_535;

    private final byte[] utf8;
    private final boolean disallowed;
    /** At most {@value #MAX_BYTES}. In so few bits a name fills 24 bytes. */
    private final char slashes;
    /** Two threads that find none make equal ones. */
    private @Nullable String text;

    private TopicName(@Nullable String text, byte[] utf8, boolean disallowed, int slashes) {
        this.text = text;
        this.utf8 = utf8;
        this.disallowed = disallowed;
        this.slashes = (char) slashes;
    }

    /** A topic name from text; {@link IllegalArgumentException} when it is empty, too long or holds a wildcard. */
    public static TopicName of(String text) {
        return checked(text, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A topic name from its UTF-8 bytes, which are taken over and must not be changed. */
    public static TopicName ofUtf8(byte[] utf8) {
        return checked(null, utf8);
    }

    /**
     * A topic name from bytes that are not checked yet, which are taken over and must not be changed; null unless all
     * of them are printable ASCII and none is a wildcard, as in most names: each byte is looked at once then.
     */
    public static @Nullable TopicName ifPlain(byte[] utf8) {
        if (utf8.length == 0 || utf8.length > MAX_BYTES) {
            return null;
        }
        int slashes = PlainText.slashesUnlessWildcard(utf8);
        return slashes == PlainText.OTHER ? null : new TopicName(null, utf8, false, slashes);
    }

    private static TopicName checked(@Nullable String text, byte[] utf8) {
        if (utf8.length == 0 || utf8.length > MAX_BYTES) {
            throw new IllegalArgumentException("a topic name is 1 to " + MAX_BYTES + " bytes long, not " + utf8.length);
        }
        int plain = PlainText.slashesUnlessWildcard(utf8);
        if (plain != PlainText.OTHER) {
            return new TopicName(text, utf8, false, plain);
        }
        int slashes = 0;
        for (byte b : utf8) {
            if (b == '+' || b == '#' || b == 0) {
                throw new IllegalArgumentException("a topic name holds no '+', no '#' and no U+0000: "
                        + (text == null ? new String(utf8, StandardCharsets.UTF_8) : text));
            }
            if (b == '/') {
                slashes++;
            }
        }
        boolean disallowed = DisallowedCharacters.firstIn(utf8, 0, utf8.length) != DisallowedCharacters.NONE;
        return new TopicName(text, utf8, disallowed, slashes);
    }

    /** The name as text. */
    public String text() {
        String known = text;
        if (known == null) {
            text = known = new String(utf8, StandardCharsets.UTF_8);
        }
        return known;
    }

    /** The name in UTF-8. The caller must not change the array. */
    public byte[] utf8() {
        return utf8;
    }

    /** How many levels it has, at least one. Empty levels count. */
    public int levels() {
        return slashes + 1;
    }

    /** True for names that begin with {@code $}, which wildcards at the first level do not match [MQTT-4.7.2-1]. */
    public boolean isReserved() {
        return utf8[0] == '$';
    }

    /** True when it holds a character that an endpoint may refuse, see {@link DisallowedCharacters}. */
    public boolean hasDisallowedCharacters() {
        return disallowed;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TopicName that && Arrays.equals(utf8, that.utf8);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(utf8);
    }

    @Override
    public String toString() {
        return text();
    }
}
