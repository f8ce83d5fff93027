package dev.avocet.core.config;

import dev.avocet.core.config.schema.ObjectKey;

/** Knows what of the running broker depends on an object that an administrator wants to delete. */
@FunctionalInterface
public interface LiveUse {
    /** Nothing runs. */
    LiveUse NONE = key -> Use.FREE;

    /** What depends on an object. Called by the thread that changes the configuration; must not block for long. */
    Use of(ObjectKey key);

    /** What one of two knows. */
    static LiveUse either(LiveUse one, LiveUse other) {
        return key -> {
            Use use = one.of(key);
            return use == Use.FREE ? other.of(key) : use;
        };
    }

    /** What depends on an object. */
    enum Use {
        /** Nothing. */
        FREE,
        /** Subscriptions made under a policy: the policy stays until they let go of it. */
        SUBSCRIPTIONS,
        /** Messages in a queue. */
        MESSAGES,
        /** Clients that share a subscription. */
        SHARERS
    }
}
