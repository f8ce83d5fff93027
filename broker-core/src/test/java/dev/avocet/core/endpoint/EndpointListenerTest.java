package dev.avocet.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EndpointListenerTest {
    private static final int TIMES = 1_000;

    @ParameterizedTest
    @MethodSource("available")
    void shouldListenAgainAtOnceWhereItHasStopped(Transport transport) throws IOException {
        // given
        ManualClock clock = new ManualClock();
        MemoryGuard memory = new MemoryGuard();
        ConnectionGuard guard = new ConnectionGuard(new ConnectionGuard.Limits(100, 100, 0), memory, clock);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next());
        EndpointOptions options = new EndpointOptions("test", address, 1 << 20, 10_000, 16);
        try (EventLoops threads = new EventLoops(transport, 2);
                LoopGroup loops = new LoopGroup(threads, clock, memory)) {
            for (int time = 0; time < TIMES; time++) {
                // when
                try (EndpointListener listener = EndpointListener.bind(options, loops, guard, List.of())) {
                    // then
                    assertThat(listener.address()).isEqualTo(address);
                }
            }
        }
    }

    static Stream<Transport> available() {
        return Arrays.stream(Transport.values()).filter(Transport::isAvailable);
    }
}
