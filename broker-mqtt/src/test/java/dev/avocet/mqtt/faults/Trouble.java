package dev.avocet.mqtt.faults;

import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.frontend.WebSocketOptions;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.testkit.TestBroker;

/** A broker with somebody else's client on it, and an eye on its log. */
final class Trouble implements AutoCloseable {
    static final int MAX_BYTES = 256 << 10;

    final TestBroker broker;
    final Bystander bystander;
    final CapturedLog log = new CapturedLog();

    Trouble() {
        this(builder());
    }

    Trouble(BrokerOptions options) {
        this(builder().options(options));
    }

    Trouble(TestBroker.Builder builder) {
        broker = builder.start();
        bystander = new Bystander(broker);
    }

    static TestBroker.Builder builder() {
        return TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT))
                .and(MqttTestBroker.webSocket(WebSocketOptions.DEFAULT))
                .maxMessageBytes(MAX_BYTES)
                .loops(2);
    }

    int port() {
        return broker.port();
    }

    /** Whatever happened, the others go on, and the log has not been flooded. */
    void shouldHaveHurtNobodyElse() {
        bystander.shouldBeServed();
        log.shouldNameEachCauseOnce();
    }

    @Override
    public void close() {
        bystander.close();
        broker.close();
        log.close();
    }
}
