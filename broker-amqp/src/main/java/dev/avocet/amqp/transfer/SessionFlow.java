package dev.avocet.amqp.transfer;

import dev.avocet.amqp.frame.FrameWriter;
import java.util.Arrays;
import java.util.Objects;
import org.apache.qpid.protonj2.types.messaging.Outcome;
import org.apache.qpid.protonj2.types.transactions.TransactionalState;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * One session: its windows, its links by the client's handles, and the deliveries that its client has not settled.
 * Answers that follow each other and say the same become one disposition for the range.
 *
 * <p>Owned by the connection's loop.
 */
public final class SessionFlow {
    /** So many frames we may send as the client has room for; what waits does so before it becomes a frame. */
    private static final int OUTGOING_WINDOW = Integer.MAX_VALUE;

    private final SessionFlows flows;
    private final int incomingWindow;
    private final Unsettled unsettled = new Unsettled();
    private @Nullable LinkFlow[] links = new LinkFlow[4];
    private int channel;
    private boolean ended;

    private int nextIncomingId;
    /** Frames that the client may send before it hears of the window again. */
    private int incomingLeft;

    private int lastDeliveryId;
    private boolean anyDelivery;

    private int nextOutgoingId;
    private int deliveryIds;
    /** Frames that the client takes. */
    private long outgoingLeft;

    private boolean answers;
    private int firstAnswered;
    private int lastAnswered;
    private @Nullable DeliveryState answer;

    SessionFlow(SessionFlows flows, Begin begin, int incomingWindow) {
        this.flows = flows;
        this.incomingWindow = incomingWindow;
        this.incomingLeft = incomingWindow;
        this.nextIncomingId = (int) begin.getNextOutgoingId();
        this.outgoingLeft = begin.getIncomingWindow();
    }

    SessionFlows flows() {
        return flows;
    }

    Unsettled unsettled() {
        return unsettled;
    }

    /** Our begin is on its way. */
    void begun(int ourChannel) {
        channel = ourChannel;
    }

    int channel() {
        return channel;
    }

    /** Nothing may be sent any more. */
    void end() {
        ended = true;
        answers = false;
    }

    boolean isEnded() {
        return ended;
    }

    void add(long handle, LinkFlow link) {
        int at = (int) handle;
        if (at >= links.length) {
            links = Arrays.copyOf(links, Math.max(at + 1, links.length * 2));
        }
        links[at] = link;
    }

    void remove(long handle) {
        if (handle < links.length) {
            links[(int) handle] = null;
        }
    }

    private @Nullable LinkFlow link(long handle) {
        return handle < links.length ? links[(int) handle] : null;
    }

    // what comes

    void onTransfer(Transfer transfer, byte[] bytes, int from, int to) {
        if (ended) {
            return; // the client has not heard of it yet
        }
        nextIncomingId++;
        incomingLeft--;
        if (link(transfer.getHandle()) instanceof IncomingLink link) {
            link.onTransfer(transfer, bytes, from, to);
            if (incomingLeft <= incomingWindow / 2 && !ended) {
                writeFlow();
            }
        } else {
            flows.violated("a transfer with handle " + transfer.getHandle() + ", by which no link is attached to send");
        }
    }

    boolean isNextDelivery(int deliveryId) {
        boolean isNext = !anyDelivery || deliveryId == lastDeliveryId + 1;
        anyDelivery = true;
        lastDeliveryId = deliveryId;
        return isNext;
    }

    void onDisposition(Disposition disposition) {
        if (ended || disposition.getRole() != Role.RECEIVER) {
            return; // nothing is kept here of what was answered
        }
        int first = (int) disposition.getFirst();
        int last = disposition.hasLast() ? (int) disposition.getLast() : first;
        if (unsettled.hasStragglers()) {
            for (int id : unsettled.stragglers()) {
                if (id - first >= 0 && last - id >= 0) {
                    onDisposition(id, disposition.getState(), disposition.getSettled());
                }
            }
        }
        int to = unsettled.lastTo(last);
        DeliveryState state = disposition.getState();
        boolean settled = disposition.getSettled();
        for (int id = unsettled.firstFrom(first); id - to <= 0; id++) {
            onDisposition(id, state, settled);
        }
    }

