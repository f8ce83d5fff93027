package dev.avocet.core.tls.key;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Signature;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signatures by a library of machine code, which uses instructions that the Java runtime and BoringSSL do not: RSA with
 * 2,048 bits in half of BoringSSL's time. It is there on Linux on x86-64. May be asked by any thread.
 */
final class NativeSignatures {
    private static final String RUNTIME = "SunRsaSign";

    private NativeSignatures() {}

    /**
     * Null where its library does not load, and where the administrator has put a provider before those of the Java
     * runtime, as for FIPS 140: that one does the same then.
     */
    static @Nullable Provider provider() {
        return Loaded.PROVIDER;
    }

    /** The library is loaded, and checks itself, when it is first needed: that takes some 0.1 s. */
    private static final class Loaded {
        static final @Nullable Provider PROVIDER = load();

        private static @Nullable Provider load() {
            Logger log = LoggerFactory.getLogger(NativeSignatures.class);
            try {
                String chosen =
                        Signature.getInstance("SHA256withRSA").getProvider().getName();
                if (!RUNTIME.equals(chosen)) {
                    log.info(
                            "BoringSSL signs with RSA keys, as {} comes before the providers of the Java runtime",
                            chosen);
                    return null;
                }
                AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
                provider.assertHealthy();
                log.info("{} {} signs with RSA keys", provider.getName(), provider.getVersionStr());
                return provider;
            } catch (GeneralSecurityException | RuntimeException | LinkageError e) {
                log.info("BoringSSL signs with RSA keys, as the quicker library does not load: {}", e.getMessage());
                return null;
            }
        }
    }
}
