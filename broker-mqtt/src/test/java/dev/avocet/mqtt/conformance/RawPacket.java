package dev.avocet.mqtt.conformance;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A packet byte by byte, for what the codec would refuse to write. */
final class RawPacket {
    private final int header;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private RawPacket(int header) {
        this.header = header;
    }

    /** Begins a packet with its first byte; the remaining length is filled in. */
    static RawPacket of(int header) {
        return new RawPacket(header);
    }

    /** A CONNECT packet of MQTT 5 up to the properties, which follow with their length. */
    static RawPacket connect(int flags) {
        return of(0x10).utf8("MQTT").bytes(5, flags, 0, 0);
    }

    RawPacket bytes(int... values) {
        for (int value : values) {
            body.write(value);
        }
        return this;
    }

    /** Text behind its length of two bytes. */
    RawPacket utf8(String text) {
        return binary(text.getBytes(StandardCharsets.UTF_8));
    }

    RawPacket binary(byte[] block) {
        bytes(block.length >>> 8, block.length & 0xFF);
        body.writeBytes(block);
        return this;
    }

    /** Two bytes that no UTF-8 has, behind their length. */
    RawPacket illFormedText() {
        return bytes(0, 2, 0xC3, 0x28);
    }

    byte[] toBytes() {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(header);
        int left = body.size();
        do {
            whole.write(left > 0x7F ? left & 0x7F | 0x80 : left);
            left >>>= 7;
        } while (left > 0);
        whole.writeBytes(body.toByteArray());
        return whole.toByteArray();
    }
}
