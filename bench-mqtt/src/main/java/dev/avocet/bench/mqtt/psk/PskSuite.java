package dev.avocet.bench.mqtt.psk;

import java.util.Arrays;
import java.util.Locale;
import org.bouncycastle.tls.CipherSuite;

/**
 * The cipher suites that work with a pre-shared key and the JDK's ciphers, by their registered names; the ones to be
 * preferred first.
 */
enum PskSuite {
    TLS_AES_128_GCM_SHA256(CipherSuite.TLS_AES_128_GCM_SHA256),
    TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256(CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256),
    TLS_ECDHE_PSK_WITH_AES_256_GCM_SHA384(CipherSuite.TLS_ECDHE_PSK_WITH_AES_256_GCM_SHA384),
    TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256(CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256),
    TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA384(CipherSuite.TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA384),
    TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA(CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA),
    TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA(CipherSuite.TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA),
    TLS_PSK_WITH_AES_128_GCM_SHA256(CipherSuite.TLS_PSK_WITH_AES_128_GCM_SHA256),
    TLS_PSK_WITH_AES_256_GCM_SHA384(CipherSuite.TLS_PSK_WITH_AES_256_GCM_SHA384),
    TLS_PSK_WITH_AES_128_CBC_SHA256(CipherSuite.TLS_PSK_WITH_AES_128_CBC_SHA256),
    TLS_PSK_WITH_AES_256_CBC_SHA384(CipherSuite.TLS_PSK_WITH_AES_256_CBC_SHA384),
    TLS_PSK_WITH_AES_128_CBC_SHA(CipherSuite.TLS_PSK_WITH_AES_128_CBC_SHA),
    TLS_PSK_WITH_AES_256_CBC_SHA(CipherSuite.TLS_PSK_WITH_AES_256_CBC_SHA);

    final int code;

    PskSuite(int code) {
        this.code = code;
    }

    /** Whether it belongs to TLS 1.3; the others to TLS 1.2. */
    boolean isOfTls13() {
        return !name().contains("_WITH_");
    }

    /** @param name registered, or OpenSSL's, such as {@code PSK-AES256-CBC-SHA} */
    static PskSuite of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        String registered = upper.startsWith("TLS_")
                ? upper
                : "TLS_"
                        + upper.replace('-', '_')
                                .replaceFirst("PSK_", "PSK_WITH_")
                                .replace("AES128", "AES_128")
                                .replace("AES256", "AES_256");
        return Arrays.stream(values())
                .filter(suite -> suite.name().equals(registered))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--cipher: " + name
                        + " is not a suite for pre-shared keys; those are " + Arrays.toString(values())));
    }
}
