package dev.avocet.bench.jms.fake;

import jakarta.jms.Destination;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes and two headers. */
class FakeBytesMessage extends UnsupportedBytesMessage {
    private byte[] bytes = new byte[0];
    private int lengthBytes;
    private @Nullable String correlationId;
    private @Nullable Destination replyTo;

    void copy(FakeBytesMessage other) {
        writeBytes(other.bytes, 0, other.lengthBytes);
        correlationId = other.correlationId;
        replyTo = other.replyTo;
    }

    void damage(int bit) {
        bytes[bit / 8 % lengthBytes] ^= (byte) (1 << bit % 8);
    }

    @Override
    public void clearBody() {
        lengthBytes = 0;
    }

    @Override
    public void writeBytes(byte[] value) {
        writeBytes(value, 0, value.length);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) {
        if (bytes.length < length) {
            bytes = Arrays.copyOf(bytes, length);
        }
        System.arraycopy(value, offset, bytes, 0, length);
        lengthBytes = length;
    }

    @Override
    public int readBytes(byte[] value) {
        int length = Math.min(lengthBytes, value.length);
        System.arraycopy(bytes, 0, value, 0, length);
        return length == 0 ? -1 : length;
    }

    @Override
    public int readBytes(byte[] value, int length) {
        return readBytes(value);
    }

    @Override
    public boolean getJMSRedelivered() {
        return false;
    }

    @Override
    public void acknowledge() {
        // Nothing is kept.
    }

    @Override
    public @Nullable String getJMSCorrelationID() {
        return correlationId;
    }

    @Override
    public void setJMSCorrelationID(String id) {
        correlationId = id;
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return replyTo;
    }

    @Override
    public void setJMSReplyTo(Destination destination) {
        replyTo = destination;
    }
}
