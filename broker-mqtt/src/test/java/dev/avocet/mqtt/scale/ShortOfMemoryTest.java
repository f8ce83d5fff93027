package dev.avocet.mqtt.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import org.junit.jupiter.api.Test;

/** At the last level before the heap is full. */
class ShortOfMemoryTest {
    private static final double FREE_PERCENT = 5;

    @Test
    void shouldLetInOnlyWhoHasASession() {
        try (TestBroker broker = MqttTestBroker.start()) {
            // given
            try (RawClient known = new RawClient(broker.port(), ProtocolVersion.V5)) {
                known.connect(persistent("known"));
                known.subscribe("a/b", QualityOfService.AT_LEAST_ONCE);
            }

            // when
            broker.memory().sample(FREE_PERCENT);

            // then
            try (RawClient known = new RawClient(broker.port(), ProtocolVersion.V5);
                    RawClient unknown = new RawClient(broker.port(), ProtocolVersion.V5)) {
                ConnAck answer = known.connect(persistent("known"));
                assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
                assertThat(answer.sessionPresent()).isTrue();
                assertThat(unknown.connect(persistent("unknown")).reasonCode()).isEqualTo(ReasonCode.SERVER_BUSY);
                unknown.expectClosed();
            }
        }
    }

    private static Connect persistent(String clientId) {
        return Connect.builder(clientId)
                .cleanStart(false)
                .sessionExpiryIntervalSeconds(60)
                .build();
    }
}
