package dev.avocet.server.rest.config;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationDifference;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Trait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is different between two configurations, for people: as plain JSON, with a mask in the place of each password.
 */
public final class ShownDifference {
    private ShownDifference() {}

    /** An element for each object that is new, different or gone. */
    public static List<Map<String, Object>> between(Configuration before, Configuration after) {
        List<Map<String, Object>> elements = new ArrayList<>();
        ConfigurationDifference difference = ConfigurationDifference.between(before, after);
        difference
                .puts()
                .forEach(put -> elements.add(
                        element(put.before() == null ? "created" : "changed", put.key(), put.before(), put.after())));
        difference.deletes().forEach(gone -> elements.add(element("deleted", gone.key(), gone.before(), null)));
        return elements;
    }

    private static Map<String, Object> element(
            String change, ObjectKey key, @Nullable ConfigurationObject before, @Nullable ConfigurationObject after) {
        Map<String, Object> element = new LinkedHashMap<>();
        element.put("Change", change);
        element.put("Type", key.type().name());
        element.put("Name", key.name());
        element.put(
                "Properties",
                key.type().properties().stream()
                        .filter(property -> isDifferent(property, before, after))
                        .map(property -> property(property, before, after))
                        .toList());
        return element;
    }

    /** Of what is new or gone, what does not have its default. */
    private static boolean isDifferent(
            Property property, @Nullable ConfigurationObject before, @Nullable ConfigurationObject after) {
        if (before != null && after != null) {
            return !property.valueIn(before).equals(property.valueIn(after));
        }
        ConfigurationObject only = before == null ? after : before;
        return only != null
                && !property.is(Trait.KEY)
                && (property.is(Trait.REQUIRED) || !property.defaultValue().equals(property.valueIn(only)));
    }

    private static Map<String, @Nullable Object> property(
            Property property, @Nullable ConfigurationObject before, @Nullable ConfigurationObject after) {
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        shown.put("Property", property.name());
        shown.put("Before", before == null ? null : property.type().plain(property.valueIn(before)));
        shown.put("After", after == null ? null : property.type().plain(property.valueIn(after)));
        return shown;
    }
}
