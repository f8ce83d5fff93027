package dev.avocet.core.config;

import dev.avocet.core.config.schema.ObjectKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One step from a configuration to the next. */
public sealed interface ConfigurationChange {
    /**
     * Creates an object, or updates the one that there is: properties that are not given keep their value, and null or
     * an empty text gives a property its default.
     *
     * @param key which object
     * @param properties values in plain JSON, by the names of the properties
     * @param byBroker whether the broker itself does it, which may set what is read-only
     */
    record Put(ObjectKey key, Map<String, @Nullable Object> properties, boolean byBroker)
            implements ConfigurationChange {
        /** Copies the map. */
        public Put {
            properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        }
    }

    /**
     * Deletes an object. What is still in use by something that lives, such as a policy by a subscription, is deleted
     * when that lets go of it: see {@link Configuration#pendingDeletes}.
     *
     * @param key which object
     * @param options what may be lost with it
     */
    record Delete(ObjectKey key, Set<DeleteOption> options) implements ConfigurationChange {
        /** Copies the options. */
        public Delete {
            options = Set.copyOf(options);
        }
    }

    /**
     * The last of those that used an object is gone: ends a pending delete. Does nothing when none is pending.
     *
     * @param key which object
     */
    record Released(ObjectKey key) implements ConfigurationChange {}

    /**
     * Creates or updates a MessagingPolicy as there was in release 1 of the reference product: it becomes a
     * TopicPolicy, a QueuePolicy or a SubscriptionPolicy by its DestinationType.
     *
     * @param name of the policy
     * @param properties as for {@link Put}
     */
    record PutMessagingPolicy(String name, Map<String, @Nullable Object> properties) implements ConfigurationChange {
        /** Copies the map. */
        public PutMessagingPolicy {
            properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        }
    }

    /**
     * Deletes the policy of that name that a {@link PutMessagingPolicy} made.
     *
     * @param name of the policy
     */
    record DeleteMessagingPolicy(String name) implements ConfigurationChange {}

    /** What may be lost with a deleted object. */
    enum DeleteOption {
        /** The messages in a queue. */
        DISCARD_MESSAGES("DiscardMessages"),
        /** The clients that share a subscription. */
        DISCARD_SHARERS("DiscardSharers");

        private final String word;

        DeleteOption(String word) {
            this.word = word;
        }

        /** As it is written. */
        @Override
        public String toString() {
            return word;
        }
    }

    /** Creates or updates an object for an administrator. */
    static ConfigurationChange put(ObjectKey key, Map<String, @Nullable Object> properties) {
        return new Put(key, properties, false);
    }

    /** Deletes an object from which nothing may be lost. */
    static ConfigurationChange delete(ObjectKey key) {
        return new Delete(key, Set.of());
    }
}
