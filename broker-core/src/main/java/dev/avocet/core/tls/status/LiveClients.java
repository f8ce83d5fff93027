package dev.avocet.core.tls.status;

import dev.avocet.core.tls.status.StatusMemory.Fingerprint;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/** The clients that are connected, by their certificate, and when it is looked up again. Thread-safe. */
final class LiveClients {
    private final Map<Fingerprint, Client> clients = new ConcurrentHashMap<>();

    /** Remembers a connection until it ends. */
    void add(Fingerprint key, X509Certificate[] chain, LiveConnection connection, long dueAtNs) {
        clients.compute(key, (same, known) -> {
            Client client = known == null ? new Client(chain, ConcurrentHashMap.newKeySet(), dueAtNs) : known;
            client.connections.add(connection);
            return client;
        });
        connection.onEnd(() -> remove(key, connection));
    }

    /** When a certificate is looked up again; nothing happens when its clients are gone. */
    void setDue(Fingerprint key, long dueAtNs) {
        clients.computeIfPresent(key, (same, known) -> new Client(known.chain, known.connections, dueAtNs));
    }

    /** Hands over the certificates whose time has come, until one is not taken. */
    void forEachDue(long nowNs, BiPredicate<Fingerprint, X509Certificate[]> taker) {
        for (Map.Entry<Fingerprint, Client> each : clients.entrySet()) {
            if (nowNs - each.getValue().dueAtNs >= 0 && !taker.test(each.getKey(), each.getValue().chain)) {
                return;
            }
        }
    }

    /** Ends the connections of a certificate; tells how many. */
    int close(Fingerprint key) {
        Client client = clients.get(key);
        if (client == null) {
            return 0;
        }
        client.connections.forEach(LiveConnection::end);
        return client.connections.size();
    }

    private void remove(Fingerprint key, LiveConnection connection) {
        clients.computeIfPresent(key, (same, known) -> {
            known.connections.remove(connection);
            return known.connections.isEmpty() ? null : known;
        });
    }

    private record Client(X509Certificate[] chain, Set<LiveConnection> connections, long dueAtNs) {}
}
