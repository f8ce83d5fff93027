package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.FaultyNetwork;
import dev.avocet.testkit.FaultyNetwork.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients behind a network that fails: the others hear of it by the will. */
class BrokenNetworkTest {
    private final Trouble trouble = new Trouble();
    private final FaultyNetwork network = FaultyNetwork.to(trouble.port());
    private final RawClient heir = RawClient.connected(trouble.port(), "heir");
    private final RawClient client = new RawClient(network.port(), ProtocolVersion.V5);

    @BeforeEach
    void connect() {
        heir.subscribe("will", QualityOfService.AT_MOST_ONCE);
    }

    @AfterEach
    void close() {
        client.close();
        heir.close();
        network.close();
        trouble.close();
    }

    @Test
    void shouldPublishTheWillWhenTheConnectionIsCut() {
        client.connect(withWill());

        network.cut();

        shouldPublishTheWill();
        assertThat(trouble.broker.count(Counter.PROTOCOL_ERRORS)).isZero();
    }

    @Test
    void shouldNoticeAHalfOpenConnectionByItsSilence() {
        client.connect(withWill());
        network.halfOpen();
        client.sendBytes(0xC0, 0x00);

        trouble.broker.advance(Duration.ofSeconds(14));
        assertThat(trouble.broker.count(Counter.CONNECTIONS_ACTIVE)).isEqualTo(3);
        trouble.broker.advance(Duration.ofSeconds(2));

        shouldPublishTheWill();
        assertThat(trouble.broker.count(Counter.KEEP_ALIVE_TIMEOUTS)).isEqualTo(1);
        trouble.log.shouldName("KEEP_ALIVE_TIMEOUT");
    }

    @Test
    void shouldServeAClientWhoseBytesDribble() {
        network.toServer(Fault.dribble(1, Duration.ofMillis(1)));
        network.toClient(Fault.dribble(1, Duration.ofMillis(1)));

        client.connect(withWill());
        client.expectNothing();
        trouble.shouldHaveHurtNobodyElse();
    }

    private void shouldPublishTheWill() {
        assertThat(heir.receivePublish().payload()).isEqualTo("gone".getBytes(StandardCharsets.US_ASCII));
        trouble.broker.advance(Duration.ofSeconds(2)); // the broker waits a moment for the client to close, too
        trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 2);
        trouble.broker.awaitCount(Counter.SESSIONS_CONNECTED, 2);
        trouble.shouldHaveHurtNobodyElse();
    }

    private static Connect withWill() {
        return Connect.builder("behind")
                .keepAliveSeconds(10)
                .will(new ConnectWill(
                        "will", "gone".getBytes(StandardCharsets.US_ASCII), QualityOfService.AT_MOST_ONCE, false))
                .build();
    }
}
