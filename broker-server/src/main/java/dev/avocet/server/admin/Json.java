package dev.avocet.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.server.store.StoreFigures;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.server.store.StoreJson;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Writes the few JSON answers of the admin end point. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    static String of(Health health) {
        return object(json -> {
            json.writeStringField("status", health.status().toString());
            json.writeStringField("version", health.version());
            json.writeNumberField("uptimeMs", health.uptimeMs());
            json.writeArrayFieldStart("endpoints");
            for (String endpoint : health.endpoints()) {
                json.writeString(endpoint);
            }
            json.writeEndArray();
            json.writeObjectFieldStart("store");
            StoreJson.write(health.store(), json);
            json.writeEndObject();
        });
    }

    /** What there is to say about a store without figures. */
    static String of(StoreHealth store) {
        return object(json -> StoreJson.write(store, json));
    }

    static String of(StoreHealth store, StoreFigures figures) {
        return object(json -> {
            StoreJson.write(store, json);
            StoreJson.write(figures, json);
        });
    }

    static String error(String message) {
        return object(json -> json.writeStringField("error", message));
    }

    private static String object(Members members) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            members.writeTo(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return text.toString();
    }

    @FunctionalInterface
    private interface Members {
        void writeTo(JsonGenerator json) throws IOException;
    }
}
