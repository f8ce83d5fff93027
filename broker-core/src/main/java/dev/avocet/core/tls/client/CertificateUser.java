package dev.avocet.core.tls.client;

import dev.avocet.core.config.object.security.CertificateField;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which user a client's certificate stands for.
 *
 * @param field of the certificate
 * @param pattern a regular expression that the whole field must match, of which the first group is the user name;
 *     without a group, or with an empty pattern, the field is
 */
public record CertificateUser(CertificateField field, String pattern) {
    /** The common name. */
    public static final CertificateUser COMMON_NAME = new CertificateUser(CertificateField.COMMON_NAME, "");

    /** Kinds of subject alternative names (RFC 5280, section 4.2.1.6). */
    private static final int RFC822_NAME = 1;

    private static final int DNS_NAME = 2;
    private static final int URI = 6;
    private static final int MAX_CHARS = 1_024;

    /** The user; null where the certificate names none. Only for certificates that were verified. */
    public @Nullable String of(X509Certificate certificate) {
        Pattern wanted = pattern.isEmpty() ? null : Pattern.compile(pattern);
        return values(field, certificate).stream()
                .filter(text -> !text.isBlank() && text.length() <= MAX_CHARS && text.indexOf('\0') < 0)
                .map(text -> wanted == null ? text : match(wanted, text))
                .filter(name -> name != null && !name.isBlank())
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String match(Pattern wanted, String text) {
        Matcher matcher = wanted.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        return matcher.groupCount() == 0 ? text : matcher.group(1);
    }

    private static Collection<String> values(CertificateField field, X509Certificate certificate) {
        return switch (field) {
            case COMMON_NAME -> {
                String name = CommonName.of(certificate);
                yield name == null ? List.of() : List.of(name);
            }
            case SUBJECT -> List.of(certificate.getSubjectX500Principal().getName());
            case EMAIL -> alternatives(certificate, RFC822_NAME);
            case DNS_NAME -> alternatives(certificate, DNS_NAME);
            case URI -> alternatives(certificate, URI);
        };
    }

    private static Collection<String> alternatives(X509Certificate certificate, int kind) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> name.get(0).equals(kind))
                            .map(name -> String.valueOf(name.get(1)))
                            .toList();
        } catch (CertificateParsingException e) {
            return List.of(); // a certificate whose names cannot be read names no user
        }
    }
}
