package dev.avocet.admin.configuration;

import com.fasterxml.jackson.core.JacksonException;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.admin.schema.Values;
import dev.avocet.names.NearestName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What files say should be: several documents count as one. */
final class ConfigurationDocument {
    private static final String STANDARD_INPUT = "-";

    private final Schema schema;
    private final Map<TypeSchema, Map<String, Map<String, @Nullable Object>>> objects = new LinkedHashMap<>();

    private ConfigurationDocument(Schema schema) {
        this.schema = schema;
    }

    static ConfigurationDocument read(Schema schema, List<String> files) throws AdminException {
        ConfigurationDocument document = new ConfigurationDocument(schema);
        for (String file : files) {
            document.add(file);
        }
        return document;
    }

    /** The types that are named, whether or not there are objects of them. */
    boolean names(TypeSchema type) {
        return objects.containsKey(type);
    }

    /** The objects of a type by name; of what there is one of, by the empty name. */
    Map<String, Map<String, @Nullable Object>> objects(TypeSchema type) {
        return objects.getOrDefault(type, Map.of());
    }

    private void add(String file) throws AdminException {
        try {
            boolean isInput = file.equals(STANDARD_INPUT);
            String text = isInput
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
            for (Object part : Documents.all(text, !file.endsWith(".json"))) {
                if (part != null && !isNothing(part)) {
                    addDocument(file, part);
                }
            }
        } catch (JacksonException e) {
            throw new AdminException(ExitCode.USAGE, file + where(e) + ": " + firstLine(e.getOriginalMessage()));
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(Path.of(file), e));
        }
    }

    private void addDocument(String file, Object part) throws AdminException {
        if (!(part instanceof Map<?, ?> members)) {
            throw wrong(file, "a document must be an object whose members are types, such as Queue");
        }
        for (Map.Entry<?, ?> member : members.entrySet()) {
            addMember(file, String.valueOf(member.getKey()), member.getValue());
        }
    }

    private void addMember(String file, String name, @Nullable Object value) throws AdminException {
        TypeSchema values = schema.values();
        if (values.property(name).isPresent()) {
            add(file, values, "", singleValue(name, value));
            return;
        }
        TypeSchema type = schema.type(name)
                .filter(it -> it.shape() != Shape.VALUES)
                .orElseThrow(() -> wrong(file, "there is no type '" + name + "'" + NearestName.advice(name, names())));
        Map<String, @Nullable Object> content = map(file, name, value);
        objects.computeIfAbsent(type, absent -> new LinkedHashMap<>());
        if (type.shape() == Shape.SINGLE) {
            add(file, type, "", content);
            return;
        }
        for (Map.Entry<String, @Nullable Object> object : content.entrySet()) {
            add(file, type, object.getKey(), map(file, type.called(object.getKey()), object.getValue()));
        }
    }

    private static Map<String, @Nullable Object> singleValue(String name, @Nullable Object value) {
        Map<String, @Nullable Object> single = new LinkedHashMap<>();
        single.put(name, value);
        return single;
    }

    private void add(String file, TypeSchema type, String name, Map<String, @Nullable Object> properties)
            throws AdminException {
        Map<String, Map<String, @Nullable Object>> ofType =
                objects.computeIfAbsent(type, absent -> new LinkedHashMap<>());
        Map<String, @Nullable Object> known = ofType.computeIfAbsent(name, absent -> new LinkedHashMap<>());
        for (Map.Entry<String, @Nullable Object> property : properties.entrySet()) {
            if (known.containsKey(property.getKey())) {
                throw wrong(file, type.called(name) + ": " + property.getKey() + " is there twice; take one away");
            }
            known.put(property.getKey(), property.getValue());
        }
    }

    private static Map<String, @Nullable Object> map(String file, String name, @Nullable Object value)
            throws AdminException {
        if (isNothing(value)) {
            return new LinkedHashMap<>();
        }
        if (value instanceof Map<?, ?> map) {
            return ConfigurationView.copyOf(map);
        }
        throw wrong(file, name + " must be an object, not '" + Values.text(value) + "'");
    }

    /** YAML has an empty text where nothing is written. */
    private static boolean isNothing(@Nullable Object value) {
        return value == null || value.equals("");
    }

    private List<String> names() {
        return schema.types().stream().map(TypeSchema::name).toList();
    }

    private static AdminException wrong(String file, String message) {
        return new AdminException(ExitCode.USAGE, file + ": " + message);
    }

    private static String where(JacksonException e) {
        return e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "it cannot be read" : text.lines().findFirst().orElse("it cannot be read");
    }
}
