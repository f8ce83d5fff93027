package dev.avocet.core.endpoint;

import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why a handshake failed, in words for the log. */
final class HandshakeFailure {
    private static final int MAX_CHARS = 200;
    private static final int MAX_DEPTH = 10;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}|\\p{Cf}");

    private HandshakeFailure() {}

    static String reason(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            String known = known(cause);
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

    private static @Nullable String known(Throwable cause) {
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

    private static String printable(String text) {
        String shown = text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "…";
        return CONTROL.matcher(shown).replaceAll("?");
    }
}
