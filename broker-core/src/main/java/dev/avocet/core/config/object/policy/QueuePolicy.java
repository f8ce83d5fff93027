package dev.avocet.core.config.object.policy;

import static dev.avocet.core.config.schema.Trait.FILTER;
import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;
import static dev.avocet.core.config.value.SubstitutionVariable.CLAIM;
import static dev.avocet.core.config.value.SubstitutionVariable.CLIENT_ID;
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
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;
import java.util.Set;

@Doc("Who may use which queues.")
public record QueuePolicy(
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

        @Doc("The names of the queues, `*` for any characters.")
        @Text(
                format = TextFormat.PATTERN,
                variables = {USER_ID, COMMON_NAME, CLIENT_ID, GROUP_ID, CLAIM})
        @Traits(REQUIRED)
        String queue,

        @Doc(
                "What is allowed. `Create`, beside another action, makes a queue that is not there when a client first asks for it; such a queue survives restarts and goes when it is empty and no client uses it. The reference has no `Create`.")
        @Traits(REQUIRED)
        Set<QueueAction> actionList,

        @Doc(
                "Longest time in seconds that a message waits; the publisher's own limit counts too, and the shorter one holds.")
        @Named("MaxMessageTimeToLive")
        @Range(min = 1, max = 2_147_483_647, orUnlimited = true)
        @Default("unlimited")
        long maxMessageTimeToLiveSeconds)
        implements ClientSelection, ConfigurationObject {
    /** Copies the collections. */
    public QueuePolicy {
        protocol = Choices.copyOf(protocol);
        actionList = Choices.copyOf(actionList);
    }
}
