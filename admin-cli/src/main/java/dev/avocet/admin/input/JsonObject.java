package dev.avocet.admin.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON objects into maps in their order; members are texts, as they are written, or maps. */
public final class JsonObject {
    private JsonObject() {}

    public static Map<String, Object> parse(String json) throws AdminException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw notJson(null);
            }
            return members(parser);
        } catch (IOException e) {
            throw notJson(e);
        }
    }

    private static Map<String, Object> members(JsonParser parser) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            switch (parser.nextToken()) {
                case START_OBJECT -> members.put(name, members(parser));
                case START_ARRAY -> parser.skipChildren();
                case VALUE_NULL -> {}
                default -> members.put(name, parser.getText());
            }
        }
        return members;
    }

    private static AdminException notJson(@Nullable IOException cause) {
        String why = cause == null
                ? ""
                : ": " + cause.getMessage().lines().findFirst().orElse("");
        return new AdminException(ExitCode.REFUSED, "the answer is not a JSON object" + why);
    }
}
