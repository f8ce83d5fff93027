package dev.avocet.server.broker;

import dev.avocet.core.queue.QueueConsumer;
import dev.avocet.core.queue.QueueDelivery;
import dev.avocet.core.queue.QueueReceiver;
import dev.avocet.core.queue.ReceiverEnd;
import dev.avocet.core.queue.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Looks at the first messages of a queue. The queue's loop. */
final class QueueView implements QueueConsumer {
    private final CompletableFuture<List<QueueDelivery>> seen = new CompletableFuture<>();
    private final List<QueueDelivery> deliveries = new ArrayList<>();
    private final int most;
    private @Nullable QueueReceiver receiver;

    QueueView(int most) {
        this.most = most;
    }

    CompletableFuture<List<QueueDelivery>> seen() {
        return seen;
    }

    void open(QueueReceiver opened) {
        receiver = opened;
        opened.grant(most);
    }

    @Override
    public void onDelivery(QueueDelivery delivery) {
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
