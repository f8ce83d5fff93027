package dev.avocet.protection;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.SecretKey;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.jspecify.annotations.Nullable;

/**
 * Seals messages of one sender to one destination. It numbers them: a receiver that sees a number twice knows a copy.
 * For {@link ProtectionLevel#CONFIDENTIALITY} it keeps a key for as many messages and as long as its terms say.
 * Thread-safe; what it has to do with a key pair takes up to milliseconds.
 */
public final class Sealer {
    private final KeyRing keys;
    private final ProtectionTerms terms;
    private final String destination;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final StreamId stream;
    private long sequence;
    private @Nullable ContentKey key;
    private byte[] keyBlock = {};
    private long keyEndsMs;

    /**
     * @param destination as {@link #queue} or {@link #topic} writes it
     * @throws ProtectionException when the keys do not suffice for the terms
     */
    public Sealer(KeyRing keys, ProtectionTerms terms, String destination) throws ProtectionException {
        this(keys, terms, destination, SystemTime.clock());
    }

    Sealer(KeyRing keys, ProtectionTerms terms, String destination, Clock clock) throws ProtectionException {
        this.keys = keys;
        this.terms = terms;
        this.destination = destination;
        this.clock = clock;
        this.stream = StreamId.random(random);
        if (terms.level().signs()) {
            keys.privateKey(
                    "protection policy " + terms.policy() + " (" + terms.level().title() + ")");
            terms.checkSigner(keys.certificate());
        }
        recipients(clock.millis());
    }

    /** The name of a queue in an envelope. */
    public static String queue(String name) {
        return "queue:" + name;
    }

    /** The name of a topic in an envelope. */
    public static String topic(String name) {
        return "topic:" + name;
    }

    public ProtectionTerms terms() {
        return terms;
    }

    /**
     * Seals a message.
     *
     * @param kind what the content is, for the receiver: a word of the application's, at most 255 characters
     * @param content is not changed
     * @return an envelope
     */
    public synchronized byte[] seal(String kind, byte[] content) throws ProtectionException {
        if (kind.length() > 255) {
            throw new IllegalArgumentException("the kind of a content has at most 255 characters");
        }
        long nowMs = clock.millis();
        Binding binding = new Binding(destination, keys.subject(), stream, sequence + 1, nowMs, kind);
        byte[] sealed =
                switch (terms.level()) {
                    case INTEGRITY -> signed(binding, content);
                    case PRIVACY -> Cms.encrypt(signed(binding, content), recipients(nowMs), terms.cipher());
                    case CONFIDENTIALITY -> confidential(binding, content, nowMs);
                };
        sequence++;
        return Envelope.of(terms.level(), sealed);
    }

    private byte[] signed(Binding binding, byte[] content) throws ProtectionException {
        ASN1EncodableVector fields = new ASN1EncodableVector(2);
        fields.add(binding.toAsn1());
        fields.add(new DEROctetString(content));
        return Cms.sign(Binding.der(new DERSequence(fields)), keys, terms.digest());
    }

    private byte[] confidential(Binding binding, byte[] content, long nowMs) throws ProtectionException {
        ContentKey present = key;
        if (present == null || binding.sequence() - present.first() >= present.count() || nowMs >= keyEndsMs) {
            present = newKey(binding.sequence(), nowMs);
        }
        return ConfidentialPart.seal(keyBlock, present.key(), binding, content);
    }

    private ContentKey newKey(long first, long nowMs) throws ProtectionException {
        byte[] bytes = new byte[terms.cipher().keyBytes()];
        random.nextBytes(bytes);
        SecretKey fresh = ConfidentialPart.key(bytes);
        ContentKey made = new ContentKey(fresh, destination, keys.subject(), stream, first, terms.messagesPerKey());
        keyBlock = Cms.encrypt(made.toDer(), recipients(nowMs), terms.cipher());
        key = made;
        keyEndsMs = nowMs + terms.keyLifetime().toMillis();
        return made;
    }

    private List<X509Certificate> recipients(long nowMs) throws ProtectionException {
        List<X509Certificate> found = new ArrayList<>();
        if (terms.level().encrypts()) {
            for (String subject : terms.recipients()) {
                found.add(keys.recipient(subject, nowMs));
            }
        }
        return found;
    }
}
