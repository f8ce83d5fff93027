package dev.avocet.mqtt.admission;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.session.ConnectionLog;
import java.util.function.Supplier;

/**
 * What all MQTT connections of a broker work with.
 *
 * @param currentOptions asked by the loops, so it must be quick
 */
public record MqttContext(
        Broker broker, Supplier<MqttOptions> currentOptions, Authenticator authenticator, ConnectionLog log) {
    /** With options that do not change. */
    public MqttContext(Broker broker, MqttOptions options, Authenticator authenticator, ConnectionLog log) {
        this(broker, () -> options, authenticator, log);
    }

    /** As they are now. */
    public MqttOptions options() {
        return currentOptions.get();
    }
}
