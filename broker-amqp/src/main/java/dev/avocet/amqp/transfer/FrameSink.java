package dev.avocet.amqp.transfer;

import dev.avocet.amqp.frame.FrameWriter;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;

/** Where frames go to be sent, in their order. Owned by the connection's loop. */
public interface FrameSink {
    /** True while the client takes what it is sent. Messages should wait otherwise. */
    boolean isWritable();

    /**
     * Appends a frame that is nothing but a performative.
     *
     * @param isFree whether it tells nothing that another node of a pair could contradict
     */
    void write(FrameWriter frame, boolean isFree);

    /** Appends a transfer and a part of the message that it brings. */
    void write(FrameWriter frame, Payload payload, int from, int bytes);

    /** Appends an encoded frame, which is copied and closed. It accepts nothing. */
    void write(ProtonBuffer frame);
}
