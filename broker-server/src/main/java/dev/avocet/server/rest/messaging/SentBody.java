package dev.avocet.server.rest.messaging;

import dev.avocet.amqp.message.ComposedMessage;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RouteBody;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a request to send a message brings. */
final class SentBody {
    static final String BODY = "Body";

    private static final String ENCODING = "BodyEncoding";
    private static final String PROPERTIES = "Properties";
    private static final String PRIORITY = "Priority";
    private static final String PERSISTENT = "Persistent";
    private static final String EXPIRES = "ExpirySeconds";
    private static final String DELAY = "DelaySeconds";
    private static final String TYPE = "Type";
    private static final String CONTENT_TYPE = "ContentType";
    private static final String CORRELATION_ID = "CorrelationID";
    private static final String REPLY_TO = "ReplyTo";
    private static final String GROUP_ID = "GroupID";

    private static final List<String> ENCODINGS = List.of("text", "base64");
    private static final long USUAL_PRIORITY = 4;
    private static final long HIGHEST_PRIORITY = 9;
    /** Ten years. */
    private static final long MOST_SECONDS = 315_360_000;

    private static final int MOST_CHARACTERS = 65_535;
    private static final int LONGEST_NAME = 255;
    private static final int MOST_PROPERTIES = 100;
    private static final long SECOND_MS = 1_000;

    private final Map<String, @Nullable Object> members;

    SentBody(Map<String, @Nullable Object> members) {
        this.members = members;
    }

    /** For the description. */
    static Map<String, Object> members() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(BODY, RouteBody.TEXT);
        schema.put(ENCODING, Map.of("type", "string", "enum", ENCODINGS));
        Map<String, Object> text = Map.of("type", "string", "maxLength", (long) MOST_CHARACTERS);
        schema.put(
                PROPERTIES,
                Map.of(
                        "type",
                        "object",
                        "maxProperties",
                        (long) MOST_PROPERTIES,
                        "additionalProperties",
                        Map.of("anyOf", List.of(text, Map.of("type", "number"), Map.of("type", "boolean")))));
        schema.put(PRIORITY, RouteBody.number(0, HIGHEST_PRIORITY));
        schema.put(PERSISTENT, Map.of("type", "boolean"));
        schema.put(EXPIRES, RouteBody.number(0, MOST_SECONDS));
        schema.put(DELAY, RouteBody.number(0, MOST_SECONDS));
        for (String member : List.of(TYPE, CONTENT_TYPE, CORRELATION_ID, REPLY_TO, GROUP_ID)) {
            schema.put(member, text);
        }
        return schema;
    }

    /** @throws Refusal that names the member which is wrong */
    ComposedMessage message(String queue) throws Refusal {
        for (String member : members.keySet()) {
            if (!members().containsKey(member)) {
                throw new Refusal(
                        Code.INVALID,
                        "'" + member + "' means nothing here; there are "
                                + String.join(", ", members().keySet()));
            }
        }
        boolean isText = isText();
        return new ComposedMessage(
                queue,
                "ID:" + UUID.randomUUID(),
                body(isText),
                isText,
                persistent(),
                (int) number(PRIORITY, USUAL_PRIORITY, HIGHEST_PRIORITY),
                number(EXPIRES, 0, MOST_SECONDS) * SECOND_MS,
                number(DELAY, 0, MOST_SECONDS) * SECOND_MS,
                new ComposedMessage.Headers(
                        text(TYPE), contentType(), text(CORRELATION_ID), text(REPLY_TO), text(GROUP_ID)),
                properties());
    }

    private boolean isText() throws Refusal {
        String encoding = text(ENCODING);
        if (encoding != null && !ENCODINGS.contains(encoding)) {
            throw new Refusal(Code.INVALID, ENCODING + ": give text or base64, not '" + encoding + "'");
        }
        return !"base64".equals(encoding);
    }

    private byte[] body(boolean isText) throws Refusal {
        if (!(members.get(BODY) instanceof String body)) {
            throw new Refusal(Code.INVALID, BODY + ": give the message, as text in quotes, which may be empty");
        }
        if (isText) {
            return utf8(BODY, body);
        }
        try {
            return Base64.getDecoder().decode(body);
        } catch (IllegalArgumentException e) {
            throw new Refusal(Code.INVALID, BODY + ": is not Base64, as " + ENCODING + " says: " + e.getMessage());
        }
    }

    private boolean persistent() throws Refusal {
        Object given = members.getOrDefault(PERSISTENT, true);
        if (given instanceof Boolean persistent) {
            return persistent;
        }
        throw new Refusal(Code.INVALID, PERSISTENT + ": give true or false");
    }

    private long number(String member, long usual, long most) throws Refusal {
        Object given = members.get(member);
        if (given == null) {
            return usual;
        }
        if (given instanceof BigInteger number
                && number.signum() >= 0
                && number.compareTo(BigInteger.valueOf(most)) <= 0) {
            return number.longValue();
        }
        throw new Refusal(Code.INVALID, member + ": give a whole number from 0 to " + most);
    }

    private @Nullable String contentType() throws Refusal {
        String type = text(CONTENT_TYPE);
        if (type != null && !type.matches("[ -~]+")) {
            throw new Refusal(Code.INVALID, CONTENT_TYPE + ": give a media type in ASCII, such as application/json");
        }
        return type;
    }

    /** Null for what is absent or empty. */
    private @Nullable String text(String member) throws Refusal {
        Object given = members.get(member);
        if (given == null || given.equals("")) {
            return null;
        }
        if (!(given instanceof String text) || text.length() > MOST_CHARACTERS) {
            throw new Refusal(
                    Code.INVALID, member + ": give text in quotes, of " + MOST_CHARACTERS + " characters at most");
        }
        utf8(member, text);
        return text;
    }

    private Map<String, Object> properties() throws Refusal {
        Object given = members.getOrDefault(PROPERTIES, Map.of());
        if (!(given instanceof Map<?, ?> all) || all.size() > MOST_PROPERTIES) {
            throw new Refusal(
                    Code.INVALID, PROPERTIES + ": give an object of at most " + MOST_PROPERTIES + " properties");
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : all.entrySet()) {
            String name = String.valueOf(each.getKey());
            if (name.isEmpty() || name.length() > LONGEST_NAME || name.startsWith("JMS")) {
                throw new Refusal(
                        Code.INVALID,
                        PROPERTIES + ": '" + name + "' is not a name; give 1 to " + LONGEST_NAME
                                + " characters that do not begin with JMS");
            }
            utf8(PROPERTIES, name);
            properties.put(name, value(name, each.getValue()));
        }
        return properties;
    }

    private static Object value(String name, @Nullable Object given) throws Refusal {
        if (given instanceof Boolean) {
            return given;
        }
        if (given instanceof BigInteger number && number.bitLength() < Long.SIZE) {
            return number.longValue();
        }
        if (given instanceof Number number && !(given instanceof BigInteger) && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        if (given instanceof String text && text.length() <= MOST_CHARACTERS) {
            utf8(PROPERTIES, text);
            return text;
        }
        throw new Refusal(
                Code.INVALID,
                PROPERTIES + ": '" + name + "' has no value that a message can have; give text of at most "
                        + MOST_CHARACTERS + " characters, a number or a boolean");
    }

    /** Not all that JSON can say is text. */
    private static byte[] utf8(String member, String text) throws Refusal {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new Refusal(Code.INVALID, member + ": holds half of a surrogate pair, which is not text");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
