package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.run.Verdict.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients are dealt round the addresses that they may come from. */
final class AddressSpreadTest {
    private static final byte[] CONNACK = {0x20, 2, 0, 0};

    private final List<String> origins = Collections.synchronizedList(new ArrayList<>());
    private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldComeFromEachAddressAsOften() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            // given a server that lets everybody in, and eight clients with four addresses
            Thread thread = new Thread(() -> accept(server), "accept");
            thread.setDaemon(true);
            thread.start();
            Plans run = new Plans(server.getLocalPort());
            run.producers = 0;
            run.consumers = 0;
            run.idle = 8;
            run.measureMs = 1;
            for (int last = 2; last <= 5; last++) {
                run.sources = new ArrayList<>(run.sources);
                run.sources.add(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}));
            }

            // when
            assertThat(run.run().verdict().outcome()).isEqualTo(Outcome.PASSED);

            // then
            assertThat(origins)
                    .containsExactlyInAnyOrder(
                            "127.0.0.2",
                            "127.0.0.2",
                            "127.0.0.3",
                            "127.0.0.3",
                            "127.0.0.4",
                            "127.0.0.4",
                            "127.0.0.5",
                            "127.0.0.5");
        } finally {
            for (Socket socket : List.copyOf(sockets)) {
                socket.close();
            }
        }
    }

    /** One after the other; whoever has said good-bye closes their own end. */
    private void accept(ServerSocket server) {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                origins.add(socket.getInetAddress().getHostAddress());
                socket.getOutputStream().write(CONNACK);
            } catch (IOException closed) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(closed);
                }
            }
        }
    }
}
