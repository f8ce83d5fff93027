package dev.avocet.core.config.object.policy;

import static dev.avocet.core.config.schema.Trait.FILTER;
import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;
import static dev.avocet.core.config.value.SubstitutionVariable.CLAIM;
import static dev.avocet.core.config.value.SubstitutionVariable.COMMON_NAME;
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

@Doc("Who may connect, and how big a client it is.")
public record ConnectionPolicy(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc("A note for people.") @Text String description,

        @Doc("The client identifiers that it applies to; every one if empty.")
        @Named("ClientID")
        @Text(
                format = TextFormat.ID_PATTERN,
                variables = {USER_ID, COMMON_NAME, CLAIM})
        @Traits(FILTER)
        String clientId,

        @Embedded UserSelection users,

        @Doc("The protocols that it applies to; every one if empty.") @Traits(FILTER)
        Set<Protocol> protocol,

        @Doc("Whether sessions and subscriptions may outlive the connection.") @Default("true")
        boolean allowDurable,

        @Doc("Whether messages may be sent that survive a restart: QoS 1 and 2, and persistent JMS messages.")
        @Default("true")
        boolean allowPersistentMessages,

        @Doc(
                "Whether global transactions in doubt may be seen and ended that another user has prepared. Those that the same user has"
                        + " prepared, or a client without a user name, may be ended without it.")
        boolean allowTransactionRecovery,

        @Doc("How many messages a client is expected to send and receive; sizes its windows and buffers.")
        @Default("Default")
        ExpectedMessageRate expectedMessageRate,

        @Doc(
                "Longest time in seconds that a session is kept after its client has gone; clients that ask for more get this.")
        @Named(value = "MaxSessionExpiryInterval", aliases = "MaximumSessionExpiryInterval")
        @Range(min = 0, max = 4_294_967_294L, orUnlimited = true)
        @Default("unlimited")
        long maxSessionExpiryIntervalSeconds)
        implements ClientSelection, ConfigurationObject {
    /** Copies the collections. */
    public ConnectionPolicy {
        protocol = Choices.copyOf(protocol);
    }
}
