package dev.avocet.core.security.scram;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The lexical rules that both client messages share (RFC 5802 section 7). */
final class ScramText {
    private ScramText() {}

    static String decode(byte[] message) throws ScramFormatException {
        if (message.length > ScramServer.MAX_MESSAGE_BYTES) {
            throw malformed();
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(message))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed();
        }
    }

    /** The value of an attribute such as {@code r=...}, which is not empty. */
    static String value(char name, String attribute) throws ScramFormatException {
        if (attribute.length() < 3 || attribute.charAt(0) != name || attribute.charAt(1) != '=') {
            throw malformed();
        }
        return attribute.substring(2);
    }

    static byte[] base64(String text) throws ScramFormatException {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw malformed();
        }
    }

    static ScramFormatException malformed() {
        return new ScramFormatException(ScramReply.Reason.MALFORMED);
    }

    static ScramFormatException unsupported() {
        return new ScramFormatException(ScramReply.Reason.UNSUPPORTED);
    }
}
