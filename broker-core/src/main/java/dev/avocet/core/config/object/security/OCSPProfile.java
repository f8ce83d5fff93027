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

@Doc(
        "How the broker asks OCSP responders whether certificates of clients are revoked. The reference has no such object.")
@SuppressWarnings("checkstyle:AbbreviationAsWordInName") // as CRLProfile
public record OCSPProfile(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc(
                "The responder that is asked about every certificate. If empty, the one that each certificate names (Authority Information Access).")
        @Named("ResponderURL")
        @Text(maxLength = 2_048, format = TextFormat.WEB_URL)
        String responder,

        @Doc("How long a client waits for the answer after its handshake, in seconds.")
        @Named("Timeout")
        @Range(min = 1, max = 8)
        @Default("3")
        int timeoutSeconds,

        @Doc(
                "For how long an answer is used at most before the responder is asked again, in minutes. An answer that says itself when there is a newer one is used until then, if that is sooner.")
        @Range(min = 1, max = 43_200)
        @Default("60")
        int updateInterval,

        @Doc(
                "Whether requests have a random value that the answer must repeat, so that an old answer cannot be replayed. With `Optional`, an answer without one is taken; with `Never`, responders can answer out of a cache.")
        @Default("Optional")
        NoncePolicy nonce,

        @Doc(
                "Whether a connection ends when a later answer says that its certificate is revoked. Answers about clients that are connected are renewed when they are over.")
        boolean revalidateConnection,

        @Doc(
                "Whether clients come in about whom there is no answer (soft fail): the responder does not answer in time, does not know the certificate, or its answer does not count.")
        boolean acceptUnknownStatus)
        implements ConfigurationObject {}
