package dev.avocet.core.config;

import dev.avocet.core.config.ConfigurationChange.Delete;
import dev.avocet.core.config.ConfigurationChange.DeleteMessagingPolicy;
import dev.avocet.core.config.ConfigurationChange.Put;
import dev.avocet.core.config.ConfigurationChange.PutMessagingPolicy;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.value.InvalidValueException;
import dev.avocet.core.config.value.ReferencesValue;
import dev.avocet.names.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Understands the MessagingPolicy of release 1 of the reference product, which was one type for topics, queues and
 * subscriptions.
 */
final class MessagingPolicyAlias {
    static final String TYPE = "MessagingPolicy";

    private static final String ENDPOINT_PROPERTY = "MessagingPolicies";
    private static final String DESTINATION = "Destination";
    private static final String DESTINATION_TYPE = "DestinationType";

    /** By DestinationType, which is what the new type calls its destination too. */
    private static final Map<String, ObjectType> TYPES = types();

    private final Draft draft;
    private final List<ConfigurationProblem> problems;

    MessagingPolicyAlias(Draft draft, List<ConfigurationProblem> problems) {
        this.draft = draft;
        this.problems = problems;
    }

    private static Map<String, ObjectType> types() {
        Map<String, ObjectType> types = new LinkedHashMap<>();
        types.put("Topic", ObjectTypes.of(TopicPolicy.class));
        types.put("Queue", ObjectTypes.of(QueuePolicy.class));
        types.put("Subscription", ObjectTypes.of(SubscriptionPolicy.class));
        return types;
    }

    Optional<Put> put(PutMessagingPolicy policy) {
        return destinationType(policy).map(destinationType -> {
            ObjectType type = TYPES.getOrDefault(destinationType, ObjectTypes.of(TopicPolicy.class));
            Map<String, @Nullable Object> properties = new LinkedHashMap<>();
            policy.properties().forEach((name, value) -> {
                if (!name.equals(DESTINATION_TYPE)) {
                    properties.put(name.equals(DESTINATION) ? destinationType : name, value);
                }
            });
            return new Put(type.keyOf(policy.name()), properties, false);
        });
    }

    private Optional<String> destinationType(PutMessagingPolicy policy) {
        List<String> existing = destinationTypes(policy.name());
        Object given = policy.properties().get(DESTINATION_TYPE);
        ObjectProblems found = problemsOf(policy.name());
        if (given == null && existing.size() == 1) {
            return Optional.of(existing.get(0));
        }
        if (!(given instanceof String word) || !TYPES.containsKey(word)) {
            String advice = given instanceof String word ? NearestName.advice(word, TYPES.keySet()) : "";
            found.add(DESTINATION_TYPE, "must be one of " + String.join(", ", TYPES.keySet()) + advice);
            return Optional.empty();
        }
        if (!existing.isEmpty() && !existing.contains(word)) {
            found.add(
                    DESTINATION_TYPE,
                    "is " + existing.get(0) + " and cannot be changed; delete the policy and create it anew");
            return Optional.empty();
        }
        return Optional.of(word);
    }

    Optional<Delete> delete(DeleteMessagingPolicy policy) {
        List<String> existing = destinationTypes(policy.name());
        if (existing.size() == 1) {
            return Optional.ofNullable(TYPES.get(existing.get(0)))
                    .map(type -> new Delete(type.keyOf(policy.name()), Set.of()));
        }
        problemsOf(policy.name())
                .add(
                        existing.isEmpty() ? Kind.NOT_FOUND : Kind.INVALID,
                        existing.isEmpty()
                                ? "does not exist"
                                : "exists for " + String.join(" and ", existing) + "; delete the "
                                        + String.join("Policy or the ", existing) + "Policy");
        return Optional.empty();
    }

    /**
     * The given properties with the list of policies that an endpoint had in release 1 replaced by the three that it
     * has now.
     */
    Map<String, @Nullable Object> withoutMessagingPolicies(Put put, ObjectProblems found) {
        Object given = put.properties().get(ENDPOINT_PROPERTY);
        if (given == null || !put.key().type().equals(ObjectTypes.of(Endpoint.class))) {
            return put.properties();
        }
        Map<String, @Nullable Object> properties = new LinkedHashMap<>(put.properties());
        properties.remove(ENDPOINT_PROPERTY);
        Map<String, List<String>> sorted = sorted(given, found);
        TYPES.forEach((destinationType, type) ->
                properties.putIfAbsent(listOf(type), sorted.getOrDefault(destinationType, List.of())));
        return properties;
    }

    private Map<String, List<String>> sorted(Object given, ObjectProblems found) {
        Map<String, List<String>> sorted = new LinkedHashMap<>();
        for (String name : names(given, found)) {
            List<String> destinationTypes = destinationTypes(name);
            if (destinationTypes.isEmpty()) {
                found.add(ENDPOINT_PROPERTY, "there is no " + TYPE + " '" + name + "'; create it first");
            }
            destinationTypes.forEach(type ->
                    sorted.computeIfAbsent(type, key -> new ArrayList<>()).add(name));
        }
        return sorted;
    }

    private static List<String> names(Object given, ObjectProblems found) {
        ReferencesValue names = new ReferencesValue(TYPE, Integer.MAX_VALUE);
        try {
            return names.names(names.read(given));
        } catch (InvalidValueException e) {
            found.add(ENDPOINT_PROPERTY, String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private List<String> destinationTypes(String name) {
        return TYPES.entrySet().stream()
                .filter(type -> draft.find(type.getValue().keyOf(name)) != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** TopicPolicy: TopicPolicies. */
    private static String listOf(ObjectType type) {
        return type.name().replace("Policy", "Policies");
    }

    private ObjectProblems problemsOf(String name) {
        return new ObjectProblems(problems, TYPE + " '" + name + "'");
    }
}
