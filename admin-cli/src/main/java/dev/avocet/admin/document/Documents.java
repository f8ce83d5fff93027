package dev.avocet.admin.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes documents. Objects become maps in their order, whole numbers {@code Long} or {@code BigInteger}. */
public final class Documents {
    private Documents() {}

    /** The one value in a JSON text. */
    public static @Nullable Object json(String text) throws IOException {
        try (JsonParser parser = jsonFactory().createParser(text)) {
            parser.nextToken();
            return value(parser);
        }
    }

    /** All documents in a text that is JSON or, when its name ends so, YAML. */
    public static List<@Nullable Object> all(String text, boolean isYaml) throws IOException {
        List<@Nullable Object> documents = new ArrayList<>();
        try (JsonParser parser = (isYaml ? yamlFactory() : jsonFactory()).createParser(text)) {
            while (parser.nextToken() != null) {
                documents.add(value(parser));
            }
        }
        return documents;
    }

    /** A value as indented JSON. */
    public static String toJson(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = jsonFactory().createGenerator(text)) {
            generator.setPrettyPrinter(new DefaultPrettyPrinter());
            write(value, generator);
        } catch (IOException e) {
            throw new IllegalStateException("a string cannot be written", e);
        }
        return text.toString();
    }

    /** A value as one line of JSON, for the wire. */
    public static String toCompactJson(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = jsonFactory().createGenerator(text)) {
            write(value, generator);
        } catch (IOException e) {
            throw new IllegalStateException("a string cannot be written", e);
        }
        return text.toString();
    }

    /** A value as YAML, with no line break at its end. */
    public static String toYaml(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = yamlFactory().createGenerator(text)) {
            write(value, generator);
        } catch (IOException e) {
            throw new IllegalStateException("a string cannot be written", e);
        }
        return text.toString().stripTrailing();
    }

    private static JsonFactory jsonFactory() {
        return JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
    }

    private static JsonFactory yamlFactory() {
        return YAMLFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .build();
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == null) {
            return null;
        }
        return switch (token) {
            case START_OBJECT -> members(parser);
            case START_ARRAY -> elements(parser);
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? parser.getBigIntegerValue()
                        : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            default -> parser.getText();
        };
    }

    private static Map<String, @Nullable Object> members(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            members.put(name, value(parser));
        }
        return members;
    }

    private static List<@Nullable Object> elements(JsonParser parser) throws IOException {
        List<@Nullable Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(parser));
        }
        return elements;
    }

    private static void write(@Nullable Object value, JsonGenerator generator) throws IOException {
        if (value instanceof Map<?, ?> members) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                generator.writeFieldName(String.valueOf(member.getKey()));
                write(member.getValue(), generator);
            }
            generator.writeEndObject();
        } else if (value instanceof Iterable<?> elements) {
            generator.writeStartArray();
            for (Object element : elements) {
                write(element, generator);
            }
            generator.writeEndArray();
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Number number) {
            generator.writeNumber(number.toString());
        } else if (value == null) {
            generator.writeNull();
        } else {
            generator.writeString(value.toString());
        }
    }
}
