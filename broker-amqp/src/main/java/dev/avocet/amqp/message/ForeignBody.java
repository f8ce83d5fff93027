package dev.avocet.amqp.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a message of another protocol as a message of Jakarta Messaging.
 *
 * @param restored the body section that was made of the payload; null where it is the payload itself
 * @param guessed whether the payload alone has decided that it is text or bytes, so that a client may see it otherwise
 */
record ForeignBody(MessageType type, byte[] payload, byte @Nullable [] restored, boolean guessed) {

    /**
     * @param declaredText whether the publisher says that it is UTF-8
     * @param wanted what the publisher says that it is besides; null for nothing. What the payload cannot be is not
     *     heeded
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
                ? new ForeignBody(MessageType.TEXT, payload, null, !declaredText)
                : new ForeignBody(MessageType.BYTES, payload, null, true);
    }

    private static @Nullable ForeignBody restored(byte[] payload, boolean text, MessageType wanted) {
        return switch (wanted) {
            case MAP, STREAM -> {
                byte[] section = text ? JsonBody.of(wanted, payload) : null;
                yield section == null ? null : new ForeignBody(wanted, payload, section, false);
            }
            case OBJECT, BYTES -> new ForeignBody(wanted, payload, null, false);
            case TEXT -> text ? new ForeignBody(wanted, payload, null, false) : null;
            case MESSAGE -> payload.length == 0 ? new ForeignBody(wanted, payload, null, false) : null;
        };
    }

    /** What comes before the payload, where the body section is the payload itself: a head, and the section's begin. */
    byte[] beginBehind(byte[] head) {
        SectionWriter out = new SectionWriter(head, SectionWriter.BEGIN_MAX_BYTES);
        begin(out);
        return out.toBytes();
    }

    private void begin(SectionWriter out) {
        if (type == MessageType.TEXT) {
            out.section(SectionType.VALUE);
            out.beginString(payload.length);
        } else {
            out.section(SectionType.DATA);
            out.beginBinary(payload.length);
        }
    }

    /** Appends the body section. */
    void writeTo(SectionWriter out) {
        switch (type) {
            case MAP, STREAM -> {
                byte[] section = Objects.requireNonNull(restored);
                out.append(section, 0, section.length);
            }
            case OBJECT, BYTES, TEXT -> {
                begin(out);
                out.append(payload, 0, payload.length);
            }
            case MESSAGE -> {
                out.section(SectionType.VALUE);
                out.nothing();
            }
        }
    }

    /** Well-formed UTF-8 without control characters but line ends and tabulators. */
    static boolean isText(byte[] payload) {
        int all = 0;
        for (byte b : payload) {
            if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
            all |= b;
        }
        boolean ascii = all >= 0;
        return ascii || decoded(payload) != null;
    }

    private static @Nullable Object decoded(byte[] utf8) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8));
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
