package dev.avocet.core.config.schema;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A type of configuration objects and everything that is known about its properties. Immutable; two are equal only if
 * the same.
 */
public final class ObjectType {
    private final Class<? extends ConfigurationObject> recordClass;
    private final Shape shape;
    private final String documentation;
    private final List<Property> properties;

    private ObjectType(Class<? extends ConfigurationObject> recordClass, Shape shape) {
        this.recordClass = recordClass;
        this.shape = shape;
        this.documentation = recordClass.getAnnotation(Doc.class).value();
        this.properties = Arrays.stream(recordClass.getRecordComponents())
                .map(PropertyReader::read)
                .toList();
    }

    /** The type of the objects of a record class. */
    public static ObjectType of(Class<? extends ConfigurationObject> recordClass, Shape shape) {
        return new ObjectType(recordClass, shape);
    }

    /** As it is called in JSON and on the command line. */
    public String name() {
        return recordClass.getSimpleName();
    }

    /** The class of its objects. */
    public Class<? extends ConfigurationObject> recordClass() {
        return recordClass;
    }

    /** How its objects appear in JSON. */
    public Shape shape() {
        return shape;
    }

    /** What its objects are for, in one or two sentences. */
    public String documentation() {
        return documentation;
    }

    /** The properties, in the order of the record. */
    public List<Property> properties() {
        return properties;
    }

    /** The property that has the name, or the alias. */
    public Optional<Property> property(String name) {
        return properties.stream().filter(property -> property.isCalled(name)).findFirst();
    }

    /** The property that its objects are known by; none where there is only one object. */
    public Optional<Property> key() {
        return properties.stream().filter(property -> property.is(Trait.KEY)).findFirst();
    }

    /** Those of which an object needs at least one; empty where there is no such rule. */
    public List<Property> filters() {
        return properties.stream().filter(property -> property.is(Trait.FILTER)).toList();
    }

    /** The object with that name. */
    public ObjectKey keyOf(String name) {
        return new ObjectKey(this, name);
    }

    /** An object from one valid value for each property, by name. */
    public ConfigurationObject create(Map<String, Object> values) {
        Class<?>[] types = Arrays.stream(recordClass.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return recordClass
                    .getDeclaredConstructor(types)
                    .newInstance(properties.stream()
                            .map(property -> values.get(property.name()))
                            .toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + name(), e);
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
