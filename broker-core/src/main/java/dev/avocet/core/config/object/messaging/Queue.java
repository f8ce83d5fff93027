package dev.avocet.core.config.object.messaging;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Reference;
import dev.avocet.core.config.schema.Size;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;

@Doc("A queue for messages that one of its receivers gets. A full queue rejects new messages.")
public record Queue(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.QUEUE_NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc("A note for people.") @Text String description,

        @Doc("Whether messages may be sent to it.") @Default("true")
        boolean allowSend,

        @Doc("Whether it may have several receivers at a time.") @Default("true")
        boolean concurrentConsumers,

        @Doc("Most messages that wait in it.") @Range(min = 1, max = 20_000_000) @Default("5000")
        int maxMessages,

        @Doc("Most memory, estimated, that the messages waiting in it take.")
        @Named("MaxBytes")
        @Size(minKb = 1, maxKb = 1_073_741_824, orUnlimited = true) @Default("65536KB")
        long maxBytes,

        @Doc(
                "The queue to which messages go that a receiver rejects or that were delivered MaxDeliveries times in vain; such a message is gone if empty.")
        @Reference(Queue.class)
        String deadLetterQueue,

        @Doc("The queue to which messages go whose time is over; they are gone if empty.") @Reference(Queue.class)
        String expiryQueue,

        @Doc("Deliveries that may fail before a message is given up.")
        @Range(min = 1, max = 1_000_000, orUnlimited = true)
        @Default("unlimited")
        long maxDeliveries,

        @Doc("Milliseconds that a message waits after a delivery has failed.")
        @Named("RedeliveryDelay")
        @Range(min = 0, max = 86_400_000)
        @Default("0")
        int redeliveryDelayMs,

        @Doc("By what RedeliveryDelay is multiplied with each further failure.")
        @Range(min = 1, max = 100)
        @Default("1")
        int redeliveryBackoff,

        @Doc("The longest RedeliveryDelay in milliseconds that RedeliveryBackoff leads to.")
        @Named("MaxRedeliveryDelay")
        @Range(min = 0, max = 86_400_000)
        @Default("3600000")
        int maxRedeliveryDelayMs,

        @Doc(
                "Of several messages with the same value of this property only the last one waits; every message waits if empty.")
        @Text(maxLength = 256)
        String lastValueProperty)
        implements ConfigurationObject {}
