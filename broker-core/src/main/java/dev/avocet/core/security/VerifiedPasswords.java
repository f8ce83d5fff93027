package dev.avocet.core.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Which passwords were found right lately, so that thousands of clients who come back at once need not wait for a slow
 * hash each. Keeps a keyed hash of each, whose key never leaves the process, together with the very user it was right
 * for: a user that is changed has to be checked again. Thread-safe.
 */
final class VerifiedPasswords {
    static final int CAPACITY = 10_000;

    private static final String HMAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final float LOAD_FACTOR = 0.75f;

    private final SecretKeySpec key;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, VerifiedPasswords.Entry> eldest) {
            return size() > CAPACITY;
        }
    };

    VerifiedPasswords(SecureRandom random) {
        byte[] secret = new byte[KEY_BYTES];
        random.nextBytes(secret);
        key = new SecretKeySpec(secret, HMAC);
    }

    @SuppressWarnings("ReferenceEquality") // a user that has been changed is another object
    boolean holds(User user, byte[] password) {
        Entry entry;
        synchronized (entries) { // a map in order of use has no concurrent twin; held for the length of a look-up
            entry = entries.get(user.name());
        }
        return entry != null && entry.user == user && MessageDigest.isEqual(entry.mac, mac(user.name(), password));
    }

    void add(User user, byte[] password) {
        Entry entry = new Entry(user, mac(user.name(), password));
        synchronized (entries) { // as above
            entries.put(user.name(), entry);
        }
    }

    private byte[] mac(String name, byte[] password) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(name.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(password);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256, which every Java 17 runtime has", e);
        }
    }

    private record Entry(User user, byte[] mac) {}
}
