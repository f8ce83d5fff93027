package dev.avocet.core.policy;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.messaging.MessageHub;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.message.TopicName;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a publish pays for being allowed: by the last of many policies, all of which apply to the client. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class AccessRightsBenchmark {
    private static final String ENDPOINT = "endpoint";

    /** Policies; 0 for an endpoint without. */
    @Param({"0", "50"})
    private int policyCount;

    /** How many topics take turns. */
    @Param({"1", "100", "10000"})
    private int topicCount;

    private final EndpointPolicies policies = new EndpointPolicies();
    private final ClientFacts client = new ClientFacts(
            "user", List.of("staff"), "device-7", InetAddress.getLoopbackAddress(), null, Protocol.MQTT);
    private final AccessRights rights = new AccessRights(policies, () -> client);
    private TopicName[] topics = {};
    private DecisionMemo[] memos = {};
    private ClientPolicies bound = PolicySet.NOTHING.boundTo(client);
    private int next;

    /** Makes policies for topics without publishers, and one for those with some. */
    @Setup
    public void prepare() throws ConfigurationRefusedException {
        topics = new TopicName[topicCount];
        memos = new DecisionMemo[topicCount];
        for (int i = 0; i < topicCount; i++) {
            topics[i] = TopicName.of("site/" + i % 50 + "/device-" + i + "/temperature");
            memos[i] = new Memo();
        }
        if (policyCount > 0) {
            policies.apply(configuration(), ENDPOINT);
            bound = policies.current().boundTo(client);
        }
    }

    /** As the receiver of publishes asks. */
    @Benchmark
    public Decision asked() {
        TopicName topic = nextTopic();
        return rights.publish(topic, memos[next]);
    }

    /** Without anything remembered. */
    @Benchmark
    public Decision computed() {
        return bound.publish(nextTopic().text());
    }

    private TopicName nextTopic() {
        next = next + 1 == topics.length ? 0 : next + 1;
        return topics[next];
    }

    private Configuration configuration() throws ConfigurationRefusedException {
        List<ConfigurationChange> changes = new ArrayList<>();
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < policyCount; i++) {
            String topic = i == policyCount - 1 ? "*" : i % 2 == 0 ? "*/${ClientID}/" + i : "site/*/device/" + i;
            changes.add(put(
                    TopicPolicy.class,
                    "t" + i,
                    Map.of("ClientID", "*", "Topic", topic, "ActionList", "Publish,Subscribe")));
            names.append(i == 0 ? "" : ",").append('t').append(i);
        }
        changes.add(put(ConnectionPolicy.class, "all", Map.of("ClientID", "*")));
        changes.add(put(MessageHub.class, "hub", Map.of()));
        changes.add(put(
                Endpoint.class,
                ENDPOINT,
                Map.of(
                        "Port", 1883,
                        "Interface", "127.0.0.1",
                        "ConnectionPolicies", "all",
                        "TopicPolicies", names.toString(),
                        "MessageHub", "hub")));
        return Configuration.EMPTY.changed(changes, LiveUse.NONE, UnaryOperator.identity());
    }

    private static ConfigurationChange put(
            Class<? extends ConfigurationObject> recordClass, String name, Map<String, Object> properties) {
        return new ConfigurationChange.Put(ObjectTypes.of(recordClass).keyOf(name), Map.copyOf(properties), true);
    }

    private static final class Memo implements DecisionMemo {
        private @Nullable Noted noted;

        @Override
        public @Nullable Noted noted() {
            return noted;
        }

        @Override
        public void note(Noted decision) {
            noted = decision;
        }
    }
}
