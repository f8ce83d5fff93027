package dev.avocet.amqp.connection;

/** What {@link PathCost} measures: who sends what to whom. */
enum PathWork {
    /** Queues with a sender and a receiver each. */
    QUEUE(10, 10, 10, "queue"),
    /** Topics with senders, and receivers that each get everything. */
    TOPIC(4, 10, 1, "topic");

    /** Messages that a sender has sent at once. */
    static final int MESSAGES_PER_READ = 32;

    final int senders;
    final int receivers;
    final int addresses;
    final String capability;

    PathWork(int senders, int receivers, int addresses, String capability) {
        this.senders = senders;
        this.receivers = receivers;
        this.addresses = addresses;
        this.capability = capability;
    }

    String address(int number) {
        return capability + "-" + number % addresses;
    }
}
