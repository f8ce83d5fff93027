package dev.avocet.mqtt.packet;

/** A client asks for a sign of life. */
public record PingReq() implements Packet {
    /** All of them are equal. */
    public static final PingReq INSTANCE = new PingReq();

    @Override
    public PacketType type() {
        return PacketType.PINGREQ;
    }
}
