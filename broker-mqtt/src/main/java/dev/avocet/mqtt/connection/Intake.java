package dev.avocet.mqtt.connection;

import dev.avocet.mqtt.buffer.InputBuffer;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import io.netty.buffer.ByteBuf;

/**
 * The way in of a connection: gathers what is read, takes it apart into packets, and holds it back while the broker or
 * the client's own answers have to get on first. It is its own buffer: an object less for each idle connection.
 *
 * <p>Owned by the connection's loop.
 */
final class Intake extends InputBuffer {
    /**
     * What may wait to be sent, in answers above all, before nothing more is read: messages stop by themselves far
     * below.
     */
    private static final int MAX_UNSENT_BYTES = 1 << 20;

    private final MqttConnection connection;
    private boolean paused;
    /** The client takes no answers, so it may not ask any more. */
    private boolean answersWait;

    private boolean decoding;

    Intake(MqttConnection connection) {
        this.connection = connection;
    }

    /** Takes a read and releases it. */
    void read(ByteBuf read) {
        if (paused) {
            hold(read);
        } else if (add(read, connection.shared().scratch)) {
            decode();
        }
        if (!connection.isClosed() && connection.channel().bytesBeforeWritable() > MAX_UNSENT_BYTES) {
            answersWait = true;
            connection.channel().config().setAutoRead(false);
        }
    }

    /** The client takes what is sent. True when nothing was read until then. */
    boolean onWritable() {
        if (!answersWait) {
            return false;
        }
        answersWait = false;
        readOn();
        return true;
    }

    /** Decodes and reads nothing more for now; what has come already waits. */
    void pause() {
        paused = true;
        if (!decoding) {
            connection.channel().config().setAutoRead(false);
        }
    }

    /** Goes on where {@link #pause} stopped; at once when that was within the same packet. */
    void resume() {
        paused = false;
        if (!decoding) {
            connection.shared().loop.execute(this::decodeKept);
        }
    }

    boolean isPaused() {
        return paused;
    }

    /** Whether nothing is read because the broker does not want to: that is not the client's silence. */
    boolean isDeaf() {
        return paused || answersWait;
    }

    private void decodeKept() {
        if (connection.isClosed() || paused) {
            return;
        }
        reopen();
        decode();
        readOn();
    }

    private void readOn() {
        if (!isDeaf() && !connection.isClosed()) {
            connection.channel().config().setAutoRead(true);
        }
    }

    private void decode() {
        byte[] bytes = array();
        int to = length();
        int from = 0;
        int missing = 0;
        PacketFramer framer = connection.shared().framer;
        decoding = true;
        try {
            while (!paused && !connection.isClosed()) {
                if (!framer.next(bytes, from, to, connection.maxPacketBytes())) {
                    missing = framer.missingBytes();
                    break;
                }
                int bodyTo = framer.bodyTo();
                connection.handle(framer.header(), bytes, framer.bodyFrom(), bodyTo);
                from = bodyTo;
            }
        } catch (MalformedPacketException e) {
            connection.onMalformed(e, bytes, framer.bodyFrom(), framer.bodyTo());
        } finally {
            connection.endInput();
            decoding = false;
        }
        connection.countReceived();
        if (connection.isClosed()) {
            clear();
        } else {
            keepFrom(from, paused ? 0 : missing);
            if (paused) {
                connection.channel().config().setAutoRead(false);
            }
        }
    }
}
