package dev.avocet.mqtt.conformance.v311;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Wills: sections 3.1.2.5 to 3.1.2.7 and 3.14. */
class WillTest extends V311Test {
    private RawClient watcher;

    @BeforeEach
    void subscribe() {
        watcher = connected("watcher");
        watcher.subscribe("will", EXACTLY_ONCE);
    }

    @ParameterizedTest
    @EnumSource
    @Proves({"MQTT311-3.1.2-8", "MQTT311-3.1.2-9", "MQTT311-3.1.2-14"})
    void shouldPublishTheWillOfALostConnection(QualityOfService qos) {
        RawClient client =
                connected(connect("client").will(will("will", qos, false)).build());

        client.drop();

        Publish will = watcher.receivePublish();
        assertThat(text(will)).isEqualTo("gone");
        assertThat(will.qos()).isEqualTo(qos);
    }

    @Test
    @Proves("MQTT311-3.1.2-8")
    void shouldPublishTheWillAtTheEndOfTheStream() {
        RawClient client = connected(
                connect("client").will(will("will", AT_MOST_ONCE, false)).build());

        client.close();

        assertThat(text(watcher.receivePublish())).isEqualTo("gone");
    }

    @Test
    @Proves("MQTT311-3.1.2-8")
    void shouldPublishTheWillAfterAProtocolError() {
        RawClient client = connected(
                connect("client").will(will("will", AT_MOST_ONCE, false)).build());

        client.sendBytes(0xC1, 0);

        assertThat(text(watcher.receivePublish())).isEqualTo("gone");
    }

    @Test
    @Proves("MQTT311-3.1.2-8")
    void shouldPublishTheWillOfASilentClient() {
        connected(connect("client")
                .keepAliveSeconds(10)
                .will(will("will", AT_MOST_ONCE, false))
                .build());

        broker.advance(Duration.ofSeconds(16));

        assertThat(text(watcher.receivePublish())).isEqualTo("gone");
    }

    @Test
    @Proves({"MQTT311-3.1.2-10", "MQTT311-3.14.4-3", "MQTT311-3.1.2-8"})
    void shouldForgetTheWillAfterDisconnect() {
        RawClient client = connected(
                connect("client").will(will("will", AT_LEAST_ONCE, true)).build());

        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        client.expectClosed();

        broker.settle();
        watcher.expectNothing();
        assertThat(broker.count(Counter.WILLS_PUBLISHED)).isZero();
    }

    @Test
    @Proves("MQTT311-3.1.2-10")
    void shouldPublishTheWillOnce() {
        RawClient client = connected(connect("client")
                .cleanStart(false)
                .will(will("will", AT_MOST_ONCE, false))
                .build());
        client.drop();
        assertThat(text(watcher.receivePublish())).isEqualTo("gone");

        RawClient again = resumed("client");
        again.drop();

        broker.awaitCount(Counter.SESSIONS_CONNECTED, 1);
        watcher.expectNothing();
    }

    @Test
    @Proves("MQTT311-3.1.2-12")
    void shouldPublishNoWillWithoutTheFlag() {
        RawClient client = connected("client");

        client.drop();

        broker.awaitCount(Counter.SESSIONS_CONNECTED, 1);
        watcher.expectNothing();
    }

    @Test
    @Proves({"MQTT311-3.1.2-16", "MQTT311-3.3.1-12"})
    void shouldNotRetainAWillThatIsNotToBeRetained() {
        connected(connect("client").will(will("will", AT_LEAST_ONCE, false)).build())
                .drop();
        assertThat(watcher.receivePublish().retain()).isFalse();

        RawClient later = connected("later");
        later.subscribe("will", AT_MOST_ONCE);

        later.expectNothing();
    }

    @Test
    @Proves({"MQTT311-3.1.2-17", "MQTT311-3.3.1-5"})
    void shouldRetainAWillThatIsToBeRetained() {
        connected(connect("client").will(will("will", AT_LEAST_ONCE, true)).build())
                .drop();
        assertThat(watcher.receivePublish().retain()).isFalse();

        RawClient later = connected("later");
        later.subscribe("will", AT_MOST_ONCE);

        Publish retained = later.receivePublish();
        assertThat(retained.retain()).isTrue();
        assertThat(text(retained)).isEqualTo("gone");
    }
}
