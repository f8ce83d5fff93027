package dev.avocet.mqtt.admission;

import dev.avocet.core.config.object.policy.ExpectedMessageRate;
import dev.avocet.mqtt.packet.Connect;

/**
 * How much may be under way to and from a client of a certain size.
 *
 * @param receiveMaximum QoS 1 and QoS 2 publishes that it may have in flight to the broker
 * @param outbound deliveries in flight to it when it does not say how many it takes
 * @param outboundMax the same when it does, however many it takes
 * @param sendBufferBytes of its socket; 0 to leave that to the operating system, which adapts it to the connection
 * @param receiveBufferBytes the same for what comes
 */
public record RateWindows(
        int receiveMaximum, int outbound, int outboundMax, int sendBufferBytes, int receiveBufferBytes) {
    private static final int NO_LIMIT = 65_535;
    private static final RateWindows LOW = new RateWindows(10, 10, 10, 16 << 10, 32 << 10);
    private static final RateWindows HIGH = new RateWindows(2_048, 2_048, 2_048, 0, 0);
    private static final RateWindows MAX = new RateWindows(NO_LIMIT, NO_LIMIT, NO_LIMIT, 0, 0);

    public static RateWindows of(ExpectedMessageRate rate, MqttOptions options) {
        return switch (rate) {
            case LOW -> LOW;
            case DEFAULT -> new RateWindows(options.receiveMaximum(), options.outboundWindow(), NO_LIMIT, 0, 0);
            case HIGH -> HIGH;
            case MAX -> MAX;
        };
    }

    /** Deliveries in flight to a client with this receive maximum. */
    public int outboundFor(int clientReceiveMaximum) {
        return clientReceiveMaximum == Connect.DEFAULT_RECEIVE_MAXIMUM
                ? outbound
                : Math.min(clientReceiveMaximum, outboundMax);
    }
}
