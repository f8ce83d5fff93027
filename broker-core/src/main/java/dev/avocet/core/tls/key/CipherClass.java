package dev.avocet.core.tls.key;

import java.util.List;

/**
 * Which cipher suites an endpoint takes, in the order in which it prefers them. With TLS 1.3 every suite is a good one;
 * BoringSSL always offers all three of them.
 */
public enum CipherClass {
    /** Keys of 256 bits and forward secrecy only. */
    BEST(false, Suites.TLS13_256, Suites.ECDHE_256),
    /** Those of the best that FIPS 140 approves. */
    APPROVED(false, Suites.APPROVED),
    /** Also keys of 128 bits; forward secrecy only. What current clients speak. */
    MEDIUM(false, Suites.TLS13_256, Suites.TLS13_128, Suites.ECDHE_256, Suites.ECDHE_128),
    /**
     * The quickest ones first, and {@value Suites#RSA} for clients that know nothing better: who gets hold of the
     * server's key can then read what was recorded before.
     */
    FAST(true, Suites.TLS13_128, Suites.TLS13_256, Suites.ECDHE_128, Suites.ECDHE_256);

    private final boolean staticRsa;
    private final String suites;

    CipherClass(boolean staticRsa, String... groups) {
        String all = String.join(" ", groups);
        this.staticRsa = staticRsa;
        this.suites = staticRsa ? all + " " + Suites.RSA : all;
    }

    /** Names as in the standards. */
    public List<String> suites() {
        return List.of(suites.split(" ", -1));
    }

    /** True when a suite without forward secrecy is among them. */
    public boolean hasStaticRsa() {
        return staticRsa;
    }

    /** Suites that go together, separated by blanks. */
    public static final class Suites {
        public static final String RSA = "TLS_RSA_WITH_AES_256_GCM_SHA384";
        private static final String APPROVED = "TLS_AES_256_GCM_SHA384 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
                + " TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384";
        private static final String TLS13_256 = "TLS_AES_256_GCM_SHA384 TLS_CHACHA20_POLY1305_SHA256";
        private static final String TLS13_128 = "TLS_AES_128_GCM_SHA256";
        private static final String ECDHE_256 = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
                + " TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"
                + " TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
                + " TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256";
        private static final String ECDHE_128 =
                "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";

        private Suites() {}
    }
}
