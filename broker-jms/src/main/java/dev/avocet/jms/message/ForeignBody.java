package dev.avocet.jms.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a message of another protocol as a message of Jakarta Messaging.
 *
 * @param section the body section
 * @param guessed whether the payload alone has decided that it is text or bytes, so that a client may see it otherwise
 */
record ForeignBody(MessageType type, byte[] section, boolean guessed) {

    /**
     * @param declaredText whether the publisher says that it is UTF-8
     * @param wanted what the publisher says that it is besides; null for nothing. What the payload cannot be is not heeded
     */
    static ForeignBody of(byte[] payload, boolean declaredText, @Nullable MessageType wanted) {
        boolean text = declaredText || isText(payload);
        if (wanted != null) {
            ForeignBody restored = restored(payload, text, wanted);
            if (restored != null) {
                return restored;
            }
        }
        return text
                ? new ForeignBody(MessageType.TEXT, string(payload), !declaredText)
                : new ForeignBody(MessageType.BYTES, data(payload), true);
    }

    private static @Nullable ForeignBody restored(byte[] payload, boolean text, MessageType wanted) {
        byte[] section =
                switch (wanted) {
                    case MAP, STREAM -> text ? JsonBody.of(wanted, payload) : null;
                    case OBJECT, BYTES -> data(payload);
                    case TEXT -> text ? string(payload) : null;
                    case MESSAGE -> payload.length == 0 ? nothing() : null;
                };
        return section == null ? null : new ForeignBody(wanted, section, false);
    }

    private static byte[] string(byte[] payload) {
        SectionWriter out = new SectionWriter();
        out.section(SectionType.VALUE);
        out.string(payload);
        return out.toBytes();
    }

    private static byte[] data(byte[] payload) {
        SectionWriter out = new SectionWriter();
        out.section(SectionType.DATA);
        out.binary(payload);
        return out.toBytes();
    }

    private static byte[] nothing() {
        SectionWriter out = new SectionWriter();
        out.section(SectionType.VALUE);
        out.nothing();
        return out.toBytes();
    }

    /** Well-formed UTF-8 without control characters but line ends and tabulators. */
    static boolean isText(byte[] payload) {
        for (byte b : payload) {
            if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
        }
        return decoded(payload) != null;
    }

    private static @Nullable Object decoded(byte[] utf8) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
