package dev.avocet.core.policy;

import dev.avocet.core.config.object.policy.ProtectionPolicy;
import dev.avocet.protection.Opener;
import dev.avocet.protection.ProtectionException;
import dev.avocet.protection.ProtectionLevel;
import org.jspecify.annotations.Nullable;

/**
 * A policy by which destinations take sealed messages only. Immutable.
 *
 * @param policy whose own pattern is one of the two kinds
 * @param names of the destinations
 */
public record ProtectionRule(ProtectionPolicy policy, Glob names) {
    /**
     * Why a destination of the rule does not take a payload; null when it does. The broker has no keys: it sees that
     * the payload claims to be sealed as the policy asks, and the receiver sees whether it is.
     */
    public @Nullable String refusalOf(byte[] payload) {
        try {
            ProtectionLevel level = Opener.levelOf(payload);
            return level == policy.protection()
                    ? null
                    : "it is sealed for " + level + ", and " + words() + " asks for " + policy.protection();
        } catch (ProtectionException e) {
            return e.reason() == ProtectionException.Reason.NOT_SEALED
                    ? "it is not sealed, and " + words() + " asks for " + policy.protection()
                    : e.getMessage();
        }
    }

    private String words() {
        return "protection policy '" + policy.name() + "'";
    }
}
