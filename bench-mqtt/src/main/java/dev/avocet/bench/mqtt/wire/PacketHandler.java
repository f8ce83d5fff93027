package dev.avocet.bench.mqtt.wire;

/** Who takes the packets of a {@link PacketReader}. */
public interface PacketHandler {
    /**
     * A whole packet.
     *
     * @param firstByte type and flags, 0 to 255
     * @param array valid until this returns
     * @param from where the bytes behind the remaining length begin
     * @param to behind the packet
     */
    void onPacket(int firstByte, byte[] array, int from, int to);
}
