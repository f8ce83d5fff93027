package dev.avocet.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/** Writes the few JSON answers of the admin end point. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    static String of(Health health) {
        return object(json -> HealthJson.write(health, json));
    }

    static String state(String status, List<String> problems) {
        return object(json -> {
            json.writeStringField("status", status);
            json.writeArrayFieldStart("problems");
            for (String problem : problems) {
                json.writeString(problem);
            }
            json.writeEndArray();
        });
    }

    /** In the envelope of the administration: {@code Version}, {@code Code}, {@code Message}. */
    static String error(int httpStatus, String message) {
        return object(json -> {
            json.writeStringField("Version", "v1");
            json.writeStringField("Code", String.format(Locale.ROOT, "AVCT%04d", httpStatus));
            json.writeStringField("Message", message);
        });
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
