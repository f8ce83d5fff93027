package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.packet.PacketType;

/** Who sent a packet that is decoded; some packets and properties go one way only. */
public enum Sender {
    CLIENT(PacketType.CONNACK, PacketType.SUBACK, PacketType.UNSUBACK, PacketType.PINGRESP),
    SERVER(PacketType.CONNECT, PacketType.SUBSCRIBE, PacketType.UNSUBSCRIBE, PacketType.PINGREQ);

    private final int forbiddenMask;

    Sender(PacketType... forbidden) {
        int mask = 0;
        for (PacketType type : forbidden) {
            mask |= type.mask();
        }
        this.forbiddenMask = mask;
    }

    boolean maySend(PacketType type) {
        return (forbiddenMask & type.mask()) == 0;
    }
}
