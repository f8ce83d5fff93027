package dev.avocet.server.objects;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.core.config.value.ChoiceValue;
import dev.avocet.core.config.value.ChoicesValue;
import dev.avocet.core.config.value.ValueType;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Writes what broker-admin knows of the configuration objects, because it sees no module of the broker. */
final class AdminSchema {
    private AdminSchema() {}

    static String render() throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartArray();
            for (ObjectType type : ObjectTypes.all()) {
                write(type, json);
            }
            json.writeEndArray();
        }
        return text + "\n";
    }

    private static void write(ObjectType type, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", type.name());
        json.writeStringField("shape", type.shape().name());
        json.writeStringField("documentation", type.documentation());
        json.writeArrayFieldStart("properties");
        for (Property property : type.properties()) {
            write(property, json);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(Property property, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", property.name());
        writeUnlessEmpty("aliases", String.join(",", property.aliases()), json);
        json.writeStringField("kind", kind(property.type()));
        json.writeStringField("values", property.type().describe());
        writeUnlessEmpty("words", String.join(",", words(property.type())), json);
        writeUnlessEmpty("default", property.is(Trait.REQUIRED) ? "" : defaultText(property), json);
        List<String> traits =
                property.traits().stream().sorted().map(Trait::name).toList();
        writeUnlessEmpty("traits", String.join(",", traits), json);
        json.writeStringField("documentation", property.documentation());
        json.writeEndObject();
    }

    private static void writeUnlessEmpty(String name, String value, JsonGenerator json) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, value);
        }
    }

    /** The name of the class without its end: {@code NUMBER} for a {@code NumberValue}. */
    private static String kind(ValueType type) {
        if (type.isSecret()) {
            return "SECRET";
        }
        return type.getClass().getSimpleName().replaceAll("Value$", "").toUpperCase(Locale.ROOT);
    }

    private static List<String> words(ValueType type) {
        if (type instanceof ChoiceValue choice) {
            return choice.words();
        }
        return type instanceof ChoicesValue choices ? choices.words() : List.of();
    }

    private static String defaultText(Property property) {
        Object value = property.defaultValue();
        boolean none = value.equals("") || value instanceof Collection<?> several && several.isEmpty();
        return none ? "" : String.valueOf(property.type().plain(value));
    }
}
