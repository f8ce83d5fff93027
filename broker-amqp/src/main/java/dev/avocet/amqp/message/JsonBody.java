package dev.avocet.amqp.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.avocet.amqp.frame.TypeCode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the body of a MapMessage of a JSON object, and that of a StreamMessage of a JSON array. Values are texts,
 * numbers, truths and null: what these messages can hold. Whole numbers become int, or long where they are too large;
 * others double.
 */
final class JsonBody {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private JsonBody() {}

    /**
     * The body section.
     *
     * @param json UTF-8
     * @return null when it is no such JSON
     */
    static byte @Nullable [] of(MessageType type, byte[] json) {
        try (JsonParser parser = JSON.createParser(json)) {
            SectionWriter out = new SectionWriter();
            boolean whole = type == MessageType.MAP ? map(parser, out) : stream(parser, out);
            return whole && parser.nextToken() == null ? out.toBytes() : null;
        } catch (IOException e) {
            return null; // it is a text then, which may be anything
        }
    }

    private static boolean map(JsonParser parser, SectionWriter out) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        out.section(SectionType.VALUE);
        out.begin(TypeCode.MAP_32);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            out.string(parser.currentName());
            if (!single(parser.nextToken(), parser, out)) {
                return false;
            }
        }
        out.end();
        return true;
    }

    private static boolean stream(JsonParser parser, SectionWriter out) throws IOException {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            return false;
        }
        out.section(SectionType.SEQUENCE);
        out.begin(TypeCode.LIST_32);
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (!single(token, parser, out)) {
                return false;
            }
        }
        out.end();
        return true;
    }

    private static boolean single(@Nullable JsonToken token, JsonParser parser, SectionWriter out) throws IOException {
        if (token == null) {
            return false;
        }
        switch (token) {
            case VALUE_STRING -> out.string(parser.getText());
            case VALUE_TRUE -> out.truth(true);
            case VALUE_FALSE -> out.truth(false);
            case VALUE_NULL -> out.nothing();
            case VALUE_NUMBER_FLOAT -> out.real(parser.getDoubleValue());
            case VALUE_NUMBER_INT -> {
                return whole(parser, out);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean whole(JsonParser parser, SectionWriter out) throws IOException {
        switch (parser.getNumberType()) {
            case INT -> out.integer(parser.getIntValue());
            case LONG -> out.longInteger(parser.getLongValue());
            default -> {
                return false;
            }
        }
        return true;
    }
}
