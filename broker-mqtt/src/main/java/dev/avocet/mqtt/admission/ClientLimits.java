package dev.avocet.mqtt.admission;

import dev.avocet.mqtt.packet.ProtocolVersion;

/**
 * What a client said about itself in CONNECT that binds what it may be sent.
 *
 * @param receiveMaximum deliveries above QoS 0 that may be in flight to it
 * @param maximumPacketBytes the largest packet that it takes
 * @param problemInformation false when it wants reason strings and user properties only where it cannot do without
 *     [MQTT-3.1.2-29]
 */
public record ClientLimits(
        ProtocolVersion version, int receiveMaximum, long maximumPacketBytes, boolean problemInformation) {}
