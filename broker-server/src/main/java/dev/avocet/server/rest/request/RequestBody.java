package dev.avocet.server.rest.request;

import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.JsonTree;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a request brings: JSON in UTF-8, and not too much of it. */
public final class RequestBody {
    /** Thousands of objects; a client that has more sends them in several requests. */
    public static final int MAX_BYTES = 4 << 20;

    private RequestBody() {}

    public static @Nullable Object json(Context context) throws Refusal {
        String text = text(bytes(context, MAX_BYTES, "send the objects in several requests"));
        if (text.isBlank()) {
            throw new Refusal(Code.NOT_UNDERSTOOD, "the request has no body; send JSON");
        }
        try {
            return JsonTree.parse("body", text);
        } catch (ConfigurationException e) {
            throw new Refusal(Code.NOT_UNDERSTOOD, String.join("; ", e.problems()));
        }
    }

    public static Map<String, @Nullable Object> object(Context context) throws Refusal {
        if (!(json(context) instanceof Map<?, ?> members)) {
            throw new Refusal(Code.NOT_UNDERSTOOD, "the body must be an object in braces");
        }
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        members.forEach((name, value) -> object.put(String.valueOf(name), value));
        return object;
    }

    /** Counts itself, because a body that comes in chunks does not say how long it is. */
    public static byte[] bytes(Context context, int maxBytes, String advice) throws Refusal {
        try {
            byte[] bytes = context.bodyInputStream().readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new Refusal(Code.TOO_LARGE, "the body is larger than " + maxBytes + " bytes; " + advice);
            }
            return bytes;
        } catch (IOException e) {
            throw new Refusal(Code.NOT_UNDERSTOOD, "the body did not arrive as a whole");
        }
    }

    private static String text(byte[] bytes) throws Refusal {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Refusal(Code.NOT_UNDERSTOOD, "the body is not UTF-8 text");
        }
    }
}
