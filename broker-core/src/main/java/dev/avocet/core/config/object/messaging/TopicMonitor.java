package dev.avocet.core.config.object.messaging;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;

@Doc("A part of the topics for which statistics are kept, from its creation on.")
public record TopicMonitor(
        @Doc("The topics, as a topic filter that ends in `/#`.")
        @Named("TopicString")
        @Text(maxLength = 1_024, format = TextFormat.MONITORED_FILTER)
        @Traits({KEY, REQUIRED})
        String name)
        implements ConfigurationObject {}
