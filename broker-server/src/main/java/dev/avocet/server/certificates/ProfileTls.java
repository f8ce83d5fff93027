package dev.avocet.server.certificates;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.security.CRLProfile;
import dev.avocet.core.config.object.security.CertificateProfile;
import dev.avocet.core.config.object.security.CipherSuites;
import dev.avocet.core.config.object.security.ClientCertificate;
import dev.avocet.core.config.object.security.OCSPProfile;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.object.security.TrustedCertificate;
import dev.avocet.core.security.provider.CertificateUse;
import dev.avocet.core.tls.TlsLibrary;
import dev.avocet.core.tls.TlsOptions;
import dev.avocet.core.tls.client.CertificateUser;
import dev.avocet.core.tls.client.ClientCertificates;
import dev.avocet.core.tls.client.ClientTrust;
import dev.avocet.core.tls.key.CipherClass;
import dev.avocet.core.tls.key.KeySource;
import dev.avocet.core.tls.psk.PskOptions;
import dev.avocet.core.tls.status.OcspOptions;
import dev.avocet.core.tls.status.RevocationOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a SecurityProfile, with the certificates that belong to it, means to TLS and to logins. */
public final class ProfileTls {
    private ProfileTls() {}

    /**
     * How connections are encrypted; null when they are not.
     *
     * @param folder where the uploaded files are
     */
    public static @Nullable TlsOptions options(Configuration configuration, SecurityProfile profile, Path folder)
            throws UnusableProfileException {
        if (!profile.tlsEnabled()) {
            return null;
        }
        CertificateProfile certificate = configuration
                .find(CertificateProfile.class, profile.certificateProfile())
                .orElseThrow();
        KeySource key =
                new KeySource.Pem(folder.resolve(certificate.certificate()), folder.resolve(certificate.key()), null);
        TlsOptions options = new TlsOptions(
                key,
                trust(configuration, profile, folder),
                profile.minimumProtocolMethod(),
                ciphers(profile.ciphers()),
                profile.useClientCipher(),
                profile.useClientCertificate() ? ClientCertificates.REQUIRE : ClientCertificates.NONE,
                TlsLibrary.BEST,
                TlsOptions.DEFAULT_HANDSHAKE_TIMEOUT_MS,
                TlsOptions.DEFAULT_MAX_HANDSHAKES);
        return options.withResumption(profile.sessionResumption())
                .withTicketKeyInterval(Duration.ofMinutes(profile.ticketKeyInterval()))
                .withRevocation(revocation(configuration, profile, folder))
                .withStatuses(statuses(configuration, profile))
                .withStapling(profile.stapling())
                .withUserNames(new CertificateUser(profile.certificateUserField(), profile.certificateUserPattern()))
                .withPreSharedKeys(
                        profile.preSharedKeys().isEmpty()
                                ? null
                                : new PskOptions(
                                        folder.resolve(profile.preSharedKeys()),
                                        !profile.usePasswordAuthentication() && !profile.useClientCertificate()));
    }

    /** A certificate alone says who a client is; where a password is asked for as well, that does. */
    public static CertificateUse certificateUse(SecurityProfile profile) {
        return profile.useClientCertificate() || !profile.preSharedKeys().isEmpty()
                ? new CertificateUse(!profile.usePasswordAuthentication(), false, profile.usePasswordAuthentication())
                : CertificateUse.NONE;
    }

    /** What is weak about it, a sentence each, for the log. */
    public static List<String> weaknesses(SecurityProfile profile) {
        List<String> found = new ArrayList<>();
        if (!profile.tlsEnabled()) {
            found.add("passwords and messages are sent in the clear");
        } else if (profile.minimumProtocolMethod().isBroken()) {
            found.add(profile.minimumProtocolMethod() + " is broken and not spoken; clients need TLSv1.2 or newer");
        }
        if (profile.allowNullPassword()) {
            found.add("users who were given no password come in without one");
        }
        boolean isOpen = !profile.usePasswordAuthentication()
                && !profile.useClientCertificate()
                && profile.preSharedKeys().isEmpty();
        if (isOpen) {
            found.add("clients come in without saying who they are");
        }
        return found;
    }

    private static @Nullable RevocationOptions revocation(
            Configuration configuration, SecurityProfile profile, Path folder) {
        if (!profile.useClientCertificate() || profile.revocation().isEmpty()) {
            return null;
        }
        CRLProfile lists =
                configuration.find(CRLProfile.class, profile.revocation()).orElseThrow();
        return new RevocationOptions(
                place(lists.source(), folder),
                lists.deltaSource().isEmpty() ? null : place(lists.deltaSource(), folder),
                Duration.ofMinutes(lists.updateInterval()),
                lists.revalidateConnection(),
                lists.acceptUnknownStatus());
    }

    private static @Nullable OcspOptions statuses(Configuration configuration, SecurityProfile profile) {
        if (!profile.useClientCertificate() || profile.statusProfile().isEmpty()) {
            return null;
        }
        OCSPProfile asked =
                configuration.find(OCSPProfile.class, profile.statusProfile()).orElseThrow();
        return new OcspOptions(
                asked.responder().isEmpty() ? null : URI.create(asked.responder()),
                Duration.ofSeconds(asked.timeoutSeconds()),
                Duration.ofMinutes(asked.updateInterval()),
                switch (asked.nonce()) {
                    case NEVER -> OcspOptions.Nonce.NEVER;
                    case OPTIONAL -> OcspOptions.Nonce.OPTIONAL;
                    case REQUIRED -> OcspOptions.Nonce.REQUIRED;
                },
                asked.revalidateConnection(),
                asked.acceptUnknownStatus());
    }

    private static URI place(String source, Path folder) {
        return source.indexOf(':') < 0 ? folder.resolve(source).toUri() : URI.create(source);
    }

    private static ClientTrust trust(Configuration configuration, SecurityProfile profile, Path folder)
            throws UnusableProfileException {
        if (!profile.useClientCertificate()) {
            return ClientTrust.NONE;
        }
        List<Path> authorities = configuration.all(TrustedCertificate.class).stream()
                .filter(each -> each.securityProfileName().equals(profile.name()))
                .map(each -> folder.resolve(each.name()))
                .toList();
        List<Path> pinned = configuration.all(ClientCertificate.class).stream()
                .filter(each -> each.securityProfileName().equals(profile.name()))
                .map(each -> folder.resolve(each.name()))
                .toList();
        if (authorities.isEmpty() && pinned.isEmpty()) {
            throw new UnusableProfileException("its SecurityProfile '" + profile.name()
                    + "' asks for client certificates, and has neither a TrustedCertificate nor a ClientCertificate to hold"
                    + " them against; create one");
        }
        return new ClientTrust(authorities, pinned);
    }

    private static CipherClass ciphers(CipherSuites suites) {
        return switch (suites) {
            case BEST -> CipherClass.BEST;
            case MEDIUM -> CipherClass.MEDIUM;
            case FAST -> CipherClass.FAST;
        };
    }
}
