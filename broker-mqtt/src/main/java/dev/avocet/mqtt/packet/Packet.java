package dev.avocet.mqtt.packet;

/**
 * A control packet, one record per {@link PacketType}. What a version does not know has the standard's default there: a
 * packet of MQTT 3.1.1 looks like one of MQTT 5.0 without properties.
 *
 * <p>Constructors refuse what could not be written ({@link IllegalArgumentException}) and copy lists. Arrays are taken
 * over, must not be changed afterwards, and are compared by identity.
 */
public sealed interface Packet
        permits Connect,
                ConnAck,
                Publish,
                Acknowledgement,
                Subscribe,
                SubAck,
                Unsubscribe,
                UnsubAck,
                PingReq,
                PingResp,
                Disconnect,
                Auth {
    PacketType type();

    /**
     * The packet without reason string and user properties, where these only explain: what remains to be sent when they
     * would exceed the receiver's maximum packet size.
     */
    default Packet withoutDiagnostics() {
        return this;
    }
}
