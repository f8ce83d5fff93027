package dev.avocet.mqtt.connection;

import dev.avocet.mqtt.codec.MalformedPacketException;
import dev.avocet.mqtt.codec.PacketFramer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * The way in of a connection: gathers what is read, takes it apart into packets, and holds it back while the broker or
 * the client's own answers have to get on first.
 *
 * <p>Owned by the connection's loop.
 */
final class Intake {
    /**
     * What may wait to be sent, in answers above all, before nothing more is read: messages stop by themselves far
     * below.
     */
    private static final int MAX_UNSENT_BYTES = 1 << 20;

    private final MqttConnection connection;
    private final LoopResources shared;
    private final Channel channel;
    private final InputBuffer input = new InputBuffer();
    private boolean paused;
    /** The client takes no answers, so it may not ask any more. */
    private boolean answersWait;

    private boolean decoding;

    Intake(MqttConnection connection, LoopResources shared, Channel channel) {
        this.connection = connection;
        this.shared = shared;
        this.channel = channel;
    }

    /** Takes a read and releases it. */
    void read(ByteBuf read) {
        if (paused) {
            input.hold(read);
        } else if (input.add(read, shared.scratch)) {
            decode();
        }
        if (!connection.isClosed() && channel.bytesBeforeWritable() > MAX_UNSENT_BYTES) {
            answersWait = true;
            channel.config().setAutoRead(false);
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
            channel.config().setAutoRead(false);
        }
    }

    /** Goes on where {@link #pause} stopped; at once when that was within the same packet. */
    void resume() {
        paused = false;
        if (!decoding) {
            shared.loop.execute(this::decodeKept);
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
        input.reopen();
        decode();
        readOn();
    }

    private void readOn() {
        if (!isDeaf() && !connection.isClosed()) {
            channel.config().setAutoRead(true);
        }
    }

    private void decode() {
        byte[] bytes = input.array();
        int to = input.length();
        int from = 0;
        int missing = 0;
        PacketFramer framer = shared.framer;
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
            input.clear();
        } else {
            input.keepFrom(from, paused ? 0 : missing);
            if (paused) {
                channel.config().setAutoRead(false);
            }
        }
    }
}
