package dev.avocet.core.config.object.security;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.object.field.Choices;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Reference;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.TextFormat;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

@Doc("How clients of an endpoint are authenticated and their connections encrypted.")
public record SecurityProfile(
        @Doc("What it is known by.") @Text(maxLength = 32, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc("Whether connections are encrypted.") @Named("TLSEnabled") @Default("true")
        boolean tlsEnabled,

        @Doc("The oldest version of TLS that is accepted.") @Default("TLSv1.2")
        TlsVersion minimumProtocolMethod,

        @Doc(
                "Whether clients must show a certificate: one that a TrustedCertificate vouches for, or that is a ClientCertificate.")
        boolean useClientCertificate,

        @Doc(
                "Whether clients must give a user name and its password. Without it the common name of the certificate is the user name.")
        @Default("true")
        boolean usePasswordAuthentication,

        @Doc(
                "Who is asked about user names and passwords, in this order: the broker's own users, then the directory of the LDAP object, if it is enabled. Who knows the user decides. The reference has no such value.")
        @Default("LocalUsers,LDAP")
        Set<LoginSource> authenticators,

        @Doc("Whether users who were given no password come in without one.")
        boolean allowNullPassword,

        @Doc("Which cipher suites are offered.") @Default("Medium")
        CipherSuites ciphers,

        @Doc("Whether the order of the client decides which cipher suite is taken.")
        boolean useClientCipher,

        @Doc(
                "Whether clients that come back within `TicketKeyInterval` skip half of the TLS handshake. Their certificates are checked again all the same. The reference has no such value.")
        @Default("true")
        boolean sessionResumption,

        @Doc(
                "After how many minutes session tickets get a new key. The key before opens tickets as long again, so that a session is resumed for twice as long at most. The reference has no such value.")
        @Range(min = 5, max = 1_440)
        @Default("60")
        int ticketKeyInterval,

        @Doc(
                "Which part of a client's certificate names the user: the common name, the whole subject as in RFC 2253, or a subject alternative name.")
        @Default("CommonName")
        CertificateField certificateUserField,

        @Doc(
                "A regular expression that the whole of that part must match; its first group is the user name. Without a group, or if empty, the whole part is. A certificate with several names of that kind has the first that matches.")
        @Text(maxLength = 256)
        String certificateUserPattern,

        @Doc(
                "The uploaded file with pre-shared keys: lines `identity,key`, the key in hexadecimal digits. It is read again when it changes. The identity is the user name. Without UsePasswordAuthentication and UseClientCertificate clients come in with such a key only. Cipher suites without forward secrecy need Ciphers Fast.")
        @Text(maxLength = 255, format = TextFormat.FILE_NAME)
        String preSharedKeys,

        @Doc(
                "Where the broker learns which certificates of clients are revoked; it does not ask if empty. Certificates of ClientCertificate objects are not looked up.")
        @Named("CRLProfile")
        @Reference(CRLProfile.class)
        String revocation,

        @Doc(
                "How OCSP responders are asked whether certificates of clients are revoked; none is asked if empty. Certificates of ClientCertificate objects are not looked up. The reference has no such value.")
        @Named("OCSPProfile")
        @Reference(OCSPProfile.class)
        String statusProfile,

        @Doc(
                "Whether clients get the answer of the OCSP responder about CertificateProfile within the handshake. The broker fetches it from the address in the certificate, whose file must hold the certificate of its authority as well. The reference has no such value.")
        @Named("OCSPStapling")
        boolean stapling,

        @Doc(
                "How clients log in with tokens of an OAuth server; without one they cannot. Who sends no token is asked of the Authenticators.")
        @Named("OAuthProfile")
        @Reference(OAuthProfile.class)
        String tokenProfile,

        @Doc(
                "How clients log in with LTPA tokens; without one they cannot. Not together with an OAuthProfile. Who sends no token is asked of the Authenticators, who are also asked for the groups of a token's user.")
        @Named("LTPAProfile")
        @Reference(LTPAProfile.class)
        String ltpaProfile,

        @Doc("The certificate that is shown to clients; required with TLS.") @Reference(CertificateProfile.class)
        String certificateProfile)
        implements ConfigurationObject {

    /** Copies the collections. */
    public SecurityProfile {
        authenticators = Choices.copyOf(authenticators);
    }

    @Override
    public void check(ObjectProblems problems) {
        boolean byToken = !tokenProfile.isEmpty() || !ltpaProfile.isEmpty();
        if (usePasswordAuthentication && authenticators.isEmpty() && !byToken) {
            problems.add(
                    "Authenticators",
                    "names none, so no user could log in; name LocalUsers, LDAP or both, or an OAuthProfile");
        }
        if (!tokenProfile.isEmpty() && !ltpaProfile.isEmpty()) {
            problems.add("LTPAProfile", "cannot be used together with an OAuthProfile; make one of them empty");
        }
        if (tlsEnabled && certificateProfile.isEmpty()) {
            problems.add(
                    "CertificateProfile", "is required with TLS; name one, or set TLSEnabled to false for plain text");
        }
        if (!preSharedKeys.isEmpty() && !tlsEnabled) {
            problems.add("PreSharedKeys", "needs TLS; set TLSEnabled to true");
        }
        try {
            Pattern.compile(certificateUserPattern);
        } catch (PatternSyntaxException e) {
            problems.add("CertificateUserPattern", "is not a regular expression: " + e.getDescription());
        }
        if (stapling && !tlsEnabled) {
            problems.add("OCSPStapling", "needs TLS; set TLSEnabled to true");
        }
        if (useClientCertificate && !tlsEnabled) {
            problems.add("UseClientCertificate", "needs TLS; set TLSEnabled to true");
        }
    }
}
