package dev.avocet.core.config.object.policy;

import static dev.avocet.core.config.schema.Trait.FILTER;

import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;

/** To whom a policy applies: to those that fit all of these filters. An empty one is none, and everyone fits it. */
public record UserSelection(
        @Doc(
                "The client addresses that it applies to: single ones and ranges with commas between, IPv6 in brackets; every one if empty.")
        @Text(maxLength = 8_192, format = TextFormat.ADDRESSES)
        @Traits(FILTER)
        String clientAddress,

        @Doc("The users that it applies to; every one if empty.")
        @Named("UserID")
        @Text(format = TextFormat.ID_PATTERN)
        @Traits(FILTER)
        String userId,

        @Doc("The groups of users that it applies to; every one if empty.")
        @Named("GroupID")
        @Text(format = TextFormat.ID_PATTERN)
        @Traits(FILTER)
        String groupId,

        @Doc(
                "The common names of client certificates that it applies to; every one, and clients without a certificate, if empty.")
        @Text(format = TextFormat.ID_PATTERN)
        @Traits(FILTER)
        String commonNames) {}
