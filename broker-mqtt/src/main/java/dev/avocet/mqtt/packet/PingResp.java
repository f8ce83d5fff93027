package dev.avocet.mqtt.packet;

/** The server's answer to {@link PingReq}. */
public record PingResp() implements Packet {
    /** All of them are equal. */
    public static final PingResp INSTANCE = new PingResp();

    @Override
    public PacketType type() {
        return PacketType.PINGRESP;
    }
}
