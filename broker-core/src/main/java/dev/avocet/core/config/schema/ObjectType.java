package dev.avocet.core.config.schema;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
                .flatMap(PropertyReader::read)
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

    /** The properties, in the order of the record; those of an embedded record stand in its place. */
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
        return create(recordClass, values);
    }

    private <R> R create(Class<R> ofRecord, Map<String, Object> values) {
        RecordComponent[] components = ofRecord.getRecordComponents();
        try {
            return ofRecord.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(Arrays.stream(components)
                            .map(component -> valueOf(component, values))
                            .toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + name(), e);
        }
    }

    private @Nullable Object valueOf(RecordComponent component, Map<String, Object> values) {
        return component.isAnnotationPresent(Embedded.class)
                ? create(component.getType(), values)
                : values.get(PropertyReader.nameOf(component));
    }

    @Override
    public String toString() {
        return name();
    }
}
