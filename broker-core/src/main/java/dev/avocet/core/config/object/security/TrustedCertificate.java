package dev.avocet.core.config.object.security;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.Reference;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;

@Doc("A certificate of an authority that vouches for clients.")
public record TrustedCertificate(
        @Doc("The uploaded file with the certificate.")
        @Named("TrustedCertificate")
        @Text(maxLength = 255, format = TextFormat.FILE_NAME)
        @Traits({KEY, REQUIRED})
        String name,

        @Doc("The profile of the endpoints for which it counts.") @Reference(SecurityProfile.class) @Traits(REQUIRED)
        String securityProfileName)
        implements ConfigurationObject {}
