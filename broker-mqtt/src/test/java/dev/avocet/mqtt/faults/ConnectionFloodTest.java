package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.endpoint.ConnectionGuard;
import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Far more connections than are let in, none of which says who it is. */
class ConnectionFloodTest {
    private static final int BATCH = 1_000;

    @Test
    void shouldBoundThoseThatSayNothing() {
        flood(3_000, 1_000);
    }

    @Test
    @Tag("soak")
    void shouldBoundAHundredThousandThatSayNothing() {
        flood(100_000, 2_000);
    }

    private static void flood(int attempts, int maxUnaccepted) {
        ConnectionGuard.Limits limits = new ConnectionGuard.Limits(maxUnaccepted + 10, maxUnaccepted, 0);
        try (Trouble trouble = new Trouble(Trouble.builder().connectionLimits(limits))) {
            List<RawClient> open = new ArrayList<>();
            for (int done = 0; done < attempts; done += BATCH) {
                for (int i = 0; i < BATCH; i++) {
                    open.add(new RawClient(trouble.port(), ProtocolVersion.V5));
                }
                trouble.bystander.shouldBeServed();
                assertThat(trouble.broker.guard().openCount()).isLessThanOrEqualTo(maxUnaccepted + 1);
                List<RawClient> surplus = open.subList(Math.min(open.size(), maxUnaccepted), open.size());
                surplus.forEach(RawClient::close); // so that the test itself does not run out of files
                surplus.clear();
            }
            Awaitility.await().until(() -> everybodyWasSeen(trouble.broker, attempts));
            trouble.broker.settle();

            trouble.broker.advance(Duration.ofSeconds(11));

            trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
            assertThat(trouble.broker.count(Counter.CONNECTIONS_REFUSED)).isPositive();
            assertThat(trouble.broker.count(Counter.CONNECTIONS_REFUSED)
                            + trouble.broker.count(Counter.CONNECTIONS_BAD))
                    .isEqualTo(attempts);
            assertThat(trouble.broker.guard().openCount()).isEqualTo(1);
            RawClient.connected(trouble.port(), "afterwards").close();
            open.forEach(RawClient::close);
            trouble.shouldHaveHurtNobodyElse();
        }
    }

    /** The bystander is among the accepted. */
    private static boolean everybodyWasSeen(TestBroker broker, int attempts) {
        return broker.count(Counter.CONNECTIONS_REFUSED) + broker.count(Counter.CONNECTIONS_ACCEPTED) == attempts + 1;
    }
}
