package dev.avocet.amqp.transfer;

import io.netty.buffer.ByteBuf;

/** An encoded message in two parts, which are not written any more. */
public record Payload(byte[] head, byte[] body) {
    private static final byte[] NOTHING = {};

    public Payload(byte[] whole) {
        this(whole, NOTHING);
    }

    public int bytes() {
        return head.length + body.length;
    }

    /** Appends a part of it; there is room for it. */
    public void write(int from, int count, ByteBuf to) {
        int ofHead = Math.max(0, Math.min(count, head.length - from));
        to.writeBytes(head, Math.min(from, head.length), ofHead);
        to.writeBytes(body, Math.max(0, from - head.length), count - ofHead);
    }
}
