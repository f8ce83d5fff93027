package dev.avocet.core.config.object.security;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.READ_ONLY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;

@Doc("A certificate of the broker and its key.")
public record CertificateProfile(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc("The uploaded file with the certificate and those above it.")
        @Text(maxLength = 255, format = TextFormat.FILE_NAME)
        @Traits(REQUIRED)
        String certificate,

        @Doc("The uploaded file with the key.") @Text(maxLength = 255, format = TextFormat.FILE_NAME) @Traits(REQUIRED)
        String key,

        @Doc("When the certificate ends.") @Text(maxLength = 64) @Traits(READ_ONLY)
        String expirationDate)
        implements ConfigurationObject {}
