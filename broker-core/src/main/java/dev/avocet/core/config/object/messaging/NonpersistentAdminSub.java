package dev.avocet.core.config.object.messaging;

import static dev.avocet.core.config.schema.Trait.FIXED;
import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Reference;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;

@Doc("A shared subscription that an administrator made among those that are not durable.")
public record NonpersistentAdminSub(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc("A note for people.") @Text String description,

        @Doc("The topics that it takes messages from.")
        @Text(format = TextFormat.TOPIC_FILTER)
        @Traits({REQUIRED, FIXED})
        String topicFilter,

        @Doc("The policy that governs it.") @Reference(TopicPolicy.class) @Traits(REQUIRED)
        String topicPolicy,

        @Doc("Highest quality of service with which messages are delivered.") @Range(min = 0, max = 2) @Default("1")
        int maxQualityOfService,

        @Doc("Whether it begins with the retained messages.") @Default("true")
        boolean addRetainedMsgs,

        @Doc("Which messages it takes.") @Default("None") QualityOfServiceFilter qualityOfServiceFilter)
        implements ConfigurationObject {}
