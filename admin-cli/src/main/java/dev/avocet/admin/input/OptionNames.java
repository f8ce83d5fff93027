package dev.avocet.admin.input;

import dev.avocet.admin.schema.KebabCase;
import dev.avocet.admin.schema.Kind;
import dev.avocet.admin.schema.PropertySchema;
import java.util.ArrayList;
import java.util.List;

/** What the options for a property are called. */
public final class OptionNames {
    private OptionNames() {}

    /** Its own name first, then those that are taken too. A password comes from a file. */
    public static List<String> of(PropertySchema property) {
        String end = property.kind() == Kind.SECRET ? "-file" : "";
        List<String> names = new ArrayList<>();
        names.add(ownName(property.name(), end));
        property.aliases().forEach(alias -> names.add("--" + KebabCase.of(alias) + end));
        if (property.name().equals("MessageHub")) {
            names.add("--hub");
        }
        return names;
    }

    /** {@code --url} and {@code --password-file} say where the broker is, and who asks. */
    private static String ownName(String property, String end) {
        return switch (property) {
            case "URL" -> "--directory-url";
            case "Password" -> "--keys-password-file";
            default -> "--" + KebabCase.of(property) + end;
        };
    }
}
