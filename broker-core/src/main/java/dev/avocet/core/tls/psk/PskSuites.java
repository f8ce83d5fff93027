package dev.avocet.core.tls.psk;

import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.tls.key.CipherClass;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.bouncycastle.tls.CipherSuite;
import org.bouncycastle.tls.ProtocolVersion;

/** The cipher suites and versions that an endpoint takes with pre-shared keys, the best first. */
public record PskSuites(int[] codes, ProtocolVersion[] versions) {
    /** Of any class: clients know of a key that it belongs to SHA-256, and the suite with 256 bits has another hash. */
    private static final int[] TLS13 = {CipherSuite.TLS_AES_128_GCM_SHA256};

    private static final int[] ECDHE_256 = {
        CipherSuite.TLS_ECDHE_PSK_WITH_AES_256_GCM_SHA384, CipherSuite.TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA384
    };
    private static final int[] ECDHE_128 = {
        CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256, CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256
    };
    /** Without forward secrecy. */
    private static final int[] PLAIN = {
        CipherSuite.TLS_PSK_WITH_AES_128_GCM_SHA256,
        CipherSuite.TLS_PSK_WITH_AES_256_GCM_SHA384,
        CipherSuite.TLS_PSK_WITH_AES_128_CBC_SHA256,
        CipherSuite.TLS_PSK_WITH_AES_256_CBC_SHA384,
        CipherSuite.TLS_PSK_WITH_AES_128_CBC_SHA,
        CipherSuite.TLS_PSK_WITH_AES_256_CBC_SHA
    };

    public static PskSuites of(CipherClass ciphers, TlsVersion minimum) {
        int[][] taken =
                switch (ciphers) {
                    case APPROVED, BEST -> new int[][] {TLS13, ECDHE_256};
                    case MEDIUM -> new int[][] {TLS13, ECDHE_256, ECDHE_128};
                    case FAST -> new int[][] {TLS13, PLAIN, ECDHE_128, ECDHE_256};
                };
        ProtocolVersion oldest = minimum == TlsVersion.TLS_1_3 ? ProtocolVersion.TLSv13 : ProtocolVersion.TLSv12;
        return new PskSuites(
                Arrays.stream(taken).flatMapToInt(IntStream::of).toArray(), ProtocolVersion.TLSv13.downTo(oldest));
    }
}
