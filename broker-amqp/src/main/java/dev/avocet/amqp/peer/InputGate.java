package dev.avocet.amqp.peer;

import io.netty.channel.Channel;

/**
 * Whether more of a client is read and looked at: not while it has to wait for an answer of the broker, and not while
 * it takes no answers itself. Owned by the connection's loop.
 */
public final class InputGate {
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

    public InputGate(Channel channel) {
        this.channel = channel;
    }

    /** Nothing more is to be decoded. */
    public boolean isPaused() {
        return pauses > 0;
    }

    /** The client has no chance to be heard. */
    public boolean isShut() {
        return pauses > 0 || answersWait;
    }

    public void pause() {
        pauses++;
        channel.config().setAutoRead(false);
    }

    /** The calls are those of {@link #pause}; true when nothing is in the way any more. */
    public boolean resume() {
        pauses--;
        return pauses == 0;
    }

    /** Something was read, and perhaps answered. */
    public void limitAnswers() {
        if (channel.bytesBeforeWritable() > MAX_UNSENT_BYTES) {
            answersWait = true;
            channel.config().setAutoRead(false);
        }
    }

    /** The client has taken what was sent. */
    public void onWritable() {
        answersWait = false;
        readOn();
    }

    /** Reads on if nothing is in the way. */
    public void readOn() {
        if (!isShut()) {
            channel.config().setAutoRead(true);
        }
    }
}
