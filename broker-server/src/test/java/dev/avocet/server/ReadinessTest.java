package dev.avocet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.admin.Health.Status;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.endpoint.EndpointState;
import dev.avocet.server.store.StoreHealth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadinessTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1883);
    private static final StoreHealth OPEN = StoreHealth.ofMemory("memory");

    @Test
    void shouldBeReadyWhenItServes() {
        assertThat(new Readiness(Status.RUNNING, OPEN, List.of(ADDRESS), new FakeBroker(List.of())).problems())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "STARTING, the broker is starting",
        "STOPPING, the broker is stopping",
        "STORE_FAILED, 'the store has failed, and the broker ends; the log says more'"
    })
    void shouldSayWhatStateKeepsItFromServing(Status status, String problem) {
        assertThat(new Readiness(status, OPEN, List.of(ADDRESS), null).problems())
                .containsExactly(problem);
    }

    @Test
    void shouldNameTheStoreAndTheEndpoints() {
        // given
        EndpointState failed = new EndpointState("plant", true, null, List.of(), false, "cannot listen on port 1");
        EndpointState disabled = new EndpointState("old", false, null, List.of(), false, null);

        // then
        assertThat(new Readiness(Status.STARTING, StoreHealth.opening("sync"), List.of(), null).problems())
                .containsExactly("the broker is starting", "the store is being opened");
        assertThat(new Readiness(Status.RUNNING, OPEN, List.of(), new FakeBroker(List.of(failed, disabled))).problems())
                .containsExactly("endpoint 'plant' does not listen: cannot listen on port 1", "no endpoint listens");
    }

    private record FakeBroker(List<EndpointState> objectEndpoints) implements RunningBroker {
        @Override
        public List<InetSocketAddress> endpoints() {
            return List.of();
        }

        @Override
        public void close() {}
    }
}
