package dev.avocet.ha.trust;

import io.netty.util.NetUtil;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether a certificate is issued for a host: by its alternative names, as HTTPS does it (RFC 9525). */
final class CertificateNames {
    private static final int DNS = 2;
    private static final int IP = 7;

    private CertificateNames() {}

    /** @param host a name or an IP address */
    static boolean hold(X509Certificate certificate, @Nullable String host) {
        if (host == null) {
            return false;
        }
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names != null && names.stream().anyMatch(each -> isFor((Integer) each.get(0), each.get(1), host));
        } catch (CertificateParsingException e) {
            return false;
        }
    }

    private static boolean isFor(int kind, Object value, String host) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        if (address != null) {
            return kind == IP
                    && value instanceof String text
                    && Arrays.equals(address, NetUtil.createByteArrayFromIpAddressString(text));
        }
        return kind == DNS && value instanceof String text && isFor(text.toLowerCase(Locale.ROOT), withoutDot(host));
    }

    /** A star stands for one whole label, the first. */
    private static boolean isFor(String name, String host) {
        if (!name.startsWith("*.")) {
            return withoutDot(name).equals(host);
        }
        int dot = host.indexOf('.');
        return dot > 0
                && name.indexOf('.', 2) > 0
                && withoutDot(name.substring(1)).equals(host.substring(dot));
    }

    private static String withoutDot(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
