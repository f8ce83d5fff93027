package dev.avocet.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.metrics.Counter;
import dev.avocet.testkit.ManualLoops;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class AdmittedConnectionTest {
    private static final EndpointOptions OPTIONS = new EndpointOptions("test", new InetSocketAddress(0));

    private final ManualLoops loops = new ManualLoops(1);
    private final ConnectionGuard guard =
            new ConnectionGuard(new ConnectionGuard.Limits(10, 1, 0), loops.memory(), loops.clock());

    @Test
    void shouldCountAConnectionOutOnce() {
        AdmittedConnection accepted = admitted(new EmbeddedChannel());
        accepted.accepted();
        accepted.accepted();

        assertThat(guard.admit()).as("the first is accepted").isTrue();
        assertThat(guard.admit()).as("one that is not is all that is allowed").isFalse();
    }

    @Test
    void shouldNotAcceptAConnectionThatIsClosed() {
        EmbeddedChannel channel = new EmbeddedChannel();
        AdmittedConnection late = admitted(channel);
        channel.close();

        late.accepted();

        assertThat(loops.io(0).counters().get(Counter.CONNECTIONS_BAD)).isEqualTo(1);
        assertThat(guard.openCount()).isZero();
        assertThat(guard.admit()).isTrue();
        assertThat(guard.admit())
                .as("one that is not accepted is all that is allowed")
                .isFalse();
    }

    private AdmittedConnection admitted(EmbeddedChannel channel) {
        assertThat(guard.admit()).isTrue();
        return new AdmittedConnection(
                channel,
                new AdmittedConnection.Surroundings(loops.io(0), guard, OPTIONS, accepted -> {}, closed -> {}));
    }
}
