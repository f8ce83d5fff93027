package dev.avocet.server.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into maps, lists, strings, numbers and booleans. Only the streaming half of Jackson is used: data binding
 * would cost a fifth of a second at every start for one small file.
 */
public final class JsonTree {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private JsonTree() {}

    /** The one value in the text; {@link ConfigurationException} with line and column when it is not JSON. */
    public static @Nullable Object parse(String source, String json) throws ConfigurationException {
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() == null) {
                throw new ConfigurationException(source, List.of("is empty; the smallest configuration is {}"));
            }
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw notJson(
                        source, parser.currentTokenLocation(), "there is more after the end of the configuration");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw notJson(source, e.getLocation(), e.getOriginalMessage());
        } catch (IOException e) {
            throw new ConfigurationException(source, List.of("cannot be read: " + e.getMessage()));
        }
    }

    private static ConfigurationException notJson(String source, @Nullable JsonLocation location, String message) {
        String where =
                location == null ? "" : "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": ";
        String firstLine = message.lines().findFirst().orElse("").strip();
        return new ConfigurationException(source, List.of(where + "not valid JSON: " + firstLine));
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            parser.nextToken();
            members.put(key, value(parser));
        }
        return members;
    }

    private static List<@Nullable Object> array(JsonParser parser) throws IOException {
        List<@Nullable Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(parser));
        }
        return elements;
    }
}
