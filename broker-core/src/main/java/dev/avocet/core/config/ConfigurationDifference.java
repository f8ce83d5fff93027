package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Trait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What must be done to get from one configuration to another, in an order in which it can be done: objects are put
 * after those that they refer to and deleted before them. What there is one of is among the puts when it differs, so
 * not after {@link Configuration#EMPTY} while it has its defaults.
 *
 * @param puts new and changed objects
 * @param deletes objects that are gone
 */
public record ConfigurationDifference(List<Put> puts, List<Deleted> deletes) {
    /** Copies the lists. */
    public ConfigurationDifference {
        puts = List.copyOf(puts);
        deletes = List.copyOf(deletes);
    }

    /**
     * A new or changed object.
     *
     * @param key which one
     * @param before as it was; null when it is new
     * @param after as it is now
     */
    public record Put(ObjectKey key, @Nullable ConfigurationObject before, ConfigurationObject after) {
        /** Whether something is different that cannot be changed, so that it is not the same object. */
        boolean isAnother() {
            ConfigurationObject old = before;
            return old != null
                    && key.type().properties().stream()
                            .filter(property -> property.is(Trait.FIXED))
                            .anyMatch(property -> !property.valueIn(old).equals(property.valueIn(after)));
        }

        Map<String, @Nullable Object> values() {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            for (Property property : key.type().properties()) {
                if (!property.type().isSecret() && !property.is(Trait.READ_ONLY)) {
                    values.put(property.name(), property.type().plain(property.valueIn(after)));
                }
            }
            return values;
        }

        Map<String, @Nullable Object> valuesWithSecrets() {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            for (Property property : key.type().properties()) {
                if (!property.is(Trait.READ_ONLY)) {
                    Object value = property.valueIn(after);
                    values.put(
                            property.name(),
                            property.type().isSecret() ? value : property.type().plain(value));
                }
            }
            return values;
        }
    }

    /**
     * An object that is gone.
     *
     * @param key which one
     * @param before as it was
     */
    public record Deleted(ObjectKey key, ConfigurationObject before) {}

    /**
     * The changes that bring everything new and different in {@code target}, passwords too, and leave the rest. What
     * the broker itself says stays as it is.
     */
    public List<ConfigurationChange> additions(Configuration target) {
        List<ConfigurationChange> changes = new ArrayList<>();
        for (Put put : puts) {
            if (!target.pendingDeletes().contains(put.key())) {
                changes.add(new ConfigurationChange.Put(put.key(), put.valuesWithSecrets(), true));
            }
        }
        return changes;
    }

    /** What is different in {@code after}. */
    public static ConfigurationDifference between(Configuration before, Configuration after) {
        List<Put> puts = new ArrayList<>();
        List<Deleted> deletes = new ArrayList<>();
        for (ObjectType type : ObjectTypes.all()) {
            SortedMap<String, ConfigurationObject> old = before.all(type);
            SortedMap<String, ConfigurationObject> now = after.all(type);
            if (!old.equals(now)) {
                now.forEach((name, object) -> {
                    if (!object.equals(old.get(name))) {
                        puts.add(new Put(type.keyOf(name), old.get(name), object));
                    }
                });
                old.forEach((name, object) -> {
                    if (!now.containsKey(name)) {
                        deletes.add(0, new Deleted(type.keyOf(name), object));
                    }
                });
            }
        }
        return new ConfigurationDifference(puts, deletes);
    }

    /** Whether nothing is different. */
    public boolean isEmpty() {
        return puts.isEmpty() && deletes.isEmpty();
    }

    /**
     * The changes that an administrator would make to the same end. Passwords stay as they are, and so do what the
     * broker itself says and what is about to be deleted in {@code target}.
     */
    public List<ConfigurationChange> changes(Configuration target) {
        List<ConfigurationChange> changes = new ArrayList<>();
        deletes.forEach(deleted -> changes.add(ConfigurationChange.delete(deleted.key())));
        for (Put put : puts) {
            if (!target.pendingDeletes().contains(put.key())) {
                if (put.isAnother()) {
                    changes.add(ConfigurationChange.delete(put.key()));
                }
                changes.add(new ConfigurationChange.Put(put.key(), put.values(), true));
            }
        }
        return changes;
    }
}
