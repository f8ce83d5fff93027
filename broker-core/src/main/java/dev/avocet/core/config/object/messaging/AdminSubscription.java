package dev.avocet.core.config.object.messaging;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Reference;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;

@Doc(
        "A shared subscription that an administrator made, for MQTT clients that subscribe to `$share/ShareName/TopicFilter`.")
public record AdminSubscription(
        @Doc("The name of the share and its topic filter.")
        @Text(maxLength = 1024, format = TextFormat.SHARED_FILTER)
        @Traits({KEY, REQUIRED})
        String name,

        @Doc("A note for people.") @Text String description,

        @Doc("The policy that governs it.") @Reference(SubscriptionPolicy.class) @Traits(REQUIRED)
        String subscriptionPolicy,

        @Doc("Highest quality of service with which messages are delivered.") @Range(min = 0, max = 2) @Default("1")
        int maxQualityOfService,

        @Doc("Whether it begins with the retained messages.") @Default("true")
        boolean addRetainedMsgs,

        @Doc("Which messages it takes.") @Default("None") QualityOfServiceFilter qualityOfServiceFilter)
        implements ConfigurationObject {

    /** The part of the name that clients share. */
    public String shareName() {
        return shareName(name);
    }

    /** The topics that it takes messages from. */
    public String topicFilter() {
        return topicFilter(name);
    }

    /** The part of such a name that clients share. */
    public static String shareName(String name) {
        return name.substring(1, name.indexOf('/', 1));
    }

    /** The topics of such a name. */
    public static String topicFilter(String name) {
        return name.substring(name.indexOf('/', 1) + 1);
    }
}
