package dev.avocet.server.objects;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes maps, lists, text, numbers and truth values as JSON for people; the opposite of
 * {@link dev.avocet.server.config.JsonTree}.
 */
public final class JsonText {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonText() {}

    /** The text, with line breaks. */
    public static String of(Object tree) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text).useDefaultPrettyPrinter()) {
            write(tree, json);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        return text.toString();
    }

    /** The text in one line. */
    public static String line(Object tree) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            write(tree, json);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        return text.toString();
    }

    private static void write(@Nullable Object value, JsonGenerator json) throws IOException {
        if (value instanceof Map<?, ?> members) {
            json.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                json.writeFieldName(String.valueOf(member.getKey()));
                write(member.getValue(), json);
            }
            json.writeEndObject();
        } else if (value instanceof List<?> elements) {
            json.writeStartArray();
            for (Object element : elements) {
                write(element, json);
            }
            json.writeEndArray();
        } else {
            writeScalar(value, json);
        }
    }

    private static void writeScalar(@Nullable Object value, JsonGenerator json) throws IOException {
        if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value == null) {
            json.writeNull();
        } else {
            json.writeString(value.toString());
        }
    }
}
