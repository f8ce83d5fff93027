package dev.avocet.core.tls.status;

import dev.avocet.core.tls.client.ClientVerifier;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The certificates of the clients that are connected, to be looked at again when something is revoked. Thread-safe. */
final class LiveCertificates {
    private final Map<LiveConnection, X509Certificate[]> shown = new ConcurrentHashMap<>();

    /** Remembers them until the connection ends. */
    void add(LiveConnection connection, X509Certificate[] chain) {
        shown.put(connection, chain);
        connection.onEnd(() -> shown.remove(connection));
    }

    /** Ends the connections whose certificates do not count any more; tells how many. */
    int close(ClientVerifier.RevocationCheck check) {
        int closed = 0;
        for (Map.Entry<LiveConnection, X509Certificate[]> each : shown.entrySet()) {
            try {
                check.check(each.getValue());
            } catch (CertificateException revoked) {
                each.getKey().end();
                closed++;
            }
        }
        return closed;
    }
}
