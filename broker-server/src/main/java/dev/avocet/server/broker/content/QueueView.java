package dev.avocet.server.broker.content;

import dev.avocet.core.queue.receiver.QueueConsumer;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.QueueReceiver;
import dev.avocet.core.queue.receiver.ReceiverEnd;
import dev.avocet.core.queue.receiver.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Looks at some messages of a queue. The queue's loop. */
final class QueueView implements QueueConsumer {
    private final CompletableFuture<List<QueueDelivery>> seen = new CompletableFuture<>();
    private final List<QueueDelivery> deliveries = new ArrayList<>();
    private final int most;
    private int toPass;
    private @Nullable QueueReceiver receiver;

    /**
     * @param passed how many of the first ones are of no interest
     * @param most how many of those behind them are looked at
     */
    QueueView(int passed, int most) {
        this.toPass = passed;
        this.most = most;
    }

    CompletableFuture<List<QueueDelivery>> seen() {
        return seen;
    }

    void open(QueueReceiver opened) {
        receiver = opened;
        opened.grant(toPass + most);
    }

    @Override
    public void onDelivery(QueueDelivery delivery) {
        if (toPass > 0) {
            toPass--;
            return;
        }
        deliveries.add(delivery);
        if (deliveries.size() == most) {
            finish();
        }
    }

    @Override
    public void onDrained() {
        finish();
    }

    @Override
    public void onEnded(ReceiverEnd reason) {
        seen.complete(List.copyOf(deliveries));
    }

    private void finish() {
        if (receiver != null) {
            receiver.close(Settlement.RELEASED);
        }
        seen.complete(List.copyOf(deliveries));
    }
}
