package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many connections that all claim to be the same client, through all loops at once. */
class TakeoverStormTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 100;

    @ParameterizedTest
    @ValueSource(longs = {0, 3600})
    void shouldLeaveOneConnectionAndCountRight(long expirySeconds) {
        try (Trouble trouble = new Trouble(Trouble.builder().loops(4))) {
            List<CompletableFuture<Void>> storms = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                boolean impatient = i % 2 == 0;
                storms.add(CompletableFuture.runAsync(
                        () -> storm(trouble.port(), expirySeconds, impatient), task -> new Thread(task).start()));
            }
            while (!storms.stream().allMatch(CompletableFuture::isDone)) {
                trouble.bystander.shouldBeServed();
            }
            CompletableFuture.allOf(storms.toArray(new CompletableFuture<?>[0])).join();

            trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
            trouble.broker.awaitCount(Counter.SESSIONS_CONNECTED, 1);
            trouble.broker.awaitCount(Counter.SESSIONS, expirySeconds == 0 ? 1 : 2);
            try (RawClient last = new RawClient(trouble.port(), ProtocolVersion.V5)) {
                ConnAck answer = last.connect(connect(expirySeconds));
                assertThat(answer.sessionPresent()).isEqualTo(expirySeconds > 0);
                last.expectNothing();
                trouble.broker.awaitCount(Counter.SESSIONS_CONNECTED, 2);
            }
            trouble.broker.awaitCount(Counter.SESSIONS_CONNECTED, 1);
            assertThat(trouble.broker.guard().openCount()).isEqualTo(1);
            trouble.shouldHaveHurtNobodyElse();
        }
    }

    /** An impatient client is gone before it is answered. */
    private static void storm(int port, long expirySeconds, boolean impatient) {
        for (int i = 0; i < ROUNDS; i++) {
            try (RawClient client = new RawClient(port, ProtocolVersion.V5)) {
                client.send(connect(expirySeconds));
                if (impatient) {
                    client.drop();
                } else {
                    client.receiveOrEnd();
                }
            }
        }
    }

    private static Connect connect(long expirySeconds) {
        return Connect.builder("storm")
                .cleanStart(false)
                .sessionExpiryIntervalSeconds(expirySeconds)
                .build();
    }
}
