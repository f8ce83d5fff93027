package dev.avocet.core.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a client may do something or not. Immutable.
 *
 * @param allowed the answer
 * @param policyType the type of the policies that were asked
 * @param policy the one that allows it; null when none does, and when there are no policies
 * @param hasPolicies whether there are policies at all; everything is allowed where there are none
 * @param tried the policies in their order, up to the one that allows it
 * @param untried the policies behind that one
 */
public record Explanation(
        boolean allowed,
        String policyType,
        @Nullable String policy,
        boolean hasPolicies,
        List<Tried> tried,
        List<String> untried) {
    public Explanation {
        tried = List.copyOf(tried);
        untried = List.copyOf(untried);
    }

    /** The answer of an endpoint without policies. */
    static Explanation open(PolicyQuestion question) {
        return new Explanation(true, question.policyType(), null, false, List.of(), List.of());
    }

    /**
     * A policy that was asked.
     *
     * @param differences what keeps it from applying; none when it applies
     */
    public record Tried(String policy, List<Difference> differences) {
        public Tried {
            differences = List.copyOf(differences);
        }
    }

    /**
     * A filter of a policy that the client, or what it wants, does not fit.
     *
     * @param property the filter
     * @param wanted what the policy says
     * @param found what the client has or wants; empty when it has nothing of the kind
     */
    public record Difference(String property, String wanted, String found) {}
}
