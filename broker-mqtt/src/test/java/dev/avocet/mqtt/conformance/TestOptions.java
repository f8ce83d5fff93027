package dev.avocet.mqtt.conformance;

import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.admission.MqttOptions.Redirect;
import org.jspecify.annotations.Nullable;

/** The default options but for what a test is about. */
final class TestOptions {
    private static final MqttOptions DEFAULT = MqttOptions.DEFAULT;

    private TestOptions() {}

    static MqttOptions redirecting(Redirect redirect) {
        return with(DEFAULT.keepAliveMaxSeconds(), DEFAULT.sessionExpiryMaxSeconds(), redirect);
    }

    static MqttOptions keepAliveMax(int seconds) {
        return with(seconds, DEFAULT.sessionExpiryMaxSeconds(), null);
    }

    static MqttOptions sessionExpiryMax(long seconds) {
        return with(DEFAULT.keepAliveMaxSeconds(), seconds, null);
    }

    private static MqttOptions with(
            int keepAliveMaxSeconds, long sessionExpiryMaxSeconds, @Nullable Redirect redirect) {
        return new MqttOptions(
                DEFAULT.maxClientIdBytes(),
                DEFAULT.receiveMaximum(),
                DEFAULT.outboundWindow(),
                DEFAULT.topicAliasMaximumIn(),
                DEFAULT.topicAliasMaximumOut(),
                keepAliveMaxSeconds,
                sessionExpiryMaxSeconds,
                DEFAULT.legacySessionExpirySeconds(),
                DEFAULT.maxSubscriptions(),
                DEFAULT.maxConnectBytes(),
                DEFAULT.stallTimeoutMs(),
                DEFAULT.responseInformationPrefix(),
                DEFAULT.assignsClientIds(),
                redirect);
    }
}
