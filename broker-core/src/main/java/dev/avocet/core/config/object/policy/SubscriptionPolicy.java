package dev.avocet.core.config.object.policy;

import static dev.avocet.core.config.schema.Trait.FILTER;
import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;
import static dev.avocet.core.config.value.SubstitutionVariable.CLAIM;
import static dev.avocet.core.config.value.SubstitutionVariable.COMMON_NAME;
import static dev.avocet.core.config.value.SubstitutionVariable.GROUP_ID;
import static dev.avocet.core.config.value.SubstitutionVariable.USER_ID;

import dev.avocet.core.config.object.field.Choices;
import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Embedded;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Size;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;
import java.util.Set;

@Doc("Who may use which global shared durable subscriptions, and how much may wait in one.")
public record SubscriptionPolicy(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc("A note for people.") @Text String description,

        @Doc("The client identifiers that it applies to; every one if empty.")
        @Named("ClientID")
        @Text(format = TextFormat.ID_PATTERN)
        @Traits(FILTER)
        String clientId,

        @Embedded UserSelection users,

        @Doc("The protocols that it applies to; every one if empty.") @Traits(FILTER)
        Set<Protocol> protocol,

        @Doc("The names of the subscriptions, `*` for any characters.")
        @Text(
                format = TextFormat.PATTERN,
                variables = {USER_ID, COMMON_NAME, GROUP_ID, CLAIM})
        @Traits(REQUIRED)
        String subscription,

        @Doc("What is allowed.") @Traits(REQUIRED) Set<SubscriptionAction> actionList,

        @Doc("Most messages that wait in one subscription.") @Range(min = 1, max = 20_000_000) @Default("5000")
        int maxMessages,

        @Doc("Most memory, estimated, that the messages waiting in one subscription take.")
        @Named("MaxBytes")
        @Size(minKb = 1, maxKb = 1_073_741_824, orUnlimited = true) @Default("65536KB")
        long maxBytes,

        @Doc("What happens to a message that is one too many.") @Default("RejectNewMessages")
        FullBehavior maxMessagesBehavior,

        @Doc(
                "Whether a message that a full subscriber rejects is refused for `Everybody`, or for the `FullSubscriber` alone.")
        @Default("Everybody")
        RejectScope rejectScope,

        @Doc("The selector of subscriptions that bring none.") @Text(maxLength = 4_096)
        String defaultSelectionRule)
        implements ClientSelection, ConfigurationObject {
    /** Copies the collections. */
    public SubscriptionPolicy {
        protocol = Choices.copyOf(protocol);
        actionList = Choices.copyOf(actionList);
    }

    @Override
    public void check(ObjectProblems problems) {
        SelectionRule.check(defaultSelectionRule, problems);
    }
}
