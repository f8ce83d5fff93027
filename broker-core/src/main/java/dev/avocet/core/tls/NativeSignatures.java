package dev.avocet.core.tls;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.Provider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signatures by a library of machine code, which uses instructions that the Java runtime and BoringSSL do not: RSA with
 * 2,048 bits in half of BoringSSL's time, checks on P-256 in a tenth of Java's. It is there on Linux on x86-64. May be
 * asked by any thread.
 */
public final class NativeSignatures {
    private NativeSignatures() {}

    /** Null where its library does not load; Java's own providers do the same then. */
    public static @Nullable Provider provider() {
        return Loaded.PROVIDER;
    }

    /** The library is loaded, and checks itself, when it is first needed: that takes some 0.1 s. */
    private static final class Loaded {
        static final @Nullable Provider PROVIDER = load();

        private static @Nullable Provider load() {
            Logger log = LoggerFactory.getLogger(NativeSignatures.class);
            try {
                AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
                provider.assertHealthy();
                log.info("Signatures are made and checked by {} {}", provider.getName(), provider.getVersionStr());
                return provider;
            } catch (RuntimeException | LinkageError e) {
                log.info("Signatures are made and checked by the Java runtime and BoringSSL: {}", e.getMessage());
                return null;
            }
        }
    }
}
