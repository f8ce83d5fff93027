package dev.avocet.admin.imaserver;

import dev.avocet.admin.input.Assignment;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.PropertySchema;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.TypeSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code Property=value} words say.
 *
 * @param name of the object
 * @param rest the other properties
 */
record Named(String name, Map<String, Assignment> rest) {
    private static final String NAME = "Name";

    static Named of(String typeName, Schema schema, List<String> words) throws AdminException {
        Map<String, Assignment> rest = parse(words);
        String key = schema.type(typeName)
                .flatMap(TypeSchema::key)
                .map(PropertySchema::name)
                .orElse(NAME);
        Assignment name = rest.remove(rest.containsKey(key) ? key : NAME);
        if (name == null || name.value().isEmpty()) {
            throw new AdminException(ExitCode.USAGE, "say which " + typeName + " you mean, with \"" + key + "=…\"");
        }
        return new Named(name.value(), rest);
    }

    static Named unnamed(List<String> words) throws AdminException {
        return new Named("", parse(words));
    }

    private static Map<String, Assignment> parse(List<String> words) throws AdminException {
        Map<String, Assignment> assignments = new LinkedHashMap<>();
        for (String word : words) {
            Assignment assignment = Assignment.parse(word);
            assignments.put(assignment.name(), assignment);
        }
        return assignments;
    }
}
