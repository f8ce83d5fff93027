package dev.avocet.server.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a connection costs that is only there: the heap that the broker would not have in use without it. */
@InTurn
class ConnectionHeapTest {
    private static final String DEFAULTS = "{}";
    private static final int SETTLED_CONNECTIONS = 100;
    private static final long PLAIN_MAX_BYTES = 2_048;
    private static final long SUBSCRIBED_MAX_BYTES = 3_488;

    @TempDir
    private Path directory;

    @Test
    void shouldHoldAnIdleConnectionInTwoKilobytes() throws IOException {
        measure(1_100);
    }

    @Test
    @Tag("soak")
    void shouldHoldFifteenThousandIdleConnections() throws IOException {
        measure(15_000);
    }

    private void measure(int count) throws IOException {
        try (BrokerProcess broker = BrokerProcess.start(directory, DEFAULTS, "-Xmx512m");
                IdleClients clients = new IdleClients(broker.port())) {
            // given: everything loaded and warm that all connections share
            clients.connectUpTo(SETTLED_CONNECTIONS);
            clients.subscribeUpTo(SETTLED_CONNECTIONS);
            Sample empty = Sample.of(broker);

            // when
            clients.connectUpTo(count);
            Sample connected = Sample.of(broker);
            clients.subscribeUpTo(count);
            Sample subscribed = Sample.of(broker);

            // then
            int added = count - SETTLED_CONNECTIONS;
            long plainBytes = (connected.heapBytes - empty.heapBytes) / added;
            long subscribedBytes = (subscribed.heapBytes - empty.heapBytes) / added;
            System.out.printf(
                    "%d connections: %d bytes of heap each, %d with a subscription; resident %d MB, %d MB, %d MB%n",
                    count,
                    plainBytes,
                    subscribedBytes,
                    empty.residentBytes >> 20,
                    connected.residentBytes >> 20,
                    subscribed.residentBytes >> 20);
            assertThat(plainBytes).as("bytes of heap for a connection").isLessThanOrEqualTo(PLAIN_MAX_BYTES);
            assertThat(subscribedBytes)
                    .as("bytes of heap for a connection with a subscription")
                    .isLessThanOrEqualTo(SUBSCRIBED_MAX_BYTES);
        }
    }

    private record Sample(long heapBytes, long residentBytes) {
        static Sample of(BrokerProcess broker) throws IOException {
            return new Sample(broker.liveHeapBytes(), broker.residentBytes());
        }
    }
}
