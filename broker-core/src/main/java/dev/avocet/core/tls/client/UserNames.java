package dev.avocet.core.tls.client;

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
public record UserNames(Field field, String pattern) {
    /** The common name. */
    public static final UserNames COMMON_NAME = new UserNames(Field.COMMON_NAME, "");

    private static final int MAX_CHARS = 1_024;

    /** The user; null where the certificate names none. Only for certificates that were verified. */
    public @Nullable String of(X509Certificate certificate) {
        Pattern wanted = pattern.isEmpty() ? null : Pattern.compile(pattern);
        return field.values(certificate).stream()
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

    /** A part of a certificate that names its owner. */
    public enum Field {
        /** The most specific common name of the subject. */
        COMMON_NAME(-1),
        /** The subject as a whole, as RFC 2253 writes it. */
        SUBJECT(-1),
        EMAIL(1),
        DNS_NAME(2),
        URI(6);

        private final int kind;

        Field(int kind) {
            this.kind = kind;
        }

        private Collection<String> values(X509Certificate certificate) {
            if (this == COMMON_NAME) {
                String name = CommonName.of(certificate);
                return name == null ? List.of() : List.of(name);
            }
            return this == SUBJECT
                    ? List.of(certificate.getSubjectX500Principal().getName())
                    : alternatives(certificate);
        }

        private Collection<String> alternatives(X509Certificate certificate) {
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
}
