package dev.avocet.bench.jms.fake;

import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue or a topic; its subscriptions get a copy each, and the consumers of a subscription take turns. A queue has
 * one.
 */
final class FakeDestination implements TemporaryQueue, Topic {
    private final String name;
    private final FakeBroker broker;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<FakeSubscription> subscriptions = new ArrayList<>();
    private final FakeBytesMessage swapped = new FakeBytesMessage();
    private final List<FakeBytesMessage> held = new ArrayList<>();
    private boolean isSwapping;
    private long messages;

    FakeDestination(String name, FakeBroker broker) {
        this.name = name;
        this.broker = broker;
    }

    FakeSubscription subscription(String subscriptionName) {
        lock.lock();
        try {
            return subscriptions.stream()
                    .filter(each -> each.name().equals(subscriptionName))
                    .findFirst()
                    .orElseGet(() -> {
                        FakeSubscription made = new FakeSubscription(subscriptionName);
                        subscriptions.add(made);
                        return made;
                    });
        } finally {
            lock.unlock();
        }
    }

    /** Delivers before it returns. */
    void send(FakeBytesMessage message) {
        lock.lock();
        try {
            boolean isHit = ++messages % broker.oneIn() == 0;
            Fault fault = isHit ? broker.fault() : Fault.NONE;
            switch (fault) {
                case NONE -> deliver(message);
                case DROP -> {}
                case HOLD -> {
                    FakeBytesMessage copy = new FakeBytesMessage();
                    copy.copy(message);
                    held.add(copy);
                }
                case DOUBLE -> {
                    deliver(message);
                    deliver(message);
                }
                case SWAP -> {
                    swapped.copy(message);
                    isSwapping = true;
                    return;
                }
                case DAMAGE -> deliverDamaged(message);
            }
            if (isSwapping) {
                isSwapping = false;
                deliver(swapped);
            }
        } finally {
            lock.unlock();
        }
    }

    void letGo() {
        lock.lock();
        try {
            held.forEach(this::deliver);
            held.clear();
        } finally {
            lock.unlock();
        }
    }

    private void deliverDamaged(FakeBytesMessage message) {
        FakeBytesMessage copy = new FakeBytesMessage();
        copy.copy(message);
        // Not the same bit on a request and on its reply.
        copy.damage(Math.floorMod(messages * 31 + name.hashCode(), Integer.MAX_VALUE));
        deliver(copy);
    }

    private void deliver(FakeBytesMessage message) {
        for (int i = 0; i < subscriptions.size(); i++) {
            subscriptions.get(i).deliver(message);
        }
    }

    @Override
    public String getQueueName() {
        return name;
    }

    @Override
    public String getTopicName() {
        return name;
    }

    @Override
    public void delete() {
        // Nobody minds.
    }
}
