package dev.avocet.bench.agent;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says why two cannot talk, in words for the person who has set them up. Stateless. */
final class Mismatch {
    private static final String ALERT = "Received fatal alert: ";

    private Mismatch() {}

    /** @param own of the side that has failed */
    static String text(IOException failure, Credentials own) {
        String message = String.valueOf(failure.getMessage());
        if (failure.getCause() instanceof SocketTimeoutException && own.tls() == null) {
            return message + " (if the other side has --agent-cert, this one needs it too)";
        }
        if (own.tls() != null && failure instanceof SocketException) {
            return "it ended the connection (" + message + "); perhaps it does not trust the certificate of this side";
        }
        if (!(failure instanceof SSLException)) {
            return message;
        }
        CertificateException untrusted = untrusted(failure);
        if (untrusted != null) {
            return "its certificate is not one to trust (" + last(untrusted) + ")";
        }
        if (message.contains("unrecognized SSL message")) {
            return "it does not speak TLS (give both sides --agent-cert, --agent-key and --agent-trust, or none)";
        }
        if (message.startsWith(ALERT)) {
            return "it refuses the certificate of this side (" + message.substring(ALERT.length()) + ")";
        }
        if (message.equals("Empty client certificate chain")) {
            return "it shows no certificate of whom --agent-trust names";
        }
        return "TLS: " + message;
    }

    private static @Nullable CertificateException untrusted(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException found) {
                return found;
            }
        }
        return null;
    }

    /** The innermost says most: who has not signed it, or since when it is not good any more. */
    private static String last(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
