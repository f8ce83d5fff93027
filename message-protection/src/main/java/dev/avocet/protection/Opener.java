package dev.avocet.protection;

import dev.avocet.protection.ProtectionException.Reason;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;

/**
 * Opens sealed messages of one receiver. It remembers the last {@value #KEYS_MAX} keys for contents and, for a minute,
 * the signers that were found good. Thread-safe; what it has to do with a key pair takes up to milliseconds.
 */
public final class Opener {
    private static final int KEYS_MAX = 1_000;

    private final KeyRing keys;
    private final SignerTrust trust;
    private final Clock clock;
    /** By the bytes that hold them, in the order of their use. */
    private final Map<ByteBuffer, ContentKey> contentKeys = new LinkedHashMap<>(16, 0.75f, true);

    public Opener(KeyRing keys) {
        this(keys, SystemTime.clock());
    }

    Opener(KeyRing keys, Clock clock) {
        this.keys = keys;
        this.clock = clock;
        this.trust = new SignerTrust(keys.trusted());
    }

    /** Whether the bytes claim to be an envelope; whether they are a good one {@link #open} says. */
    public static boolean isSealed(byte[] bytes) {
        return Envelope.isSealed(bytes);
    }

    /** The level that an envelope claims. */
    public static ProtectionLevel levelOf(byte[] envelope) throws ProtectionException {
        return Envelope.level(envelope);
    }

    /**
     * Opens a message.
     *
     * @param terms what the policy of the destination asks for
     * @param destination where the message was received from, as {@link Sealer#queue} or {@link Sealer#topic} writes it
     * @param guard knows what came before on the same way
     * @param redelivered whether the broker says that it delivered the message before
     * @throws ProtectionException when the message is not what the terms ask for, or came before
     */
    public OpenedMessage open(
            byte[] envelope, ProtectionTerms terms, String destination, ReplayGuard guard, boolean redelivered)
            throws ProtectionException {
        ProtectionLevel level = Envelope.level(envelope);
        if (level != terms.level()) {
            throw new ProtectionException(
                    Reason.WRONG_LEVEL,
                    "the message is sealed for " + level.title() + ", and protection policy " + terms.policy()
                            + " asks for " + terms.level().title());
        }
        Content content = content(envelope, terms);
        Binding binding = content.binding();
        if (!binding.destination().equals(destination)) {
            throw new ProtectionException(
                    Reason.WRONG_DESTINATION,
                    "the message was sealed for " + binding.destination() + " and comes from " + destination);
        }
        guard.take(binding.stream(), binding.sequence(), redelivered);
        return new OpenedMessage(
                level,
                binding.sender(),
                binding.destination(),
                binding.sequence(),
                binding.timeMs(),
                binding.kind(),
                content.bytes());
    }

    private record Content(Binding binding, byte[] bytes) {}

    private Content content(byte[] envelope, ProtectionTerms terms) throws ProtectionException {
        try {
            return terms.level() == ProtectionLevel.CONFIDENTIALITY
                    ? confidential(ConfidentialPart.parse(envelope), terms)
                    : signed(Envelope.sealed(envelope), terms);
        } catch (RuntimeException e) { // what the parsers of certificates and CMS meet in hostile bytes
            throw new ProtectionException(Reason.MALFORMED, "the envelope cannot be read: " + e.getMessage(), e);
        }
    }

    private Content signed(byte[] sealed, ProtectionTerms terms) throws ProtectionException {
        byte[] der = terms.level().encrypts() ? Cms.decrypt(sealed, keys, terms.cipher()) : sealed;
        Cms.Signed signed = Cms.verify(der);
        trust.check(signed.signer(), signed.chain(), clock.millis());
        terms.checkSigner(signed.signer());
        if (!terms.digest().prefix().equals(signed.digest().replace("-", ""))) {
            throw new ProtectionException(
                    Reason.WRONG_ALGORITHM,
                    "the message is signed with " + signed.digest() + ", and protection policy " + terms.policy()
                            + " asks for " + terms.digest().title());
        }
        Content content = signedContent(signed.content());
        if (!content.binding().sender().equals(SubjectName.of(signed.signer()))) {
            throw new ProtectionException(
                    Reason.TAMPERED, "the message names another sender than the one that signed it");
        }
        return content;
    }

    private static Content signedContent(byte[] der) throws ProtectionException {
        try {
            ASN1Sequence fields = ASN1Sequence.getInstance(Binding.parse(der));
            if (fields.size() != 2) {
                throw new IllegalArgumentException("2 fields were expected, not " + fields.size());
            }
            Binding binding = Binding.of(fields.getObjectAt(0));
            return new Content(
                    binding, ASN1OctetString.getInstance(fields.getObjectAt(1)).getOctets());
        } catch (IllegalArgumentException e) {
            throw new ProtectionException(Reason.MALFORMED, "the content of the envelope cannot be read: " + e, e);
        }
    }

    private Content confidential(ConfidentialPart part, ProtectionTerms terms) throws ProtectionException {
        ContentKey key = keyOf(part.keyBlock(), terms);
        Binding binding = Binding.of(Binding.parse(part.binding()));
        key.check(binding);
        return new Content(binding, part.open(key.key(), binding));
    }

    private ContentKey keyOf(byte[] block, ProtectionTerms terms) throws ProtectionException {
        ByteBuffer name = ByteBuffer.wrap(block);
        synchronized (contentKeys) {
            ContentKey known = contentKeys.get(name);
            if (known != null) {
                return known;
            }
        }
        ContentKey found = ContentKey.of(Cms.decrypt(block, keys, terms.cipher()), terms.cipher());
        synchronized (contentKeys) {
            if (contentKeys.size() >= KEYS_MAX) {
                contentKeys.remove(contentKeys.keySet().iterator().next());
            }
            contentKeys.put(name, found);
        }
        return found;
    }
}
