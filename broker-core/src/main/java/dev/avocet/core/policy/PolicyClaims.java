package dev.avocet.core.policy;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.value.SubstitutionVariable;
import java.util.Set;
import java.util.TreeSet;

/** Which claims of tokens policies ask for. */
public final class PolicyClaims {
    private PolicyClaims() {}

    /** The names after {@code Claim.} in all policies, in their order. */
    public static Set<String> in(Configuration configuration) {
        Set<String> names = new TreeSet<>();
        configuration
                .all(ConnectionPolicy.class)
                .forEach(policy -> names.addAll(SubstitutionVariable.claimsIn(policy.clientId())));
        configuration
                .all(TopicPolicy.class)
                .forEach(policy -> names.addAll(SubstitutionVariable.claimsIn(policy.topic())));
        configuration
                .all(SubscriptionPolicy.class)
                .forEach(policy -> names.addAll(SubstitutionVariable.claimsIn(policy.subscription())));
        configuration
                .all(QueuePolicy.class)
                .forEach(policy -> names.addAll(SubstitutionVariable.claimsIn(policy.queue())));
        return names;
    }
}
