package dev.avocet.core.config.object.policy;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Reference;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;
import dev.avocet.protection.ProtectionLevel;
import dev.avocet.protection.ProtectionTerms.Cipher;
import dev.avocet.protection.ProtectionTerms.Digest;

@Doc(
        "Which destinations take only messages that their senders have sealed, and how. Of several policies that match a destination, the one whose pattern has the most characters other than `*` holds; of equal ones, the first by name. The reference has no such object.")
public record ProtectionPolicy(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc("A note for people.") @Text String description,

        @Doc("The names of the queues, `*` for any characters; none if empty.") @Text(format = TextFormat.PATTERN)
        String queue,

        @Doc("The names of the topics, `*` for any characters; none if empty.") @Text(format = TextFormat.PATTERN)
        String topic,

        @Doc(
                "What senders do with a message: `Integrity` signs it, `Privacy` signs and encrypts it, `Confidentiality` encrypts it with a key that seals several messages, and does not sign.")
        @Traits(REQUIRED)
        ProtectionLevel protection,

        @Doc("The digest of signatures.") @Default("SHA-512")
        Digest digestAlgorithm,

        @Doc("The cipher of contents.") @Default("AES-256-GCM")
        Cipher encryptionAlgorithm,

        @Doc(
                "The subjects of the certificates that may sign (RFC 4514), with semicolons between; each that the receiver trusts if empty.")
        @Text(maxLength = 8_192, format = TextFormat.SUBJECT_NAMES)
        String signers,

        @Doc(
                "The subjects of the certificates that messages are encrypted to, with semicolons between. Required for `Privacy` and `Confidentiality`.")
        @Text(maxLength = 8_192, format = TextFormat.SUBJECT_NAMES)
        String recipients,

        @Doc("For `Confidentiality`: messages that one key seals at most.")
        @Range(min = 1, max = 1_000_000)
        @Default("32")
        int keyReuse,

        @Doc("For `Confidentiality`: how long one key seals messages, in seconds.")
        @Named("KeyLifetime")
        @Range(min = 1, max = 86_400)
        @Default("3600")
        int keyLifetimeSeconds,

        @Doc(
                "The queue to which messages go that are not sealed as they have to be, whether the broker or a receiver finds that out. If empty, the broker refuses them, and those that a receiver refuses go to the dead letter queue of their queue.")
        @Reference(Queue.class)
        String errorQueue)
        implements ConfigurationObject {
    @Override
    public void check(ObjectProblems problems) {
        if (queue.isEmpty() && topic.isEmpty()) {
            problems.add("Queue", "or Topic is required; name the destinations that the policy protects");
        }
        if (protection.encrypts() && recipients.isBlank()) {
            problems.add(
                    "Recipients",
                    "is required with Protection " + protection + "; name the subjects of the receivers' certificates");
        }
        if (!protection.signs() && !signers.isBlank()) {
            problems.add(
                    "Signers",
                    "has no use with Protection Confidentiality, which does not sign; leave it empty,"
                            + " or take Privacy");
        }
    }
}