    private void onDisposition(int id, @Nullable DeliveryState state, boolean settled) {
        OutgoingLink link = unsettled.link(id);
        if (link == null || !settled && !(state instanceof Outcome) && !(state instanceof TransactionalState)) {
            return;
        }
        boolean inTransaction = link.onSettled(id, unsettled.take(id), state);
        if (!settled && !ended) {
            flows.write(channel, Role.SENDER, id, id, inTransaction ? state : null);
        }
    }

    void onFlow(Flow flow) {
        if (ended) {
            return;
        }
        boolean wasShut = outgoingLeft <= 0;
        outgoingLeft = flow.getIncomingWindow();
        if (flow.hasNextIncomingId()) {
            outgoingLeft += (int) flow.getNextIncomingId() - nextOutgoingId;
        }
        LinkFlow told = null;
        if (flow.hasHandle()) {
            told = link(flow.getHandle());
            if (told == null) {
                flows.violated("a flow with handle " + flow.getHandle() + ", by which no link is attached");
                return;
            }
            told.onFlow(flow);
        }
        if (wasShut && outgoingLeft > 0) {
            for (LinkFlow link : links.clone()) {
                if (link instanceof OutgoingLink outgoing && outgoing != told) {
                    outgoing.onRoom();
                }
            }
        }
        if (!flow.hasHandle() && flow.getEcho() && !ended) {
            writeFlow();
        }
    }

    // what goes out

    boolean canSend() {
        return outgoingLeft > 0 && !ended && flows.isWritable();
    }

    int nextDeliveryId() {
        return deliveryIds++;
    }

    int peekDeliveryId() {
        return deliveryIds;
    }

    /**
     * Writes a frame of a delivery.
     *
     * @param number of the delivery, if it is the first one; else -1
     * @return how many bytes of the message are in it
     */
    int write(OutgoingLink link, Payload message, int from, long number) {
        outgoingLeft--;
        nextOutgoingId++;
        return flows.write(channel, link, message, from, number);
    }

    /** Answers a delivery, when the batch is over or something else is answered. */
    void settle(int deliveryId, DeliveryState outcome) {
        settle(deliveryId, deliveryId, outcome, true);
    }

    /**
     * The same for deliveries that follow each other.
     *
     * @param urgent false: what is answered in this way waits for other frames to the client
     */
    void settle(int first, int last, DeliveryState outcome, boolean urgent) {
        if (ended) {
            return;
        }
        if (answers && first == lastAnswered + 1 && isSame(outcome, answer)) {
            lastAnswered = last;
        } else {
            if (answers) {
                writeAnswers();
            } else {
                flows.hasAnswers(this);
            }
            answers = true;
            firstAnswered = first;
            lastAnswered = last;
            if (answer != outcome) {
                answer = outcome;
            }
        }
        flows.answered(urgent);
    }

    /** Outcomes without fields are constants, and a transaction answers what follows each other with one object. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(DeliveryState state, @Nullable DeliveryState other) {
        return state == other;
    }

    void writeAnswers() {
        if (answers) {
            answers = false;
            flows.write(channel, Role.RECEIVER, firstAnswered, lastAnswered, Objects.requireNonNull(answer));
        }
    }

    /** Tells the state of the session. */
    private void writeFlow() {
        beginFlow().endFlow();
        flows.writeFlow();
    }

    /** The same, and that of one of its links. */
    void writeFlow(int handle, int deliveryCount, int credit, boolean drain) {
        if (!ended) {
            beginFlow().endFlow(handle, deliveryCount, credit, drain);
            flows.writeFlow();
        }
    }

    private FrameWriter beginFlow() {
        incomingLeft = incomingWindow;
        FrameWriter frame = flows.frame();
        frame.beginFlow(channel, nextIncomingId, incomingWindow, nextOutgoingId, OUTGOING_WINDOW);
        return frame;
    }
}
