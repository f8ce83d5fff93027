package dev.avocet.amqp.transfer;

import dev.avocet.amqp.frame.DispositionReader;
import dev.avocet.amqp.frame.Frame;
import dev.avocet.amqp.frame.FrameWriter;
import dev.avocet.amqp.frame.TransferReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.EnginePipeline;
import org.apache.qpid.protonj2.engine.IncomingAMQPEnvelope;
import org.apache.qpid.protonj2.engine.OutgoingAMQPEnvelope;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.End;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Performative;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one connection, by what flows in them. Frames that are usual are {@linkplain #take taken} before they
 * come to ProtonJ2; those that are not are decoded by it, and taken here out of its pipeline before they reach its
 * state. So it sees begin, attach, detach and end, and this sees transfer, disposition and flow, whatever form they
 * have. What ProtonJ2 writes is looked at for the channels and handles that it chooses.
 *
 * <p>Owned by the connection's loop.
 */
public final class SessionFlows implements EngineHandler {
    /** No frame of a peer may be smaller [AMQP 1.0 part 2, 2.7.1]. */
    private static final int LEAST_FRAME_BYTES = 512;

    private static final byte[] FRAME_HEADER = {0, 0, 0, 0, 2, 0, 0, 0};
    private static final byte[] NOTHING = {};

    private final FrameSink sink;
    private final Runnable schedule;
    private final Runnable scheduleLater;
    private final Consumer<String> violation;
    private final Consumer<RuntimeException> failure;
    private final TransferReader transfers = new TransferReader();
    private final DispositionReader dispositions = new DispositionReader();
    private final FrameWriter frame = new FrameWriter();
    private final List<SessionFlow> answering = new ArrayList<>(1);
    private @Nullable SessionFlow[] sessions = new SessionFlow[1];
    private int maxFrameBytes = LEAST_FRAME_BYTES;
    private int incomingWindow = 1;

    /** What is being opened by the frame that is being handled. */
    private @Nullable Begin begin;

    private @Nullable Attach attach;
    private int channel;
    private int lastHandle;

    /** What has answers is written at the end of this batch. */
    private boolean isScheduled;
    /** It is written some time later, if nothing else is written before. */
    private boolean isHeld;

    /**
     * @param schedule called when there are answers to {@link #flush}
     * @param scheduleLater called when there are answers that are not urgent: {@link #release} is wanted in a while
     * @param violation hears that the peer did what it must not
     * @param failure hears what went wrong here
     */
    public SessionFlows(
            FrameSink sink,
            Runnable schedule,
            Runnable scheduleLater,
            Consumer<String> violation,
            Consumer<RuntimeException> failure) {
        this.sink = sink;
        this.schedule = schedule;
        this.scheduleLater = scheduleLater;
        this.violation = violation;
        this.failure = failure;
    }

    /** Takes its place in ProtonJ2's pipeline: between the codec and the handler that keeps the state. */
    public void join(EnginePipeline pipeline) {
        EngineHandler state = pipeline.first();
        pipeline.removeFirst().addFirst("flows of sessions", this).addFirst("state of the protocol", state);
    }

    /**
     * The connection is open.
     *
     * @param frameBytes the largest frame that both sides take
     * @param window transfers that a client may send before it hears of the window again
     */
    public void opened(long frameBytes, int window) {
        maxFrameBytes = (int) Math.max(LEAST_FRAME_BYTES, Math.min(Integer.MAX_VALUE, frameBytes));
        incomingWindow = window;
    }

    /** Handles a frame that has not been checked; false: it is ProtonJ2's. */
    public boolean take(Frame read) {
        try {
            return isTaken(read);
        } catch (RuntimeException e) {
            failure.accept(e);
            return true;
        }
    }

    private boolean isTaken(Frame read) {
        int code = read.performative();
        if (code == Frame.TRANSFER) {
            SessionFlow session = session(read.channel());
            Transfer transfer = session == null ? null : transfers.read(read);
            if (session != null && transfer != null) {
                session.onTransfer(transfer, read.bytes(), transfers.payloadFrom(), read.to());
                return true;
            }
        } else if (code == Frame.DISPOSITION) {
            SessionFlow session = session(read.channel());
            Disposition disposition = session == null ? null : dispositions.read(read);
            if (session != null && disposition != null) {
                session.onDisposition(disposition);
                return true;
            }
        }
        return false;
    }

    /** The session that is being begun by the client. */
    public void begin() {
        SessionFlow session = new SessionFlow(this, Objects.requireNonNull(begin), incomingWindow);
        if (channel >= sessions.length) {
            SessionFlow[] more = new SessionFlow[Math.max(channel + 1, sessions.length * 2)];
            System.arraycopy(sessions, 0, more, 0, sessions.length);
            sessions = more;
        }
        sessions[channel] = session;
    }

    /** The link that is being attached by a client that wants to send. */
    public IncomingLink incoming() {
        Attach wanted = Objects.requireNonNull(attach);
        SessionFlow session = Objects.requireNonNull(session(channel));
        IncomingLink link = new IncomingLink(session, (int) wanted.getInitialDeliveryCount());
        session.add(wanted.getHandle(), link);
        return link;
    }

    /** The link that is being attached by a client that wants to receive. */
    public OutgoingLink outgoing() {
        SessionFlow session = Objects.requireNonNull(session(channel));
        OutgoingLink link = new OutgoingLink(session);
        session.add(Objects.requireNonNull(attach).getHandle(), link);
        return link;
    }

    /**
     * Whether the client has more unsettled deliveries of the link that is being attached than it could say [AMQP 1.0
     * part 2, 2.7.3].
     */
    public boolean isIncomplete() {
        return attach != null && attach.getIncompleteUnsettled();
    }

    /** Writes the answers that are gathered. */
    public void flush() {
        for (int i = 0; i < answering.size(); i++) { // what is written may bring more
            answering.get(i).writeAnswers();
        }
        answering.clear();
        isScheduled = false;
    }

    /** The answers that were held have waited long enough. */
    public void release() {
        isHeld = false;
        if (!answering.isEmpty()) {
            answered(true);
        }
    }

    @Override
    public void handleRead(EngineHandlerContext context, IncomingAMQPEnvelope envelope) {
        Performative body = envelope.getBody();
        channel = envelope.getChannel();
        SessionFlow session = session(channel);
        if (session != null && isTaken(session, body, envelope.getPayload())) {
            envelope.release();
        } else if (body instanceof Begin || body instanceof Attach) {
            begin = body instanceof Begin begun ? begun : null;
            attach = body instanceof Attach attached ? attached : null;
            context.fireRead(envelope);
            begin = null;
            attach = null;
        } else {
            if (session != null && body instanceof Detach detach) {
                session.remove(detach.getHandle());
            }
            context.fireRead(envelope);
            if (session != null && body instanceof End) {
                session.end();
                sessions[channel] = null;
            }
        }
    }

    private boolean isTaken(SessionFlow session, Performative body, @Nullable ProtonBuffer payload) {
        try {
            if (body instanceof Transfer transfer) {
                onTransfer(session, transfer, payload);
            } else if (body instanceof Disposition disposition) {
                session.onDisposition(disposition);
            } else if (body instanceof Flow flow) {
                session.onFlow(flow);
            } else {
                return false;
            }
        } catch (RuntimeException e) {
            failure.accept(e);
        }
        return true;
    }

    private static void onTransfer(SessionFlow session, Transfer transfer, @Nullable ProtonBuffer payload) {
        byte[] bytes = NOTHING;
        if (payload != null) {
            bytes = new byte[payload.getReadableBytes()];
            payload.readBytes(bytes, 0, bytes.length);
        }
        session.onTransfer(transfer, bytes, 0, bytes.length);
    }

    @Override
    public void handleWrite(EngineHandlerContext context, OutgoingAMQPEnvelope envelope) {
        flush();
        Performative body = envelope.getBody();
        if (body instanceof Attach attached) {
            lastHandle = (int) attached.getHandle();
        } else if (body instanceof Begin begun) {
            SessionFlow session = session(begun.getRemoteChannel());
            if (session != null) {
                session.begun(envelope.getChannel());
            }
        } else if (body instanceof End) {
            for (SessionFlow session : sessions) {
                if (session != null && session.channel() == envelope.getChannel()) {
                    session.end();
                }
            }
        }
        context.fireWrite(envelope);
    }

    /** @param ofChannel -1 for an empty frame, as ProtonJ2 has it */
    private @Nullable SessionFlow session(int ofChannel) {
        return ofChannel >= 0 && ofChannel < sessions.length ? sessions[ofChannel] : null;
    }

    /** Our handle of the link that was attached last. */
    int lastHandle() {
        return lastHandle;
    }

    void violated(String how) {
        violation.accept(how);
    }

    boolean isWritable() {
        return sink.isWritable();
    }

    FrameWriter frame() {
        return frame;
    }

    void hasAnswers(SessionFlow session) {
        answering.add(session);
    }

    void answered(boolean urgent) {
        if (isScheduled) {
            return;
        }
        if (urgent) {
            isScheduled = true;
            schedule.run();
        } else if (!isHeld) {
            isHeld = true;
            scheduleLater.run();
        }
    }

    void writeFlow() {
        sink.write(frame, true);
    }

    int write(int ofChannel, OutgoingLink link, Payload message, int from, long number) {
        if (number < 0) {
            frame.continueTransfer(ofChannel, link.handle, link.deliveryId(), link.isPresettled());
        } else {
            frame.beginTransfer(ofChannel, link.handle, link.deliveryId(), number, link.isPresettled());
        }
        int rest = message.bytes() - from;
        int count = Math.min(rest, maxFrameBytes - frame.transferBytes());
        frame.endTransfer(count < rest, count);
        sink.write(frame, message, from, count);
        return count;
    }

    void write(int ofChannel, Role role, int first, int last, @Nullable DeliveryState state) {
        if (frame.disposition(ofChannel, role, first, last, true, state)) {
            sink.write(frame, false);
            return;
        }
        Disposition disposition = new Disposition()
                .setRole(role)
                .setFirst(Integer.toUnsignedLong(first))
                .setLast(Integer.toUnsignedLong(last))
                .setSettled(true)
                .setState(state);
        Encoder encoder = CodecFactory.getEncoder();
        ProtonBuffer encoded = ProtonBufferAllocator.defaultAllocator().allocate(128);
        encoded.writeBytes(FRAME_HEADER).setShort(6, (short) ofChannel);
        encoder.writeObject(encoded, encoder.newEncoderState(), disposition);
        sink.write(encoded.setInt(0, encoded.getReadableBytes()));
    }
}
