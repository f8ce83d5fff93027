package dev.avocet.mqtt.admission;

import dev.avocet.core.message.DisallowedCharacters;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told whose names or topics hold characters that its endpoint does not take [MQTT 5.0 section 1.5.4].
 */
public final class RefusedText {
    /** The longest reason that is given, in characters. */
    private static final int MAX_LENGTH = 1_000;

    private RefusedText() {}

    /**
     * A reason as it is given: what it quotes of the client may be longer than a string of the protocol can be with
     * anything before it.
     */
    public static String shortened(String reason) {
        if (reason.length() <= MAX_LENGTH) {
            return reason;
        }
        int end = Character.isHighSurrogate(reason.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
        return reason.substring(0, end) + " …";
    }

    /** Why a text is refused, or null when it is not. */
    public static @Nullable String reason(String what, @Nullable String text) {
        int found = text == null ? DisallowedCharacters.NONE : DisallowedCharacters.firstIn(text);
        return found == DisallowedCharacters.NONE ? null : reason(what, found);
    }

    public static String reason(String what, int codePoint) {
        return "the " + what + " holds " + DisallowedCharacters.describe(codePoint)
                + ", which this endpoint does not take (AllowControlCharacters)";
    }
}
