package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.receiver.QueueConsumer;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.QueueReceiver;
import dev.avocet.core.queue.receiver.ReceiverEnd;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Receives as the test says, and keeps what it has got. */
public final class FakeReceiver implements QueueConsumer {
    private final IoLoop loop;
    /** In the order of their arrival, settled ones too. */
    public final List<QueueDelivery> got = new ArrayList<>();

    public final Deque<QueueDelivery> held = new ArrayDeque<>();
    public int attached;
    public int drained;
    public @Nullable ReceiverEnd ended;
    private @Nullable QueueReceiver port;
    private @Nullable RankedQueue queue;

    public FakeReceiver(IoLoop loop) {
        this.loop = loop;
    }

    /** On the loop of the receiver. */
    public FakeReceiver open(RankedQueue queue, ReceiverOptions options) {
        this.queue = queue;
        port = queue.receive(options, loop, this);
        return this;
    }

    public QueueReceiver port() {
        return Objects.requireNonNull(port);
    }

    /** From which it receives. */
    public RankedQueue queue() {
        return Objects.requireNonNull(queue);
    }

    public static ReceiverOptions selecting(String selector) {
        return ReceiverOptions.selecting(selector(selector));
    }

    public static @Nullable Selector selector(String text) {
        try {
            return Selector.compile(text);
        } catch (InvalidSelectorException e) {
            throw new AssertionError(e);
        }
    }

    public List<String> texts() {
        return got.stream().map(one -> Messages.text(one.message())).toList();
    }

    @Override
    public void onAttached() {
        attached++;
    }

    @Override
    public void onDelivery(QueueDelivery delivery) {
        if (!loop.inLoop()) {
            throw new AssertionError("delivered on another loop");
        }
        got.add(delivery);
        held.add(delivery);
    }

    @Override
    public void onDrained() {
        drained++;
    }

    @Override
    public void onEnded(ReceiverEnd reason) {
        ended = reason;
    }
}
