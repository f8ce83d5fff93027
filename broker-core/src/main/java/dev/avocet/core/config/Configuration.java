package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.UnaryOperator;

/**
 * All configuration objects at one time. Every reference leads to an object, and every rule holds. Immutable; any
 * thread.
 *
 * <p>Two configurations share the objects that are equal, so {@link ConfigurationDifference} is quick to find.
 */
public final class Configuration {
    /** The one that every other grows from: no named object, and defaults for what there is one of. */
    public static final Configuration EMPTY = empty();

    private final long version;
    private final Map<ObjectType, SortedMap<String, ConfigurationObject>> objects;
    private final Set<ObjectKey> pendingDeletes;

    Configuration(
            long version,
            Map<ObjectType, SortedMap<String, ConfigurationObject>> objects,
            Set<ObjectKey> pendingDeletes) {
        this.version = version;
        this.objects = Collections.unmodifiableMap(new LinkedHashMap<>(objects));
        this.pendingDeletes = Collections.unmodifiableSet(new LinkedHashSet<>(pendingDeletes));
    }

    private static Configuration empty() {
        return new Draft(Map.of(), Set.of()).freeze(0);
    }

    /** Counts the changes; a later configuration has a higher one. */
    public long version() {
        return version;
    }

    /** The objects of a type by name, sorted by name. What there is one of has the empty name. */
    public SortedMap<String, ConfigurationObject> all(ObjectType type) {
        return objects.getOrDefault(type, Collections.emptySortedMap());
    }

    /** The objects of a class, sorted by name. */
    @SuppressWarnings("unchecked") // the type of a class holds objects of that class only
    public <T extends ConfigurationObject> Collection<T> all(Class<T> recordClass) {
        return (Collection<T>) all(ObjectTypes.of(recordClass)).values();
    }

    /** An object, if it is there. */
    public Optional<ConfigurationObject> find(ObjectKey key) {
        return Optional.ofNullable(all(key.type()).get(key.name()));
    }

    /** An object of a class, if it is there. */
    public <T extends ConfigurationObject> Optional<T> find(Class<T> recordClass, String name) {
        return find(ObjectTypes.of(recordClass).keyOf(name)).map(recordClass::cast);
    }

    /** The object of a class of which there is always one, such as {@link Singletons}. */
    public <T extends ConfigurationObject> T single(Class<T> recordClass) {
        return find(recordClass, "").orElseThrow();
    }

    /** The policies that decide who may connect, in the order in which they are tried. */
    public List<ConnectionPolicy> connectionPolicies(Endpoint endpoint) {
        return resolve(ConnectionPolicy.class, endpoint.connectionPolicies());
    }

    /** The policies that decide about topics, in the order in which they are tried. */
    public List<TopicPolicy> topicPolicies(Endpoint endpoint) {
        return resolve(TopicPolicy.class, endpoint.topicPolicies());
    }

    /** The policies that decide about queues, in the order in which they are tried. */
    public List<QueuePolicy> queuePolicies(Endpoint endpoint) {
        return resolve(QueuePolicy.class, endpoint.queuePolicies());
    }

    /** The policies that decide about shared subscriptions, in the order in which they are tried. */
    public List<SubscriptionPolicy> subscriptionPolicies(Endpoint endpoint) {
        return resolve(SubscriptionPolicy.class, endpoint.subscriptionPolicies());
    }

    /** The objects of a class by their names, in the order of the names; every name must be there. */
    public <T extends ConfigurationObject> List<T> resolve(Class<T> recordClass, List<String> names) {
        return names.stream().map(name -> find(recordClass, name).orElseThrow()).toList();
    }

    /**
     * The objects that were deleted while something that lives used them. They are still there, nothing can refer to
     * them any more, and they cannot be changed; {@link ConfigurationChange.Released} makes an end of one.
     */
    public Set<ObjectKey> pendingDeletes() {
        return pendingDeletes;
    }

    /**
     * The configuration after some changes, all of them or none; its version is the next one.
     *
     * @param changes in any order; those to one object act in the order given
     * @param use what the running broker depends on
     * @param passwordHash makes the verifier of a password
     * @throws ConfigurationRefusedException with everything that is wrong
     */
    public Configuration changed(
            List<? extends ConfigurationChange> changes, LiveUse use, UnaryOperator<String> passwordHash)
            throws ConfigurationRefusedException {
        Draft draft = new Draft(objects, pendingDeletes);
        new ChangeApplication(draft, use, passwordHash).apply(changes);
        return draft.freeze(version + 1);
    }

    /** The same under another number. */
    public Configuration withVersion(long other) {
        return new Configuration(other, objects, pendingDeletes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Configuration that
                && version == that.version
                && objects.equals(that.objects)
                && pendingDeletes.equals(that.pendingDeletes);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(version);
    }

    @Override
    public String toString() {
        return "Configuration[version=" + version + "]";
    }
}
