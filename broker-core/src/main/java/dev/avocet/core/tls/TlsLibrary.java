package dev.avocet.core.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

/** Who does the cryptography of TLS. */
public enum TlsLibrary {
    /** BoringSSL where its library loads, else the JDK. */
    BEST,
    BORINGSSL,
    JDK;

    /**
     * Refuses to negotiate anew on behalf of a client, which is a cheap way to keep a server busy. BoringSSL never
     * does.
     */
    private static final String NO_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    SslProvider provider() {
        boolean boring = this == BORINGSSL || (this == BEST && OpenSsl.isAvailable());
        if (!boring && System.getProperty(NO_RENEGOTIATION) == null) {
            System.setProperty(NO_RENEGOTIATION, "true");
        }
        return boring ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;
    }
}
