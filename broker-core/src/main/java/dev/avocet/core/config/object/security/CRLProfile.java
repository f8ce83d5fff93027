package dev.avocet.core.config.object.security;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;

@Doc("Where the broker learns which certificates of clients their authorities have revoked.")
@SuppressWarnings("checkstyle:AbbreviationAsWordInName") // objects have the names of the reference product
public record CRLProfile(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc(
                "The revocation list: an uploaded file, which is read again when it changes, or an `http` or `https` URL. It must be signed by a TrustedCertificate of the SecurityProfile.")
        @Named("CRLSource")
        @Text(maxLength = 2048, format = TextFormat.LIST_SOURCE)
        @Traits(REQUIRED)
        String source,

        @Doc("The list of what has changed since the one of `CRLSource`; a file or URL as well, or none.")
        @Named("DeltaCRLSource")
        @Text(maxLength = 2048, format = TextFormat.LIST_SOURCE)
        String deltaSource,

        @Doc("How often lists are fetched from URLs, in minutes.") @Range(min = 5, max = 43_200) @Default("60")
        int updateInterval,

        @Doc("Whether a connection ends when a new list has its certificate.")
        boolean revalidateConnection,

        @Doc("Whether clients come in for whose authority there is no list, or only one that should have been renewed.")
        boolean acceptUnknownStatus)
        implements ConfigurationObject {}
