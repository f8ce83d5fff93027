package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What must be done to get from one configuration to another, in an order in which it can be done: objects are put after those that
 * they refer to and deleted before them.
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
    public record Put(ObjectKey key, @Nullable ConfigurationObject before, ConfigurationObject after) {}

    /**
     * An object that is gone.
     *
     * @param key which one
     * @param before as it was
     */
    public record Deleted(ObjectKey key, ConfigurationObject before) {}

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
}
