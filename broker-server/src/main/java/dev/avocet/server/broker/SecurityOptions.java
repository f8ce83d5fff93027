package dev.avocet.server.broker;

import dev.avocet.core.security.provider.CertificateUse;
import dev.avocet.core.tls.TlsLibrary;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.core.tls.client.ClientTrust;
import dev.avocet.core.tls.key.CipherClass;
import dev.avocet.core.tls.key.KeySource;
import dev.avocet.server.config.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the configuration means to TLS and to logins. */
final class SecurityOptions {
    private SecurityOptions() {}

    /** @param folder where relative paths begin */
    static TlsOptions tls(TlsConfig tls, Path folder) {
        return new TlsOptions(
                key(tls, folder),
                tls.trustedCertificates().isEmpty()
                        ? ClientTrust.NONE
                        : new ClientTrust(List.of(folder.resolve(tls.trustedCertificates())), List.of()),
                tls.minimumProtocol(),
                switch (tls.ciphers()) {
                    case BEST -> CipherClass.BEST;
                    case MEDIUM -> CipherClass.MEDIUM;
                    case FAST -> CipherClass.FAST;
                },
                false,
                tls.clientCertificates(),
                TlsLibrary.BEST,
                tls.handshakeTimeoutMs(),
                TlsOptions.DEFAULT_MAX_HANDSHAKES);
    }

    static CertificateUse certificateUse(TlsConfig tls) {
        return tls.enabled()
                ? new CertificateUse(
                        tls.commonNameIsUserName(), tls.commonNameIsClientId(), tls.passwordAuthentication())
                : CertificateUse.NONE;
    }

    private static KeySource key(TlsConfig tls, Path folder) {
        if (!tls.keyStore().isEmpty()) {
            return new KeySource.Pkcs12(folder.resolve(tls.keyStore()), tls.keyPassword());
        }
        return new KeySource.Pem(
                folder.resolve(tls.certificate()), folder.resolve(tls.key()), nullIfEmpty(tls.keyPassword()));
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }
}
