package dev.avocet.bench.jms.fake;

import java.util.ArrayList;
import java.util.List;

/** Consumers that take turns. Guarded by the lock of its destination while messages are sent. */
final class FakeSubscription {
    private final String name;
    private final List<FakeConsumer> consumers = new ArrayList<>();
    private int next;

    FakeSubscription(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    void add(FakeConsumer consumer) {
        consumers.add(consumer);
    }

    void deliver(FakeBytesMessage message) {
        for (int i = 0; i < consumers.size(); i++) {
            next = next + 1 >= consumers.size() ? 0 : next + 1;
            if (consumers.get(next).wants(message)) {
                consumers.get(next).deliver(message);
                return;
            }
        }
    }
}
