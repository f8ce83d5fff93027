package dev.avocet.server;

import dev.avocet.server.admin.AdminPlace;
import dev.avocet.server.broker.endpoint.EndpointState;
import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.config.StoreMode;
import dev.avocet.server.config.WireProtocol;
import dev.avocet.server.process.HostAndPort;
import dev.avocet.server.process.Version;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * What the process prints on standard output while it starts and stops. Scripts wait for the line that begins with
 * "ready".
 */
final class Announcement {
    private final PrintWriter out;

    Announcement(PrintWriter out) {
        this.out = out;
    }

    void starting(Path data) {
        say("Avocet " + Version.text() + ", Java " + Runtime.version() + ", process "
                + ProcessHandle.current().pid() + ", data directory " + data);
    }

    void listening(List<EndpointConfig> configured, List<InetSocketAddress> addresses) {
        for (int i = 0; i < addresses.size(); i++) {
            EndpointConfig endpoint = configured.get(i);
            String protocols = spoken(
                    endpoint.protocols().stream().map(WireProtocol::toString).toList());
            say("listening on " + HostAndPort.show(addresses.get(i)) + " for " + protocols
                    + (endpoint.tls().enabled() ? " over TLS" : "") + ", endpoint '" + endpoint.name() + "'");
        }
    }

    /** As one lists things in a sentence. */
    private static String spoken(List<String> protocols) {
        int last = protocols.size() - 1;
        return last < 1
                ? String.join("", protocols)
                : String.join(", ", protocols.subList(0, last)) + " and " + protocols.get(last);
    }

    /** Those that are configuration objects. */
    void listening(List<EndpointState> objects) {
        for (EndpointState endpoint : objects) {
            InetSocketAddress address = endpoint.address();
            if (address != null) {
                say("listening on " + HostAndPort.show(address) + " for " + spoken(endpoint.protocols())
                        + (endpoint.encrypted() ? " over TLS" : "") + ", endpoint '" + endpoint.name() + "'");
            }
        }
    }

    /** @param port the real one */
    void administering(AdminPlace place, int port) {
        say("listening on " + HostAndPort.show(place.address().getHostString(), port) + " for "
                + (place.tls() == null ? "http" : "https") + ", /health, /metrics and /api/v1");
    }

    void ready(StoreMode store, long elapsedMs) {
        String kept =
                store == StoreMode.MEMORY ? "; store 'memory': nothing survives a restart" : "; store '" + store + "'";
        say("ready after " + elapsedMs + " ms" + kept);
    }

    /** @param line what this node of a pair is now */
    void role(String line) {
        say(line);
    }

    /** The arbiter of a pair is up. */
    void votes(String address, String group) {
        say("listening on " + address + " for the members of the pair '" + group + "'");
        say("role arbiter");
        say("ready after " + ServerState.uptimeMs() + " ms");
    }

    void stopsVoting() {
        say("stopping");
    }

    void stopping() {
        say("stopping: no new connections, clients are being disconnected");
    }

    void stopped() {
        say("stopped");
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
