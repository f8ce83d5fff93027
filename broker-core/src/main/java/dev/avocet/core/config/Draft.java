package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Shape;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A configuration while it is changed. Used by one thread. */
final class Draft {
    private final Map<ObjectType, SortedMap<String, ConfigurationObject>> objects = new LinkedHashMap<>();
    private final Set<ObjectType> copied = new LinkedHashSet<>();
    private final Set<ObjectKey> pendingDeletes;
    private final Map<ObjectType, SortedMap<String, ConfigurationObject>> base;

    Draft(Map<ObjectType, SortedMap<String, ConfigurationObject>> base, Set<ObjectKey> pendingDeletes) {
        this.pendingDeletes = new LinkedHashSet<>(pendingDeletes);
        this.base = base;
        for (ObjectType type : ObjectTypes.all()) {
            SortedMap<String, ConfigurationObject> byName = base.get(type);
            objects.put(type, byName == null ? initial(type) : byName);
        }
    }

    private static SortedMap<String, ConfigurationObject> initial(ObjectType type) {
        SortedMap<String, ConfigurationObject> initial = new TreeMap<>();
        if (type.shape() != Shape.NAMED) {
            Map<String, Object> values = new HashMap<>();
            for (Property property : type.properties()) {
                values.put(property.name(), property.defaultValue());
            }
            initial.put("", type.create(values));
        }
        return Collections.unmodifiableSortedMap(initial);
    }

    @Nullable ConfigurationObject find(ObjectKey key) {
        return all(key.type()).get(key.name());
    }

    SortedMap<String, ConfigurationObject> all(ObjectType type) {
        return objects.getOrDefault(type, Collections.emptySortedMap());
    }

    /** Whether an object is another than it was, or was not there. */
    boolean isChanged(ObjectKey key) {
        SortedMap<String, ConfigurationObject> before = base.get(key.type());
        return before == null || !Objects.equals(before.get(key.name()), find(key));
    }

    void put(ObjectKey key, ConfigurationObject object) {
        own(key.type()).put(key.name(), object);
    }

    void remove(ObjectKey key) {
        own(key.type()).remove(key.name());
        pendingDeletes.remove(key);
    }

    boolean isPendingDelete(ObjectKey key) {
        return pendingDeletes.contains(key);
    }

    void deleteLater(ObjectKey key) {
        pendingDeletes.add(key);
    }

    Configuration freeze(long version) {
        objects.replaceAll(
                (type, byName) -> copied.contains(type) ? Collections.unmodifiableSortedMap(byName) : byName);
        return new Configuration(version, objects, pendingDeletes);
    }

    private SortedMap<String, ConfigurationObject> own(ObjectType type) {
        if (copied.add(type)) {
            objects.put(type, new TreeMap<>(all(type)));
        }
        return objects.getOrDefault(type, Collections.emptySortedMap());
    }
}
