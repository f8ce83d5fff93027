package dev.avocet.core.security.user;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which passwords were found right lately, so that thousands of clients who come back at once need not wait for a slow
 * hash each. Keeps a keyed hash of each, whose key never leaves the process, together with the very user it was right
 * for: a user that is changed has to be checked again. Thread-safe.
 */
public final class VerifiedPasswords {
    static final int CAPACITY = 10_000;

    private static final float LOAD_FACTOR = 0.75f;

    private final KeyedPrint print;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, VerifiedPasswords.Entry> eldest) {
            return size() > CAPACITY;
        }
    };

    public VerifiedPasswords(SecureRandom random) {
        print = new KeyedPrint(random);
    }

    @SuppressWarnings("ReferenceEquality") // a user that has been changed is another object
    public boolean holds(User user, byte[] password) {
        Entry entry;
        synchronized (entries) { // a map in order of use has no concurrent twin; held for the length of a look-up
            entry = entries.get(user.name());
        }
        return entry != null && entry.user == user && MessageDigest.isEqual(entry.mac, print.of(user.name(), password));
    }

    public void add(User user, byte[] password) {
        Entry entry = new Entry(user, print.of(user.name(), password));
        synchronized (entries) { // as above
            entries.put(user.name(), entry);
        }
    }

    private record Entry(User user, byte[] mac) {}
}
