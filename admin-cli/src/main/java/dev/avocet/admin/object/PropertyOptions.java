package dev.avocet.admin.object;

import dev.avocet.admin.input.Assignment;
import dev.avocet.admin.input.OptionNames;
import dev.avocet.admin.input.PasswordFile;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.print.HelpText;
import dev.avocet.admin.schema.Kind;
import dev.avocet.admin.schema.PropertySchema;
import dev.avocet.admin.schema.Trait;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.admin.schema.Values;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** An option for each property of a type that can be given, and {@code --set} for all. */
final class PropertyOptions {
    private final TypeSchema type;
    private final List<Bound> options;
    private final OptionSpec set;

    private record Bound(PropertySchema property, OptionSpec option) {}

    /** @param isNew whether the object is created, and so may have what cannot be changed later */
    PropertyOptions(TypeSchema type, boolean isNew) {
        this.type = type;
        this.options = type.properties().stream()
                .filter(property -> !property.is(Trait.KEY) && !property.is(Trait.READ_ONLY))
                .filter(property -> isNew || !property.is(Trait.FIXED))
                .map(property -> new Bound(property, option(property)))
                .toList();
        this.set = OptionSpec.builder("--set")
                .paramLabel("NAME=VALUE")
                .arity("1")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description(
                        "sets a property by its name in JSON; may be repeated, and an empty value gives it its default")
                .build();
    }

    void addTo(CommandSpec command) {
        options.forEach(bound -> command.addOption(bound.option()));
        command.addOption(set);
    }

    /** What was given, by the names of the properties. */
    Map<String, Object> given() throws AdminException {
        Map<String, Object> given = new LinkedHashMap<>();
        for (Bound bound : options) {
            Object value = bound.option().getValue();
            if (value != null) {
                given.put(bound.property().name(), plain(bound.property(), value));
            }
        }
        List<String> assignments = set.getValue();
        for (String text : assignments == null ? List.<String>of() : assignments) {
            Assignment assignment = Assignment.parse(text);
            given.put(assignment.name(), assignment.plain(type));
        }
        return given;
    }

    private static Object plain(PropertySchema property, Object value) throws AdminException {
        if (property.kind() == Kind.SECRET) {
            return PasswordFile.read(Path.of(value.toString()));
        }
        return value instanceof List<?> several
                ? String.join(",", several.stream().map(Object::toString).toList())
                : Values.ofText(property, value.toString());
    }

    private static OptionSpec option(PropertySchema property) {
        OptionSpec.Builder option = OptionSpec.builder(OptionNames.of(property).toArray(String[]::new))
                .paramLabel(label(property))
                .arity("1")
                .description(description(property));
        if (property.kind() == Kind.BOOLEAN) {
            // The next word is its value only when it is true or false, so a name may follow.
            option.type(Boolean.class).arity("0..1").fallbackValue("true");
        } else if (property.kind().isList()) {
            option.type(List.class).auxiliaryTypes(String.class);
        } else {
            option.type(String.class);
        }
        List<String> candidates = property.kind() == Kind.BOOLEAN ? List.of("true", "false") : property.words();
        return candidates.isEmpty()
                ? option.build()
                : option.completionCandidates(candidates).build();
    }

    /**
     * Names the words of a choice: the completion script of picocli mixes up options that have other words under the
     * same label.
     */
    private static String label(PropertySchema property) {
        return switch (property.kind()) {
            case BOOLEAN -> "true|false";
            case CHOICE -> String.join("|", property.words());
            case CHOICES -> String.join(",", property.words());
            case NUMBER -> "NUMBER";
            case REFERENCE -> "NAME";
            case REFERENCES -> "NAME,…";
            case SECRET -> "FILE";
            case SIZE -> "SIZE";
            case TEXT -> "TEXT";
        };
    }

    private static String description(PropertySchema property) {
        List<String> sentences = new ArrayList<>();
        sentences.add(property.documentation());
        sentences.add(capital(property.values()) + ".");
        if (property.is(Trait.REQUIRED)) {
            sentences.add("Required.");
        } else if (!property.defaultText().isEmpty()) {
            sentences.add("Default: " + property.defaultText() + ".");
        }
        if (property.is(Trait.NEEDS_RESTART)) {
            sentences.add("A change acts at the next start.");
        }
        return HelpText.of(String.join(" ", sentences));
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
