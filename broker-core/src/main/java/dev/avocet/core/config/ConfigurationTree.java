package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.value.OutgoingSecret;
import dev.avocet.core.config.value.Secret;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Configurations as plain JSON: maps, text, {@link Boolean} and {@link Long}. What is shown to people holds no secret;
 * what is stored holds verifiers of passwords, and the passwords that the broker shows to other servers.
 */
public final class ConfigurationTree {
    private static final String VERSION = "Version";
    private static final String PENDING_DELETE = "PendingDelete";
    private static final String VERIFIER = "Verifier";
    private static final String PASSWORD = "Password";

    private ConfigurationTree() {}

    /** The whole configuration for people, in the form that {@link ChangeReader} reads. */
    public static Map<String, Object> shown(Configuration configuration) {
        Map<String, Object> tree = new LinkedHashMap<>();
        ObjectTypes.all().forEach(type -> addType(tree, configuration, type, key -> shown(configuration, key)));
        return tree;
    }

    /** All objects of a type for people. */
    public static Map<String, Object> shown(Configuration configuration, ObjectType type) {
        Map<String, Object> tree = new LinkedHashMap<>();
        addType(tree, configuration, type, key -> shown(configuration, key));
        return tree;
    }

    /** One object for people, its properties by name; empty when there is none. */
    public static Map<String, Object> shown(Configuration configuration, ObjectKey key) {
        Map<String, Object> tree = properties(configuration, key, ConfigurationTree::shown);
        if (configuration.pendingDeletes().contains(key)) {
            tree.put(PENDING_DELETE, true);
        }
        return tree;
    }

    /** The whole configuration for a file that only its owner reads. */
    public static Map<String, Object> stored(Configuration configuration) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put(VERSION, configuration.version());
        ObjectTypes.all().forEach(type -> addType(tree, configuration, type, key -> stored(configuration, key)));
        List<List<String>> pending = new ArrayList<>();
        configuration
                .pendingDeletes()
                .forEach(key -> pending.add(List.of(key.type().name(), key.name())));
        if (!pending.isEmpty()) {
            tree.put(PENDING_DELETE, pending);
        }
        return tree;
    }

    /** The configuration of which {@link #stored} made the tree. */
    public static Configuration restored(@Nullable Object json) throws ConfigurationRefusedException {
        if (!(json instanceof Map<?, ?> members) || !(members.get(VERSION) instanceof Number version)) {
            throw new ConfigurationRefusedException(Kind.INVALID, "has no Version");
        }
        Map<Object, @Nullable Object> objects = new LinkedHashMap<>(members);
        objects.remove(VERSION);
        Set<ObjectKey> pending = pending(objects.remove(PENDING_DELETE));
        List<ConfigurationChange> changes = new ArrayList<>();
        for (ConfigurationChange change : new ChangeReader(true).changes(objects)) {
            changes.add(change instanceof ConfigurationChange.Put put ? withSecrets(put) : change);
        }
        pending.forEach(key -> changes.add(ConfigurationChange.delete(key)));
        return Configuration.EMPTY
                .changed(changes, key -> LiveUse.Use.SUBSCRIPTIONS, UnaryOperator.identity())
                .withVersion(version.longValue());
    }

    private static Set<ObjectKey> pending(@Nullable Object json) {
        Set<ObjectKey> pending = new HashSet<>();
        if (json instanceof List<?> keys) {
            for (Object key : keys) {
                if (key instanceof List<?> parts && parts.size() == 2) {
                    ObjectTypes.named(String.valueOf(parts.get(0)))
                            .ifPresent(type -> pending.add(type.keyOf(String.valueOf(parts.get(1)))));
                }
            }
        }
        return pending;
    }

    private static ConfigurationChange withSecrets(ConfigurationChange.Put put) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>(put.properties());
        properties.replaceAll((name, value) -> secretOr(value));
        return new ConfigurationChange.Put(put.key(), properties, put.byBroker());
    }

    private static @Nullable Object secretOr(@Nullable Object value) {
        if (value instanceof Map<?, ?> secret && secret.get(VERIFIER) instanceof String verifier) {
            return Secret.ofVerifier(verifier);
        }
        return value instanceof Map<?, ?> secret && secret.get(PASSWORD) instanceof String password
                ? OutgoingSecret.of(password)
                : value;
    }

    private static void addType(
            Map<String, Object> tree,
            Configuration configuration,
            ObjectType type,
            Function<ObjectKey, Map<String, Object>> properties) {
        Map<String, Object> objects = new LinkedHashMap<>();
        switch (type.shape()) {
            case NAMED -> {
                configuration.all(type).keySet().forEach(name -> objects.put(name, properties.apply(type.keyOf(name))));
                tree.put(type.name(), objects);
            }
            case SINGLE -> tree.put(type.name(), properties.apply(type.keyOf("")));
            case VALUES -> tree.putAll(properties.apply(type.keyOf("")));
        }
    }

    private static Map<String, Object> properties(
            Configuration configuration, ObjectKey key, BiFunction<Property, Object, Object> plain) {
        Map<String, Object> properties = new LinkedHashMap<>();
        configuration
                .find(key)
                .ifPresent(object -> key.type()
                        .properties()
                        .forEach(property ->
                                properties.put(property.name(), plain.apply(property, property.valueIn(object)))));
        return properties;
    }

    private static Map<String, Object> stored(Configuration configuration, ObjectKey key) {
        return properties(configuration, key, ConfigurationTree::stored);
    }

    private static Object shown(Property property, Object value) {
        return property.type().plain(value);
    }

    private static Object stored(Property property, Object value) {
        if (value instanceof OutgoingSecret secret && !secret.isEmpty()) {
            return Map.of(PASSWORD, secret.reveal());
        }
        return value instanceof Secret secret && !secret.isEmpty()
                ? Map.of(VERIFIER, secret.verifier())
                : shown(property, value);
    }
}
