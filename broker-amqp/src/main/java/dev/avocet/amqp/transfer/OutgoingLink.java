package dev.avocet.amqp.transfer;

import java.util.Objects;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A link on which the client receives: the credit that it has granted, and the message that is going out, in as many
 * frames as it needs and as the session's window and the connection have room for.
 *
 * <p>Owned by the connection's loop.
 */
public final class OutgoingLink extends LinkFlow {
    /** Hears of what the client grants and settles. */
    public interface Handler {
        /** The client's credit or the session's window has changed. */
        void onFlow();

        /**
         * The client has come to an outcome, or has settled a delivery without one. It is over.
         *
         * @param kept what was given with it
         * @param state what the client says; null for nothing
         * @return whether it is over in the transaction that the state names
         */
        boolean onSettled(int deliveryId, Object kept, @Nullable DeliveryState state);
    }

    private @Nullable Handler handler;
    private boolean attached;
    private int credit;
    private boolean draining;
    private boolean drainsLater;
    private boolean flowWritten;
    /** Deliveries that were begun, which number their tags. */
    private long deliveries;
    /** Credit that was given back without a delivery. */
    private long drained;

    /** A frame is being written, which may make the connection writable at once: a link that hears of that waits. */
    private boolean writing;

    private @Nullable Payload unsent;
    private int unsentFrom;
    private int deliveryId;
    private boolean presettled;

    OutgoingLink(SessionFlow session) {
        super(session);
    }

    public void handler(Handler listener) {
        handler = listener;
    }

    @Override
    void onAttached() {
        attached = true;
    }

    /** Deliveries that the client takes. */
    public int credit() {
        return credit;
    }

    /** Whether the client wants the credit back that is not used. */
    public boolean isDraining() {
        return draining;
    }

    /** Whether a message may go out now. */
    public boolean canSend() {
        return credit > 0 && unsent == null && !writing && session.canSend();
    }

    /**
     * Sends a message; {@link #canSend} has been asked.
     *
     * @param kept what {@link Handler#onSettled} is told of the delivery; null: it is settled
     */
    public void send(Payload message, @Nullable Object kept) {
        deliveryId = session.nextDeliveryId();
        presettled = kept == null;
        if (kept != null) {
            session.unsettled().add(deliveryId, this, kept);
        }
        credit--;
        unsentFrom = 0;
        write(message, deliveries++);
        if (credit == 0) {
            draining = false;
        }
    }

    /** No delivery of this link that is still to be sent has an identifier before this one. */
    public int nextDeliveryId() {
        return deliveries == 0 ? session.peekDeliveryId() : deliveryId + 1;
    }

    /** Sends what is left of a message, as far as there is room. */
    public void sendOn() {
        Payload rest = unsent;
        if (rest != null && !writing && session.canSend()) {
            write(rest, deliveries - 1);
            if (unsent == null && drainsLater) {
                drained();
            }
        }
    }

    private void write(Payload message, long number) {
        int from = unsentFrom;
        int all = message.bytes();
        writing = true;
        do {
            from += session.write(this, message, from, from == 0 ? number : -1);
        } while (from < all && session.canSend());
        writing = false;
        unsentFrom = from;
        if (from < all) {
            unsent = message;
        } else if (unsent != null) {
            unsent = null;
        }
    }

    int deliveryId() {
        return deliveryId;
    }

    boolean isPresettled() {
        return presettled;
    }

    /** Nothing more can be delivered for now: what is left of the client's credit is given back, when it wants that. */
    public void drained() {
        if (unsent != null || writing) {
            drainsLater = draining;
            return;
        }
        drainsLater = false;
        if (draining && credit > 0) {
            drained += credit;
            credit = 0;
            writeFlow();
        }
        draining = false;
    }

    /** Shows all deliveries that are not settled, in the order in which they were sent. */
    public void unsettled(Unsettled.Visitor visitor) {
        session.unsettled().visit(this, visitor);
    }

    /** Nothing more is sent on the link, and nothing heard of its deliveries. */
    public void end() {
        attached = false;
        credit = 0;
        draining = false;
        unsent = null;
        session.unsettled().forget(this);
    }

    @Override
    void onFlow(Flow flow) {
        int ahead = (int) (deliveries + drained) - (int) flow.getDeliveryCount();
        credit = (int) Math.max(0, Math.min(Integer.MAX_VALUE, flow.getLinkCredit() - ahead));
        draining = flow.getDrain();
        flowWritten = false;
        if (attached && draining && credit == 0 && unsent == null && !writing) {
            writeFlow(); // as some do to take their credit back, who wait for the answer
        }
        onRoom();
        if (attached && flow.getEcho() && !flowWritten && !session.isEnded()) {
            writeFlow();
        }
    }

    void onRoom() {
        if (attached && handler != null) {
            handler.onFlow();
        }
    }

    boolean onSettled(int id, Object kept, @Nullable DeliveryState state) {
        return attached && Objects.requireNonNull(handler).onSettled(id, kept, state);
    }

    @Override
    void writeFlow() {
        flowWritten = true;
        session.writeFlow(handle, (int) (deliveries + drained), credit, draining);
    }
}
