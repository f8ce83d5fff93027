package dev.avocet.core.tls.key;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.KeyManagerFactory;

/** A key and the certificates that vouch for it, its own first. */
public record CertifiedKey(PrivateKey key, List<X509Certificate> chain) {
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /**
     * For libraries that take keys of a store. It has a password, as there are providers that take no empty one, and
     * never leaves the memory.
     */
    public KeyManagerFactory managers() throws GeneralSecurityException, IOException {
        char[] password = UUID.randomUUID().toString().toCharArray();
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("key", key, password, chain.toArray(new Certificate[0]));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, password);
        return managers;
    }

    /** When the first of them runs out. */
    public Instant expiry() {
        return chain.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }
}
