package dev.avocet.mqtt.codec;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.ProtocolVersion;

/** The flags byte of CONNECT. */
record ConnectFlags(int bits) {
    private static final int RESERVED = 0b0000_0001;
    private static final int CLEAN_START = 0b0000_0010;
    private static final int WILL = 0b0000_0100;
    private static final int WILL_QOS = 0b0001_1000;
    private static final int WILL_QOS_SHIFT = 3;
    private static final int WILL_RETAIN = 0b0010_0000;
    private static final int PASSWORD = 0b0100_0000;
    private static final int USER_NAME = 0b1000_0000;

    static ConnectFlags of(Connect packet) {
        ConnectWill will = packet.will();
        int bits = (packet.cleanStart() ? CLEAN_START : 0)
                | (packet.userName() == null ? 0 : USER_NAME)
                | (packet.password() == null ? 0 : PASSWORD);
        if (will != null) {
            bits |= WILL | will.qos().level() << WILL_QOS_SHIFT | (will.retain() ? WILL_RETAIN : 0);
        }
        return new ConnectFlags(bits);
    }

    void check(ProtocolVersion version, BodyReader in) throws MalformedPacketException {
        if (hasWill() && (bits & WILL_QOS) == WILL_QOS) {
            throw in.malformed("will QoS is 3 [MQTT-3.1.2-12]");
        }
        if (!version.hasProperties() && hasPassword() && !hasUserName()) {
            throw in.malformed("a password without a user name [MQTT-3.1.2-22 of MQTT 3.1.1]");
        }
        if (version == ProtocolVersion.V3_1) {
            return; // it does not use the remaining bits
        }
        if ((bits & RESERVED) != 0) {
            throw in.malformed("the reserved flag is set [MQTT-3.1.2-3]");
        }
        if (!hasWill() && (bits & WILL_QOS) != 0) {
            throw in.malformed("will QoS without a will [MQTT-3.1.2-11]");
        }
        if (!hasWill() && (bits & WILL_RETAIN) != 0) {
            throw in.malformed("will retain without a will [MQTT-3.1.2-13]");
        }
    }

    boolean isCleanStart() {
        return (bits & CLEAN_START) != 0;
    }

    boolean hasWill() {
        return (bits & WILL) != 0;
    }

    QualityOfService willQos() {
        return QualityOfService.of((bits & WILL_QOS) >>> WILL_QOS_SHIFT);
    }

    boolean isWillRetain() {
        return (bits & WILL_RETAIN) != 0;
    }

    boolean hasUserName() {
        return (bits & USER_NAME) != 0;
    }

    boolean hasPassword() {
        return (bits & PASSWORD) != 0;
    }
}
