package dev.avocet.amqp.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.amqp.frame.TypeCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The body of a message to a client that does not speak AMQP: the text of a TextMessage, the bytes of a BytesMessage or
 * an ObjectMessage, a MapMessage as a JSON object and a StreamMessage as a JSON array.
 */
final class Body {
    private static final byte[] EMPTY = {};
    private static final JsonFactory JSON = new JsonFactory();

    private Body() {}

    /** True when {@link #payload} is text. */
    static boolean isText(byte[] body) {
        int type = type(body);
        if (type == SectionType.VALUE) {
            int value = valueAt(body);
            return !Values.isBinary(body, value) && Values.code(body, value) != TypeCode.NULL;
        }
        return type == SectionType.SEQUENCE;
    }

    /** @param body body sections and footer, scanned before */
    static byte[] payload(byte[] body) {
        return switch (type(body)) {
            case SectionType.DATA -> data(body);
            case SectionType.SEQUENCE -> json(body, valueAt(body));
            case SectionType.VALUE -> value(body, valueAt(body));
            default -> EMPTY;
        };
    }

    private static int type(byte[] body) {
        return body.length == 0 ? 0 : Sections.typeAt(body, 0);
    }

    private static int valueAt(byte[] body) {
        return Values.end(body, 1);
    }

    /** Usually there is one section of data; several are one behind the other. */
    private static byte[] data(byte[] body) {
        byte[] all = EMPTY;
        int at = 0;
        while (at < body.length && Sections.typeAt(body, at) == SectionType.DATA) {
            int value = Values.end(body, at + 1);
            if (Values.isBinary(body, value)) {
                int from = Values.contentFrom(body, value);
                int length = Values.end(body, value) - from;
                int before = all.length;
                all = Arrays.copyOf(all, before + length);
                System.arraycopy(body, from, all, before, length);
            }
            at = Values.end(body, at);
        }
        return all;
    }

    private static byte[] value(byte[] body, int at) {
        int code = Values.code(body, at);
        if (code == TypeCode.NULL) {
            return EMPTY;
        }
        if (Values.isText(body, at) || Values.isBinary(body, at)) {
            return Arrays.copyOfRange(body, Values.contentFrom(body, at), Values.end(body, at));
        }
        return json(body, at);
    }

    private static byte[] json(byte[] body, int at) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator generator = JSON.createGenerator(bytes)) {
            write(body, at, generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail so
        }
        return bytes.toByteArray();
    }

    private static void write(byte[] body, int at, JsonGenerator json) throws IOException {
        switch (Values.code(body, at)) {
            case TypeCode.MAP_8, TypeCode.MAP_32 -> writeMap(body, at, json);
            case TypeCode.LIST_8, TypeCode.LIST_32, TypeCode.LIST_0 -> writeList(body, at, json);
            default -> writeSingle(Values.value(body, at), json);
        }
    }

    private static void writeMap(byte[] body, int at, JsonGenerator json) throws IOException {
        json.writeStartObject();
        int count = Values.count(body, at);
        int key = count == 0 ? at : Values.firstElement(body, at);
        for (int i = 0; i + 1 < count; i += 2) {
            int value = Values.end(body, key);
            json.writeFieldName(String.valueOf(Values.value(body, key)));
            write(body, value, json);
            key = Values.end(body, value);
        }
        json.writeEndObject();
    }

    private static void writeList(byte[] body, int at, JsonGenerator json) throws IOException {
        json.writeStartArray();
        int count = Values.count(body, at);
        int element = count == 0 ? at : Values.firstElement(body, at);
        for (int i = 0; i < count; i++) {
            write(body, element, json);
            element = Values.end(body, element);
        }
        json.writeEndArray();
    }

    private static void writeSingle(@Nullable Object value, JsonGenerator json) throws IOException {
        if (value instanceof byte[] binary) {
            json.writeBinary(binary);
        } else if (value instanceof String text) {
            json.writeString(text);
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Float number) {
            json.writeNumber(number);
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else {
            json.writeNull();
        }
    }
}
