package dev.avocet.core.config;

import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.core.config.value.InvalidValueException;
import dev.avocet.core.config.value.OutgoingSecret;
import dev.avocet.core.config.value.Secret;
import dev.avocet.names.NearestName;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes one object from given properties and, when there is one, the object as it was. Every problem is reported; with
 * any, there is no object.
 */
final class ObjectMerge {
    private final ObjectKey key;
    private final @Nullable ConfigurationObject before;
    private final boolean byBroker;
    private final UnaryOperator<String> passwordHash;
    private final ObjectProblems problems;

    ObjectMerge(
            ObjectKey key,
            @Nullable ConfigurationObject before,
            boolean byBroker,
            UnaryOperator<String> passwordHash,
            ObjectProblems problems) {
        this.key = key;
        this.before = before;
        this.byBroker = byBroker;
        this.passwordHash = passwordHash;
        this.problems = problems;
    }

    @Nullable ConfigurationObject merge(Map<String, @Nullable Object> given) {
        Map<Property, @Nullable Object> byProperty = known(given);
        Map<String, Object> values = new HashMap<>();
        for (Property property : key.type().properties()) {
            Object value = valueOf(property, byProperty);
            if (value != null) {
                values.put(property.name(), value);
            }
        }
        if (problems.isEmpty()) {
            checkFilters(values);
        }
        if (!problems.isEmpty()) {
            return null;
        }
        ConfigurationObject object = key.type().create(values);
        object.check(problems);
        return problems.isEmpty() ? object : null;
    }

    private Map<Property, @Nullable Object> known(Map<String, @Nullable Object> given) {
        Map<Property, @Nullable Object> known = new LinkedHashMap<>();
        ObjectType type = key.type();
        given.forEach((name, value) -> type.property(name)
                .ifPresentOrElse(
                        property -> {
                            if (known.containsKey(property)) {
                                problems.add(name, "is given twice, under two names; leave one away");
                            }
                            known.put(property, value);
                        },
                        () -> problems.add(
                                name,
                                "is not a property of " + type
                                        + NearestName.advice(
                                                name,
                                                type.properties().stream()
                                                        .map(Property::name)
                                                        .toList()))));
        return known;
    }

    private @Nullable Object valueOf(Property property, Map<Property, @Nullable Object> given) {
        Object old = before == null ? null : property.valueIn(before);
        try {
            if (property.is(Trait.KEY)) {
                return keyValue(property, given);
            }
            if (!given.containsKey(property)) {
                return old == null ? property.read(null) : old;
            }
            Object value = read(property, given.get(property), old);
            refuseForbiddenChange(property, value, old);
            return value;
        } catch (InvalidValueException e) {
            problems.add(property.name(), String.valueOf(e.getMessage()));
            return null;
        }
    }

    private Object keyValue(Property property, Map<Property, @Nullable Object> given) throws InvalidValueException {
        if (given.containsKey(property) && !key.name().equals(given.get(property))) {
            throw new InvalidValueException(
                    "must be '" + key.name() + "' as the object is called, which cannot be changed");
        }
        return before == null ? property.read(key.name()) : key.name();
    }

    private Object read(Property property, @Nullable Object given, @Nullable Object old) throws InvalidValueException {
        if (given instanceof Secret || given instanceof OutgoingSecret) {
            return given;
        }
        if (old != null && property.type().isSecret() && Secret.MASK.equals(given)) {
            return old;
        }
        Object value = plainValue(property, given);
        return value instanceof Secret secret ? hashed(secret) : value;
    }

    private Object plainValue(Property property, @Nullable Object given) throws InvalidValueException {
        try {
            return property.read(given);
        } catch (InvalidValueException e) {
            throw property.is(Trait.READ_ONLY) && !byBroker ? new InvalidValueException(property.whyReadOnly()) : e;
        }
    }

    private Secret hashed(Secret secret) throws InvalidValueException {
        try {
            return secret.hashed(passwordHash);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("cannot be used as a password: " + e.getMessage());
        }
    }

    private void refuseForbiddenChange(Property property, Object value, @Nullable Object old)
            throws InvalidValueException {
        if (property.is(Trait.READ_ONLY) && !byBroker && !value.equals(old == null ? property.defaultValue() : old)) {
            throw new InvalidValueException(property.whyReadOnly());
        }
        if (property.is(Trait.FIXED) && old != null && !value.equals(old)) {
            throw new InvalidValueException(
                    "cannot be changed; delete the " + key.type() + " and create it with another value");
        }
    }

    private void checkFilters(Map<String, Object> values) {
        Collection<Property> filters = key.type().filters();
        if (!filters.isEmpty()
                && filters.stream().allMatch(filter -> filter.type().empty().equals(values.get(filter.name())))) {
            problems.add(
                    filters.iterator().next().name(),
                    "or another filter is required; give one of "
                            + String.join(
                                    ", ", filters.stream().map(Property::name).toList()) + ", * for everything");
        }
    }
}
