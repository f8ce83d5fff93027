package dev.avocet.server.rest.messaging;

import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.UserProperty;
import dev.avocet.core.time.Clock;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.ListQuery;
import dev.avocet.server.rest.request.Refusal;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Describes messages to administrators: size, time, properties and the beginning of the body. */
final class MessageTree {
    /** How many bytes of each body a list shows where the request does not say. */
    static final int BODY_DEFAULT = 100;
    /** The most bytes of one body. */
    static final int BODY_MAX = 1 << 20;
    /** The most bytes of bodies in one answer. */
    private static final int ANSWER_MAX = 16 << 20;

    private static final String TIMESTAMP = "JMSTimestamp";
    /** Shown by members of their own. */
    private static final Set<String> SHOWN_ELSEWHERE = Set.of(TIMESTAMP, "JMSMessageID", "JMSCorrelationID");

    private final Clock clock;
    private final int bodyBytes;
    private final boolean hidden;

    /**
     * @param bodyBytes how many bytes of a body are shown at most
     * @param values of the configuration, which say whether bodies are shown at all
     */
    MessageTree(Clock clock, int bodyBytes, Singletons values) {
        this.clock = clock;
        this.bodyBytes = bodyBytes;
        this.hidden = values.hideMessagePayloads();
    }

    /**
     * How many bytes of each body a request wants.
     *
     * @param usual where it does not say
     * @param count how many messages it wants
     */
    static int bodyBytes(Context context, int usual, int count) throws Refusal {
        String given = ListQuery.text(context, "BodyBytes");
        if (given.isEmpty()) {
            return usual;
        }
        int bytes = given.matches("[0-9]{1,7}") ? Integer.parseInt(given) : -1;
        if (bytes < 0 || bytes > BODY_MAX) {
            throw new Refusal(
                    Code.INVALID, String.format(Locale.ROOT, "BodyBytes is 0 to %d, not '%s'", BODY_MAX, given));
        }
        if ((long) bytes * count > ANSWER_MAX) {
            throw new Refusal(
                    Code.INVALID,
                    String.format(
                            Locale.ROOT,
                            "BodyBytes %d of each of %d messages is more than one answer holds, which is %d bytes; ask"
                                    + " for a smaller BodyBytes or ResultCount",
                            bytes,
                            count,
                            ANSWER_MAX));
        }
        return bytes;
    }

    /** Adds what there is to say of a message. */
    void describe(Message message, Map<String, Object> tree) {
        MessageProperties properties = message.properties();
        byte[] payload = message.payload();
        tree.put("Bytes", (long) message.body().length);
        tree.put("BodyBytes", (long) payload.length);
        putIfThere(tree, "MessageID", properties.property("JMSMessageID"));
        putIfThere(tree, "CorrelationID", properties.property("JMSCorrelationID"));
        putIfThere(tree, "Type", properties.property("JMSType"));
        putIfThere(tree, "GroupID", properties.groupId());
        putIfThere(tree, "Time", time(properties.property(TIMESTAMP)));
        if (message.expires()) {
            long remainingNs = message.expiryDeadlineNs() - clock.nanoTime();
            putIfThere(
                    tree,
                    "Expires",
                    Instant.ofEpochMilli(clock.wallTimeMs() + TimeUnit.NANOSECONDS.toMillis(remainingNs)));
        }
        if (properties.deliverAtWallMs() > 0) {
            putIfThere(tree, "DeliveryTime", time(properties.deliverAtWallMs()));
        }
        putIfThere(tree, "ContentType", properties.contentType());
        putIfThere(tree, "ReplyTo", properties.responseTopic());
        tree.put("Properties", own(properties.userProperties()));
        if (hidden) {
            tree.put("BodyIsHidden", true);
        } else if (bodyBytes > 0) {
            describeBody(payload, tree);
        }
    }

    static void putIfThere(Map<String, Object> tree, String name, @Nullable Object value) {
        if (value != null) {
            tree.put(name, value.toString());
        }
    }

    /** A name that repeats has its values in a list. */
    private static Map<String, Object> own(List<UserProperty> properties) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (UserProperty property : properties) {
            if (!SHOWN_ELSEWHERE.contains(property.name())) {
                tree.merge(property.name(), property.value(), MessageTree::both);
            }
        }
        return tree;
    }

    private static Object both(Object earlier, Object later) {
        List<Object> all = new ArrayList<>();
        if (earlier instanceof List<?> several) {
            all.addAll(several);
        } else {
            all.add(earlier);
        }
        all.add(later);
        return all;
    }

    private static @Nullable Object time(@Nullable Object wallMs) {
        try {
            return wallMs == null ? null : Instant.ofEpochMilli(Long.parseLong(wallMs.toString()));
        } catch (NumberFormatException | DateTimeException e) {
            return null; // the sender has written something else
        }
    }

    private void describeBody(byte[] payload, Map<String, Object> tree) {
        boolean isCut = payload.length > bodyBytes;
        String text = text(payload, Math.min(payload.length, bodyBytes), isCut);
        tree.put("BodyEncoding", text == null ? "base64" : "text");
        tree.put("BodyIsCut", isCut);
        tree.put(
                "Body",
                text == null
                        ? Base64.getEncoder().encodeToString(isCut ? Arrays.copyOf(payload, bodyBytes) : payload)
                        : text);
    }

    /**
     * UTF-8 without control characters but tabs and ends of lines; null for anything else. A character that is cut is
     * left out.
     */
    private static @Nullable String text(byte[] payload, int length, boolean isCut) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer text = CharBuffer.allocate(length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(payload, 0, length), text, !isCut);
        text.flip();
        boolean isText = !result.isError() && text.chars().noneMatch(MessageTree::isControl);
        return isText ? text.toString() : null;
    }

    private static boolean isControl(int c) {
        return Character.isISOControl(c) && c != '\t' && c != '\n' && c != '\r';
    }
}
