package dev.avocet.core.config.object.policy;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.object.field.Choices;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Embedded;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;
import java.util.Set;

@Doc("Who may administer the broker.")
public record ConfigurationPolicy(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc("A note for people.") @Text String description,

        @Embedded UserSelection users,

        @Doc("What is allowed.") @Traits(REQUIRED) Set<AdminAction> actionList)
        implements ConfigurationObject {
    /** Copies the collections. */
    public ConfigurationPolicy {
        actionList = Choices.copyOf(actionList);
    }
}
