package dev.avocet.server.system;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The members of the JSON object that is a message's payload. */
@FunctionalInterface
interface JsonBody {
    JsonFactory FACTORY = new JsonFactory();

    /** Writes members into the present object. */
    void writeTo(JsonGenerator json) throws IOException;

    /**
     * The payload, which tells first of all when it was written.
     *
     * @param wallTimeMs milliseconds since 1970
     */
    default byte[] payload(long wallTimeMs) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeNumberField("timeMs", wallTimeMs);
            writeTo(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }
}
