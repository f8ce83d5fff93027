package dev.avocet.server.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an idle connection with TLS costs: heap, and memory of the process. */
@InTurn
class TlsMemoryTest {
    private static final int SETTLED_CONNECTIONS = 100;
    private static final int CONNECTIONS = 600;
    private static final long HEAP_MAX_BYTES = 6_144;
    private static final long RESIDENT_MAX_BYTES = 48 << 10;

    @TempDir
    private Path directory;

    @Test
    void shouldHoldAnIdleConnectionInSixKilobytesOfHeap() throws IOException {
        // given
        TestAuthority authority = new TestAuthority("Test CA");
        SSLSocketFactory sockets = authority.clientContext(null, "TLSv1.3").getSocketFactory();
        List<SSLSocket> clients = new ArrayList<>();
        try (BrokerProcess broker = BrokerProcess.start(directory, configuration(authority), "-Xmx512m")) {
            connect(clients, SETTLED_CONNECTIONS, sockets, broker.port());
            long heapBefore = broker.liveHeapBytes();
            long residentBefore = broker.residentBytes();

            // when
            connect(clients, CONNECTIONS, sockets, broker.port());

            // then
            int added = CONNECTIONS - SETTLED_CONNECTIONS;
            long heapBytes = (broker.liveHeapBytes() - heapBefore) / added;
            long residentBytes = (broker.residentBytes() - residentBefore) / added;
            System.out.printf(
                    "%d connections with TLS: %d bytes of heap each, %d resident%n", added, heapBytes, residentBytes);
            assertThat(heapBytes).as("bytes of heap").isLessThanOrEqualTo(HEAP_MAX_BYTES);
            assertThat(residentBytes).as("resident bytes").isLessThanOrEqualTo(RESIDENT_MAX_BYTES);
        } finally {
            for (SSLSocket client : clients) {
                client.close();
            }
        }
    }

    private String configuration(TestAuthority authority) throws IOException {
        Issued server = authority.issue("localhost");
        Path folder = Files.createDirectories(directory.resolve("data").resolve("security"));
        server.writeCertificate(folder.resolve("server.pem"));
        server.writeKey(folder.resolve("server.key"));
        return "{\"endpoints\": [{\"port\": 0, \"tls\": {\"certificate\": \"server.pem\", \"key\": \"server.key\"}}]}";
    }

    private static void connect(List<SSLSocket> clients, int count, SSLSocketFactory sockets, int port)
            throws IOException {
        while (clients.size() < count) {
            SSLSocket socket = (SSLSocket) sockets.createSocket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            clients.add(socket);
            socket.getOutputStream().write(connectPacket("client-" + (100_000 + clients.size())));
            assertThat(socket.getInputStream().readNBytes(4)).containsExactly(0x20, 2, 0, 0);
        }
    }

    private static byte[] connectPacket(String clientId) {
        byte[] id = clientId.getBytes(StandardCharsets.US_ASCII);
        byte[] packet = new byte[14 + id.length];
        byte[] start = {0x10, (byte) (12 + id.length), 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, (byte) id.length};
        System.arraycopy(start, 0, packet, 0, start.length);
        System.arraycopy(id, 0, packet, start.length, id.length);
        return packet;
    }
}
