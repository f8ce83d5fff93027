package dev.avocet.testkit;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.messaging.MessageHub;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.policy.PolicySet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An endpoint and its policies, from what an administrator would write. */
public final class PolicyFixture {
    /** The name of the endpoint. */
    public static final String ENDPOINT = "endpoint";

    private final Map<Class<? extends ConfigurationObject>, List<String>> names = new LinkedHashMap<>();
    private final List<ConfigurationChange> changes = new ArrayList<>();

    /** Adds a policy of any kind behind those of its kind. */
    public PolicyFixture with(
            Class<? extends ConfigurationObject> policyClass, String name, Map<String, ? extends Object> properties) {
        names.computeIfAbsent(policyClass, key -> new ArrayList<>()).add(name);
        changes.add(put(policyClass, name, properties));
        return this;
    }

    public PolicyFixture topic(String name, Map<String, ? extends Object> properties) {
        return with(TopicPolicy.class, name, properties);
    }

    public PolicyFixture connection(String name, Map<String, ? extends Object> properties) {
        return with(ConnectionPolicy.class, name, properties);
    }

    /**
     * With what an endpoint needs besides: a connection policy for all clients, and a topic policy that no client
     * meets.
     */
    public Configuration configuration() {
        List<ConfigurationChange> all = new ArrayList<>(changes);
        if (!names.containsKey(ConnectionPolicy.class)) {
            connection("everybody", Map.of("ClientID", "*"));
            all.add(changes.get(changes.size() - 1));
        }
        if (names.keySet().equals(Set.of(ConnectionPolicy.class))) {
            topic("nothing", Map.of("ClientID", "nobody", "Topic", "nothing", "ActionList", "Publish"));
            all.add(changes.get(changes.size() - 1));
        }
        all.add(put(MessageHub.class, "hub", Map.of()));
        Map<String, Object> endpoint =
                new HashMap<>(Map.of("Port", 1883, "Protocol", "MQTT", "Interface", "127.0.0.1", "MessageHub", "hub"));
        list(endpoint, "ConnectionPolicies", ConnectionPolicy.class);
        list(endpoint, "TopicPolicies", TopicPolicy.class);
        list(endpoint, "QueuePolicies", QueuePolicy.class);
        list(endpoint, "SubscriptionPolicies", SubscriptionPolicy.class);
        all.add(put(Endpoint.class, ENDPOINT, endpoint));
        try {
            return Configuration.EMPTY.changed(all, LiveUse.NONE, UnaryOperator.identity());
        } catch (ConfigurationRefusedException e) {
            throw new IllegalArgumentException(e.toString(), e);
        }
    }

    public PolicySet policies() {
        Configuration configuration = configuration();
        return PolicySet.of(
                configuration, configuration.find(Endpoint.class, ENDPOINT).orElseThrow());
    }

    private void list(Map<String, Object> endpoint, String property, Class<? extends ConfigurationObject> policyClass) {
        endpoint.put(property, String.join(",", names.getOrDefault(policyClass, List.of())));
    }

    private static ConfigurationChange put(
            Class<? extends ConfigurationObject> recordClass, String name, Map<String, ? extends Object> properties) {
        return new ConfigurationChange.Put(
                ObjectTypes.of(recordClass).keyOf(name), new HashMap<String, @Nullable Object>(properties), true);
    }
}
