package dev.avocet.jms.client.protection;

import dev.avocet.jms.client.codec.MalformedAmqpException;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.message.MessageReader;
import dev.avocet.jms.client.message.Seal;
import dev.avocet.jms.client.message.SealedBody;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import dev.avocet.protection.KeyRing;
import dev.avocet.protection.OpenedMessage;
import dev.avocet.protection.Opener;
import dev.avocet.protection.ProtectionException;
import dev.avocet.protection.ProtectionLevel;
import dev.avocet.protection.ProtectionTerms;
import dev.avocet.protection.Sealer;
import dev.avocet.protection.SubjectName;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Seals and opens the messages of one connection, with the keys that its options name. Thread-safe; called by the
 * threads of the application.
 */
final class MessageProtection implements Protector {
    /** One for each destination and its terms; those used longest ago go. */
    private static final int SEALERS_MAX = 1_000;

    private static final String POLICY = "policy";

    private final Options options;
    private final MessageReader reader;
    private final Map<SealerKey, Sealer> sealers = new LinkedHashMap<>(16, 0.75f, true);
    /** By what the server said. */
    private final Map<Map<String, Object>, ProtectionTerms> known = new ConcurrentHashMap<>();

    private @Nullable KeyRing keys;
    private @Nullable Opener opener;

    MessageProtection(final Options options, final MessageReader reader) {
        this.options = options;
        this.reader = reader;
    }

    private record SealerKey(String destination, ProtectionTerms terms) {}

    @Override
    public Seal sealFor(final JmsDestination to, final Map<String, Object> terms) throws JMSException {
        final Sealer sealer = sealer(name(to), terms(terms));
        return (kind, content) -> {
            try {
                return sealer.seal(kind, content);
            } catch (final ProtectionException e) {
                throw refused("a message to " + to.name() + " cannot be sealed: " + e.getMessage(), e);
            }
        };
    }

    @Override
    public JmsMessage open(
            final JmsMessage arrived,
            final JmsDestination from,
            final Map<String, Object> terms,
            final Guard guard,
            final boolean redelivered)
            throws JMSException {
        try {
            final OpenedMessage opened = opener(terms)
                    .open(SealedBody.envelope(arrived), terms(terms), name(from), guard.replays(), redelivered);
            return reader.opened(arrived, opened.kind(), opened.content());
        } catch (final ProtectionException | MalformedAmqpException | MessageFormatException e) {
            throw refused("a message from " + from.name() + " is refused: " + e.getMessage(), e);
        }
    }

    @Override
    public void checkKeys(final Map<String, Object> terms) throws JMSException {
        final Opener unused = opener(terms);
    }

    private ProtectionTerms terms(final Map<String, Object> said) throws JMSException {
        final ProtectionTerms present = known.get(said);
        if (present != null) {
            return present;
        }
        try {
            final ProtectionTerms made = new ProtectionTerms(
                    text(said, POLICY),
                    ProtectionLevel.of(text(said, "protection")),
                    ProtectionTerms.Digest.of(text(said, "digest")),
                    ProtectionTerms.Cipher.of(text(said, "cipher")),
                    SubjectName.list(text(said, "signers")),
                    SubjectName.list(text(said, "recipients")),
                    number(said, "key-reuse"),
                    Duration.ofSeconds(number(said, "key-lifetime")));
            if (known.size() >= SEALERS_MAX) {
                known.clear();
            }
            known.put(said, made);
            return made;
        } catch (final IllegalArgumentException e) {
            throw refused(
                    "protection policy " + text(said, POLICY) + " asks for what this client does not know: "
                            + e.getMessage(),
                    e);
        }
    }

    private static String text(final Map<String, Object> terms, final String name) {
        return Objects.toString(terms.get(name), "");
    }

    private static int number(final Map<String, Object> terms, final String name) {
        return terms.get(name) instanceof final Number number ? number.intValue() : 1;
    }

    private static String name(final JmsDestination destination) {
        return destination.kind().isTopic() ? Sealer.topic(destination.name()) : Sealer.queue(destination.name());
    }

    private synchronized Sealer sealer(final String destination, final ProtectionTerms terms) throws JMSException {
        final SealerKey key = new SealerKey(destination, terms);
        final Sealer known = sealers.get(key);
        if (known != null) {
            return known;
        }
        try {
            final Sealer made = new Sealer(keys(terms.policy()), terms, destination);
            if (sealers.size() >= SEALERS_MAX) {
                sealers.remove(sealers.keySet().iterator().next());
            }
            sealers.put(key, made);
            return made;
        } catch (final ProtectionException e) {
            throw refused(destination + " is protected, and messages cannot be sealed: " + e.getMessage(), e);
        }
    }

    private synchronized Opener opener(final Map<String, Object> terms) throws JMSException {
        Opener present = opener;
        if (present == null) {
            present = new Opener(keys(text(terms, POLICY)));
            opener = present;
        }
        return present;
    }

    private synchronized KeyRing keys(final String policy) throws JMSException {
        KeyRing present = keys;
        if (present != null) {
            return present;
        }
        final String store = options.text(Option.PROTECTION_KEY_STORE);
        if (store.isEmpty()) {
            throw new JMSSecurityException("protection policy " + policy
                    + " holds, and the connection has no keys; set the option protectionKeyStore");
        }
        final String alias = options.text(Option.PROTECTION_KEY_ALIAS);
        final String trust = options.text(Option.PROTECTION_TRUST_STORE);
        try {
            present = KeyRing.load(
                    Path.of(store),
                    options.text(Option.PROTECTION_KEY_STORE_PASSWORD).toCharArray(),
                    alias.isEmpty() ? null : alias,
                    trust.isEmpty() ? null : Path.of(trust),
                    options.text(Option.PROTECTION_TRUST_STORE_PASSWORD).toCharArray());
        } catch (final ProtectionException e) {
            throw refused(String.valueOf(e.getMessage()), e);
        }
        keys = present;
        return present;
    }

    private static JMSSecurityException refused(final String message, final Exception cause) {
        final JMSSecurityException refused = new JMSSecurityException(message);
        refused.initCause(cause);
        return refused;
    }
}
