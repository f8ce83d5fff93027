package dev.avocet.amqp.connection;

import io.netty.channel.Channel;

/**
 * Whether more of a client is read and looked at: not while it has to wait for an answer of the broker, and not while
 * it takes no answers itself. Owned by the connection's loop.
 */
final class InputGate {
    /**
     * What may wait to be sent, in answers above all, before nothing more is read: messages stop by themselves far
     * below.
     */
    private static final int MAX_UNSENT_BYTES = 1 << 20;

    private final Channel channel;
    /** Why nothing is decoded; each reason ends by itself. */
    private int pauses;
    /** The client takes no answers, so it may not ask any more. */
    private boolean answersWait;

    InputGate(Channel channel) {
        this.channel = channel;
    }

    /** Nothing more is to be decoded. */
    boolean isPaused() {
        return pauses > 0;
    }

    /** The client has no chance to be heard. */
    boolean isShut() {
        return pauses > 0 || answersWait;
    }

    void pause() {
        pauses++;
        channel.config().setAutoRead(false);
    }

    /** The calls are those of {@link #pause}; true when nothing is in the way any more. */
    boolean resume() {
        pauses--;
        return pauses == 0;
    }

    /** Something was read, and perhaps answered. */
    void limitAnswers() {
        if (channel.bytesBeforeWritable() > MAX_UNSENT_BYTES) {
            answersWait = true;
            channel.config().setAutoRead(false);
        }
    }

    /** The client has taken what was sent. */
    void onWritable() {
        answersWait = false;
        readOn();
    }

    /** Reads on if nothing is in the way. */
    void readOn() {
        if (!isShut()) {
            channel.config().setAutoRead(true);
        }
    }
}
