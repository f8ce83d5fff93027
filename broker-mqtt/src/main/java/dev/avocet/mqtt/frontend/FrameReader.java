package dev.avocet.mqtt.frontend;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Takes frames apart as their bytes come. The payload of binary frames, which together are a stream of MQTT bytes
 * however they are divided [MQTT-6.0.0-2], is unmasked and moved together within the buffer that was read: nothing is
 * kept but a header or a control frame that is not complete. One per connection, on its loop.
 */
final class FrameReader {
    private static final int MIN_CLOSE_CODE = 1000;
    private static final int END_CLOSE_CODE = 5000;

    private final FrameHeader header;
    private final Consumer<byte[]> onPing;
    private final byte[] control = new byte[FrameHeader.MAX_CONTROL_BYTES];
    private boolean inPayload;
    private boolean ended;
    private int payloadLength;
    private int payloadDone;
    private int mask;

    /** @param onPing takes the content of each ping */
    FrameReader(int maxFrameBytes, Consumer<byte[]> onPing) {
        this.header = new FrameHeader(maxFrameBytes);
        this.onPing = onPing;
    }

    /**
     * Leaves the MQTT bytes in the buffer and nothing else, also if it fails: then those that came before. What comes
     * behind a close frame is passed over.
     */
    void read(ByteBuf bytes) throws BadFrameException {
        int read = bytes.readerIndex();
        int to = bytes.writerIndex();
        int write = read;
        try {
            while (read < to && !ended) {
                if (!inPayload) {
                    if (header.add(bytes.getByte(read++))) {
                        beginPayload();
                    }
                } else {
                    int count = Math.min(to - read, payloadLength - payloadDone);
                    if (header.isControl()) {
                        keepControl(bytes, read, count);
                    } else {
                        unmask(bytes, read, write, count);
                        write += count;
                    }
                    read += count;
                    payloadDone += count;
                }
                endPayload();
            }
        } finally {
            bytes.writerIndex(write);
        }
    }

    /** True once the client has sent a close frame. */
    boolean hasEnded() {
        return ended;
    }

    /** What the client's close frame is answered with: its own status, if that is one. */
    byte[] closeAnswer() {
        if (payloadLength == 0) {
            return new byte[0];
        }
        int code = (control[0] & 0xFF) << 8 | control[1] & 0xFF;
        boolean valid = payloadLength >= 2 && code >= MIN_CLOSE_CODE && code < END_CLOSE_CODE;
        return valid ? Arrays.copyOf(control, 2) : CloseStatus.PROTOCOL_ERROR.payload();
    }

    private void beginPayload() {
        inPayload = true;
        payloadLength = header.payloadLength();
        payloadDone = 0;
        mask = header.mask();
    }

    private void endPayload() {
        if (!inPayload || payloadDone < payloadLength) {
            return;
        }
        inPayload = false;
        int opcode = header.opcode();
        header.reset();
        if (opcode == FrameHeader.PING) {
            onPing.accept(Arrays.copyOf(control, payloadLength));
        } else if (opcode == FrameHeader.CLOSE) {
            ended = true;
        } // data has been passed on; no pong was asked for
    }

    private void keepControl(ByteBuf bytes, int from, int count) {
        for (int i = 0; i < count; i++) {
            control[payloadDone + i] = (byte) (bytes.getByte(from + i) ^ maskByte(payloadDone + i));
        }
    }

    /** Unmasks eight bytes at a time; the target is never behind the source, so nothing is overwritten unread. */
    private void unmask(ByteBuf bytes, int from, int target, int count) {
        int turned = Integer.rotateLeft(mask, (payloadDone & 3) << 3);
        long mask8 = (long) turned << 32 | turned & 0xFFFF_FFFFL;
        int i = 0;
        for (; i + Long.BYTES <= count; i += Long.BYTES) {
            bytes.setLong(target + i, bytes.getLong(from + i) ^ mask8);
        }
        for (; i < count; i++) {
            bytes.setByte(target + i, bytes.getByte(from + i) ^ maskByte(payloadDone + i));
        }
    }

    private int maskByte(int position) {
        return mask >>> (24 - ((position & 3) << 3));
    }
}
