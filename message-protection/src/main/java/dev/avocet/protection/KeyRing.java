package dev.avocet.protection;

import dev.avocet.protection.ProtectionException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one application or device: its own private key with the certificate chain, the certificates of those that
 * it seals for, and the certificates that it trusts. Immutable; any thread.
 */
public final class KeyRing {
    private final @Nullable PrivateKey privateKey;
    private final List<X509Certificate> chain;
    private final List<X509Certificate> known;
    private final List<X509Certificate> trusted;

    /**
     * @param privateKey signs, and opens what was sealed for it; null where neither is needed
     * @param chain the certificate of that key, and those above it
     * @param known certificates in which recipients are looked up
     * @param trusted certificates of authorities, or of senders themselves
     */
    public KeyRing(
            @Nullable PrivateKey privateKey,
            List<X509Certificate> chain,
            List<X509Certificate> known,
            List<X509Certificate> trusted) {
        this.privateKey = privateKey == null ? null : Cms.own(privateKey);
        this.chain = chain.stream().map(Cms::own).toList();
        this.known = known.stream().map(Cms::own).toList();
        this.trusted = trusted.stream().map(Cms::own).toList();
    }

    /**
     * Reads key store files, PKCS #12 or JKS.
     *
     * @param keyStore with the private key, and certificates of recipients
     * @param alias of the private key; null: the only one that there is
     * @param trustStore with the certificates that are trusted beside the own one, and of further recipients; null:
     *     those in {@code keyStore} without a private key
     * @throws ProtectionException saying which file cannot be used, and why
     */
    public static KeyRing load(
            Path keyStore, char[] password, @Nullable String alias, @Nullable Path trustStore, char[] trustPassword)
            throws ProtectionException {
        KeyStore own = open(keyStore, password);
        try {
            String name = alias == null ? onlyKey(own, keyStore) : alias;
            Key key = name == null ? null : own.getKey(name, password);
            if (alias != null && !(key instanceof PrivateKey)) {
                throw new ProtectionException(
                        Reason.NO_KEY, "key store " + keyStore + " has no private key of the alias " + alias);
            }
            List<X509Certificate> chain =
                    key == null || name == null ? List.of() : certificates(own.getCertificateChain(name));
            List<X509Certificate> others = certificates(own);
            List<X509Certificate> trusted =
                    new ArrayList<>(trustStore == null ? others : certificates(open(trustStore, trustPassword)));
            trusted.addAll(chain.subList(0, Math.min(1, chain.size())));
            List<X509Certificate> known = new ArrayList<>(others);
            known.addAll(trusted);
            known.addAll(chain);
            return new KeyRing((PrivateKey) key, chain, known, trusted);
        } catch (GeneralSecurityException e) {
            throw new ProtectionException(
                    Reason.NO_KEY,
                    "the private key in key store " + keyStore + " cannot be read: " + e.getMessage(),
                    e);
        }
    }

    private static KeyStore open(Path file, char[] password) throws ProtectionException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType()); // reads both formats
            store.load(in, password);
            return store;
        } catch (NoSuchFileException e) {
            throw new ProtectionException(Reason.NO_KEY, "there is no key store " + file, e);
        } catch (IOException | GeneralSecurityException e) {
            throw new ProtectionException(
                    Reason.NO_KEY, "key store " + file + " cannot be read, check its password: " + e.getMessage(), e);
        }
    }

    private static @Nullable String onlyKey(KeyStore store, Path file)
            throws GeneralSecurityException, ProtectionException {
        List<String> keys = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                keys.add(alias);
            }
        }
        if (keys.size() > 1) {
            throw new ProtectionException(
                    Reason.NO_KEY, "key store " + file + " has several private keys, name the alias of one: " + keys);
        }
        return keys.isEmpty() ? null : keys.get(0);
    }

    private static List<X509Certificate> certificates(KeyStore store) throws ProtectionException {
        try {
            List<X509Certificate> found = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.isCertificateEntry(alias) && store.getCertificate(alias) instanceof X509Certificate one) {
                    found.add(one);
                }
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new ProtectionException(Reason.NO_KEY, "the certificates of a key store cannot be read", e);
        }
    }

    private static List<X509Certificate> certificates(Certificate @Nullable [] chain) {
        List<X509Certificate> found = new ArrayList<>();
        for (Certificate one : chain == null ? new Certificate[0] : chain) {
            if (one instanceof X509Certificate x509) {
                found.add(x509);
            }
        }
        return found;
    }

    /** Whether there is a private key. */
    public boolean hasPrivateKey() {
        return privateKey != null && !chain.isEmpty();
    }

    /** @throws ProtectionException when there is none */
    PrivateKey privateKey(String what) throws ProtectionException {
        PrivateKey present = privateKey;
        if (present == null || chain.isEmpty()) {
            throw new ProtectionException(
                    Reason.NO_KEY, "the key store has no private key with a certificate, and " + what + " needs one");
        }
        return present;
    }

    /** The own certificate. */
    X509Certificate certificate() {
        return chain.get(0);
    }

    List<X509Certificate> chain() {
        return chain;
    }

    List<X509Certificate> trusted() {
        return trusted;
    }

    /** The subject of the own certificate; empty without one. */
    String subject() {
        return chain.isEmpty() ? "" : SubjectName.of(certificate());
    }

    /**
     * The certificate of a recipient.
     *
     * @throws ProtectionException when there is none, or it cannot be used now
     */
    X509Certificate recipient(String subject, long nowMs) throws ProtectionException {
        String wanted = SubjectName.canonical(subject);
        X509Certificate expired = null;
        for (X509Certificate one : known) {
            if (SubjectName.canonical(one).equals(wanted)) {
                if (Validity.isValid(one, nowMs)) {
                    return one;
                }
                expired = one;
            }
        }
        if (expired != null) {
            throw new ProtectionException(
                    Reason.EXPIRED_CERTIFICATE,
                    "the certificate of recipient '" + subject + "' is valid from "
                            + expired.getNotBefore().toInstant() + " to "
                            + expired.getNotAfter().toInstant() + "; import a valid one");
        }
        throw new ProtectionException(
                Reason.NO_KEY,
                "there is no certificate of recipient '" + subject
                        + "'; import it into the key store or the trust store");
    }
}
