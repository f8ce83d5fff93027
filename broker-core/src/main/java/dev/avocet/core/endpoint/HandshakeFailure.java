package dev.avocet.core.endpoint;

import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a handshake failed, in words for the log. */
final class HandshakeFailure {
    private static final int MAX_CHARS = 400;
    private static final int MAX_DEPTH = 10;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|\\p{Cf}");

    private HandshakeFailure() {}

    /** @param offer what the client offers, as far as it has said so */
    static String reason(Throwable failure, ClientOffer offer) {
        Throwable cause = failure;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            String known = known(cause, offer);
            if (known != null) {
                return known;
            }
            Throwable next = cause.getCause();
            if (next == null || next.equals(cause)) {
                break;
            }
            cause = next;
        }
        return printable(String.valueOf(cause.getMessage()));
    }

    private static @Nullable String known(Throwable cause, ClientOffer offer) {
        if (cause instanceof SSLException && isOfCiphers(String.valueOf(cause.getMessage()))) {
            return "the endpoint takes none of the cipher suites that the client offers: " + offer.names()
                    + ". Choose another cipher class for the endpoint (Ciphers), or other suites for the client";
        }
        if (cause instanceof SSLException && isOfVersions(String.valueOf(cause.getMessage()))) {
            return "the client speaks no version of TLS that the endpoint takes. Update the client; or take an older version"
                    + " at the endpoint (MinimumProtocolMethod), TLSv1.2 at least";
        }
        if (cause instanceof CertificateExpiredException) {
            return "the client's certificate has expired";
        }
        if (cause instanceof CertificateNotYetValidException) {
            return "the client's certificate is not valid yet";
        }
        if (cause instanceof CertPathBuilderException && cause.getCause() == null) {
            return "the client's certificate comes from an authority that is not among the trusted certificates";
        }
        if (cause instanceof SslHandshakeTimeoutException) {
            return "the client took too long";
        }
        return cause instanceof ClosedChannelException ? "the client closed the connection" : null;
    }

    private static boolean isOfCiphers(String message) {
        return message.contains("NO_SHARED_CIPHER") || message.contains("no cipher suites in common");
    }

    private static boolean isOfVersions(String message) {
        return message.contains("UNSUPPORTED_PROTOCOL")
                || message.contains("is not enabled or supported in server context")
                || message.contains("is not accepted by server preferences");
    }

    private static String printable(String text) {
        String shown = text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "…";
        return CONTROL.matcher(shown).replaceAll("?");
    }
}
