package dev.avocet.admin.imaserver;

import dev.avocet.admin.input.Assignment;
import dev.avocet.admin.input.NameList;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.names.NearestName;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The {@code Property=value} words of a command of MessageSight 1 about what is no configuration object. */
final class OldWords {
    private final String key;
    private final Map<String, String> values;

    private OldWords(String key, Map<String, String> values) {
        this.key = key;
        this.values = values;
    }

    /** @param key the property that is the name */
    static OldWords of(List<String> words, String key, List<String> others) throws AdminException {
        List<String> known = Stream.concat(Stream.of(key), others.stream()).toList();
        Map<String, String> values = new LinkedHashMap<>();
        for (String word : words) {
            Assignment assignment = Assignment.parse(word);
            if (!known.contains(assignment.name())) {
                throw new AdminException(
                        ExitCode.USAGE,
                        "'" + assignment.name() + "' is not known here" + NearestName.advice(assignment.name(), known));
            }
            values.put(assignment.name(), assignment.value());
        }
        return new OldWords(key, values);
    }

    static AdminException unknownVerb(String verb) {
        return new AdminException(
                ExitCode.USAGE,
                "'" + verb + "' is not one of add, edit, delete, list"
                        + NearestName.advice(verb, List.of("add", "edit", "delete", "list")));
    }

    String name() throws AdminException {
        String name = values.getOrDefault(key, "");
        if (name.isEmpty()) {
            throw new AdminException(ExitCode.USAGE, "say which one you mean, with \"" + key + "=…\"");
        }
        return name;
    }

    boolean has(String property) {
        return values.containsKey(property);
    }

    String text(String property, String otherwise) {
        return values.getOrDefault(property, otherwise);
    }

    /** Names with commas between; null where the property is not named. */
    @Nullable List<String> names(String property) {
        String text = values.get(property);
        return text == null ? null : NameList.of(text);
    }

    /** One name a line, of those that fit; an asterisk stands for any characters. */
    void print(Map<String, Map<String, @Nullable Object>> all, PrintWriter out) {
        String expression = Stream.of(
                        Objects.requireNonNullElse(values.get(key), "*").split("\\*", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*"));
        all.keySet().stream()
                .filter(Pattern.compile(expression).asMatchPredicate())
                .forEach(out::println);
    }
}
