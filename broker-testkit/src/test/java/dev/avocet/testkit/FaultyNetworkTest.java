package dev.avocet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.time.SystemClock;
import dev.avocet.testkit.FaultyNetwork.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyNetworkTest {
    private static final int PATIENCE_MS = 30_000;
    private static final int SHORT_MS = 100;

    private ServerSocket listener;
    private FaultyNetwork network;
    private Socket client;
    private Socket server;

    @BeforeEach
    void connect() throws IOException {
        listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        network = FaultyNetwork.to(listener.getLocalPort());
        client = new Socket(InetAddress.getLoopbackAddress(), network.port());
        server = listener.accept();
        client.setSoTimeout(PATIENCE_MS);
        server.setSoTimeout(PATIENCE_MS);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
        network.close();
        listener.close();
    }

    @Test
    void shouldPassBytesBothWays() throws IOException {
        client.getOutputStream().write(new byte[] {1, 2, 3});
        assertThat(server.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);

        server.getOutputStream().write(4);
        assertThat(client.getInputStream().read()).isEqualTo(4);
    }

    @Test
    void shouldPassTheEndOfEachDirection() throws IOException {
        client.shutdownOutput();
        assertThat(server.getInputStream().read()).isEqualTo(-1);

        server.getOutputStream().write(4);
        assertThat(client.getInputStream().read()).isEqualTo(4);
        server.close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        Awaitility.await().until(() -> network.connectionCount() == 0);
    }

    @Test
    void shouldResetBothSidesWhenCut() throws IOException {
        awaitConnection();

        network.cut();

        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(SocketException.class);
        assertThat(network.connectionCount()).isZero();
    }

    @Test
    void shouldSwallowEverythingWhenHalfOpen() throws IOException {
        network.halfOpen();
        client.getOutputStream().write(1);
        server.getOutputStream().write(2);

        expectSilence(server);
        expectSilence(client);
        client.close();
        expectSilence(server);
    }

    @Test
    void shouldSwallowOneDirectionOnly() throws IOException {
        network.toClient(Fault.BLACKHOLE);
        client.getOutputStream().write(1);
        server.getOutputStream().write(2);

        assertThat(server.getInputStream().read()).isEqualTo(1);
        expectSilence(client);
    }

    @Test
    void shouldFlowAgainWhenHealed() throws IOException {
        network.halfOpen();
        client.getOutputStream().write(1);
        expectSilence(server);

        network.heal();
        client.getOutputStream().write(2);

        assertThat(server.getInputStream().read()).isEqualTo(2);
    }

    @Test
    void shouldDelay() throws IOException {
        SystemClock clock = new SystemClock();
        network.toServer(Fault.delay(Duration.ofMillis(50)));
        long beforeNs = clock.nanoTime();

        client.getOutputStream().write(1);

        assertThat(server.getInputStream().read()).isEqualTo(1);
        assertThat(clock.nanoTime() - beforeNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
    }

    @Test
    void shouldDribble() throws IOException {
        network.toServer(Fault.dribble(2, Duration.ofMillis(20)));

        client.getOutputStream().write(new byte[] {1, 2, 3, 4, 5});

        byte[] buffer = new byte[5];
        assertThat(server.getInputStream().read(buffer)).isEqualTo(2);
        assertThat(server.getInputStream().readNBytes(3)).containsExactly(3, 4, 5);
    }

    @Test
    void shouldRefuseWhenNobodyListens() throws IOException {
        listener.close();
        try (Socket another = new Socket(InetAddress.getLoopbackAddress(), network.port())) {
            another.setSoTimeout(PATIENCE_MS);

            assertThatThrownBy(() -> another.getInputStream().read()).isInstanceOf(SocketException.class);
        }
    }

    private void awaitConnection() {
        Awaitility.await().until(() -> network.connectionCount() == 1);
    }

    private static void expectSilence(Socket socket) throws IOException {
        socket.setSoTimeout(SHORT_MS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(PATIENCE_MS);
    }
}
