package dev.avocet.admin.configuration;

import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.connection.ObjectChange;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.TypeSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must be done so that a broker has what a document says.
 *
 * @param changes objects that are created and updated, each after those that it refers to
 * @param deletions objects that the document does not name, each before those that it refers to
 */
record ApplyPlan(List<ObjectChange> changes, List<ObjectChange> deletions) {
    static ApplyPlan of(Schema schema, ConfigurationView now, ConfigurationDocument wanted, boolean prunes) {
        List<ObjectChange> changes = new ArrayList<>();
        List<ObjectChange> deletions = new ArrayList<>();
        for (TypeSchema type : schema.types()) {
            ConfigurationView there = there(type, now);
            wanted.objects(type).forEach((name, properties) -> {
                ObjectChange change = change(type, name, there, properties);
                if (!change.isNothing()) {
                    changes.add(change);
                }
            });
            if (prunes && type.shape() == Shape.NAMED && wanted.names(type)) {
                there.members().keySet().stream()
                        .filter(name -> !wanted.objects(type).containsKey(name))
                        .forEach(name -> deletions.add(ObjectChange.delete(type, name)));
            }
        }
        Collections.reverse(deletions);
        return new ApplyPlan(changes, deletions);
    }

    private static ConfigurationView there(TypeSchema type, ConfigurationView now) {
        return type.shape() == Shape.VALUES ? now : new ConfigurationView(now.object(type.name()), now.version());
    }

    private static ObjectChange change(
            TypeSchema type, String name, ConfigurationView there, Map<String, @Nullable Object> properties) {
        if (type.shape() != Shape.NAMED) {
            return ObjectChange.update(type, name, there.members(), properties);
        }
        return there.has(name)
                ? ObjectChange.update(type, name, there.object(name), properties)
                : ObjectChange.create(type, name, properties);
    }

    boolean isNothing() {
        return changes.isEmpty() && deletions.isEmpty();
    }

    /** All changes as one, which the broker makes altogether or not at all. */
    Map<String, @Nullable Object> body() {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        for (ObjectChange change : changes) {
            TypeSchema type = change.type();
            switch (type.shape()) {
                case VALUES -> body.putAll(change.changed());
                case SINGLE -> body.put(type.name(), change.changed());
                case NAMED -> {
                    Map<String, @Nullable Object> objects = ConfigurationView.copyOf(
                            body.get(type.name()) instanceof Map<?, ?> begun ? begun : Map.of());
                    objects.put(change.name(), change.changed());
                    body.put(type.name(), objects);
                }
            }
        }
        return body;
    }
}
