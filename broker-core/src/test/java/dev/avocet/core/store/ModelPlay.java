package dev.avocet.core.store;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;

import dev.avocet.core.broker.Publisher;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.FakeReceiver;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.TestProperties;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.ReceiverOptions;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.session.Will;
import dev.avocet.core.transaction.BranchId;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionException;
import dev.avocet.core.transaction.TransactionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What clients and administrators do in one life of a broker, drawn from a seed. */
final class ModelPlay {
    private static final int CLIENTS = 8;
    private static final int TOPICS = 4;
    private static final int QUEUES = 4;
    private static final int OPEN_TRANSACTIONS = 6;
    private static final String[] FILTERS = {"t/0", "t/1", "t/+", "t/#", "t/2"};

    private final ModelBroker life;
    private final Random chance;
    private final StringBuilder schedule;
    private final List<ModelClient> clients;
    private final List<Publisher> publishers;
    private final List<Reception> receivers = new ArrayList<>();
    private final List<Transaction> transactions = new ArrayList<>();
    private int branches;

    ModelPlay(ModelBroker life, Random chance, StringBuilder schedule) {
        this.life = life;
        this.chance = chance;
        this.schedule = schedule;
        clients = IntStream.range(0, CLIENTS)
                .mapToObj(i -> new ModelClient(life.broker, "c" + i))
                .toList();
        publishers = life.loops.all().stream()
                .map(loop -> life.broker.publisher(loop, (token, outcome) -> {}))
                .toList();
        branches = chance.nextInt();
    }

    /** One step: of what goes on by itself, or of what a client or an administrator does. */
    void step() {
        if (chance.nextInt(3) > 0) {
            life.step(chance);
        } else {
            act();
        }
    }

    private void act() {
        int which = chance.nextInt(100);
        if (which < 34) {
            publish();
        } else if (which < 50) {
            settle();
        } else if (which < 60) {
            receive();
        } else if (which < 66) {
            connect();
        } else if (which < 69) {
            disconnect();
        } else if (which < 75) {
            subscribe();
        } else if (which < 78) {
            unsubscribe();
        } else if (which < 92) {
            transact();
        } else if (which < 94) {
            note();
        } else if (which < 97) {
            administer();
        } else {
            letTimePass();
        }
    }

    // ---- clients

    private void connect() {
        ModelClient client = any(clients);
        IoLoop loop = anyLoop();
        boolean clean = chance.nextInt(3) == 0;
        long[] expiries = {0, 1, 30, 3600, 3600};
        long expiry = expiries[chance.nextInt(expiries.length)];
        Will will = chance.nextInt(4) == 0
                ? new Will(
                        topic(),
                        AT_LEAST_ONCE,
                        chance.nextBoolean(),
                        payload(20),
                        MessageProperties.NONE,
                        chance.nextInt(3),
                        -1)
                : null;
        log(client.id() + " connects to " + loop.index() + (clean ? " anew" : "") + " for " + expiry);
        life.loops.on(loop, () -> client.connect(clean, expiry, will, loop));
    }

    private void disconnect() {
        ModelClient client = any(clients);
        boolean publishWill = chance.nextBoolean();
        onLoopOf(client, "goes", () -> client.disconnect(publishWill));
    }

    private void subscribe() {
        ModelClient client = any(clients);
        String filter = FILTERS[chance.nextInt(FILTERS.length)];
        boolean shared = chance.nextInt(3) == 0;
        QualityOfService qos = chance.nextInt(6) == 0 ? AT_MOST_ONCE : AT_LEAST_ONCE;
        boolean replay = chance.nextBoolean();
        FullBehavior behavior = FullBehavior.values()[chance.nextInt(FullBehavior.values().length)];
        SubscriptionRequest request = new SubscriptionRequest(
                shared ? "$share/g/" + filter : filter,
                TopicFilter.of(filter),
                shared ? ShareNames.mixed("g", filter) : null,
                new DeliveryOptions(
                        qos,
                        chance.nextInt(4) == 0,
                        false,
                        chance.nextInt(4) == 0 ? new int[] {1 + chance.nextInt(9)} : DeliveryOptions.NO_IDENTIFIERS),
                !shared && chance.nextInt(5) == 0,
                new QueueLimits(5 + chance.nextInt(40), 0, behavior));
        onLoopOf(client, "subscribes to " + request.key(), () -> client.subscribe(request, replay));
    }

    private void unsubscribe() {
        ModelClient client = any(clients);
        String filter = FILTERS[chance.nextInt(FILTERS.length)];
        String key = chance.nextInt(3) == 0 ? "$share/g/" + filter : filter;
        onLoopOf(client, "unsubscribes from " + key, () -> client.unsubscribe(key));
    }

    private void note() {
        ModelClient client = any(clients);
        onLoopOf(client, "notes", () -> client.note(chance));
    }

    private void settle() {
        if (chance.nextBoolean()) {
            ModelClient client = any(clients);
            onLoopOf(client, "settles", () -> client.settle(chance));
            return;
        }
        Reception reception = receivers.isEmpty() ? null : any(receivers);
        QueueDelivery delivery = reception == null ? null : reception.receiver.held.poll();
        if (reception != null && delivery != null && !reception.browses) {
            Settlement settlement = chance.nextBoolean()
                    ? Settlement.ACCEPTED
                    : Settlement.values()[chance.nextInt(Settlement.values().length)];
            log("settles " + delivery.reference() + " of " + reception.receiver.queue() + " as " + settlement);
            life.loops.on(reception.loop, () -> {
                reception.receiver.port().settle(delivery, settlement);
                reception.receiver.port().grant(1);
            });
        }
    }

    // ---- messages

    private void publish() {
        Publisher publisher = publishers.get(chance.nextInt(publishers.size()));
        IoLoop loop = life.loops.io(publishers.indexOf(publisher));
        Message message = message();
        log("publishes to " + message.topic() + (message.retain() ? " retained" : "") + " of " + message.body().length
                + " on " + loop.index());
        life.loops.on(loop, () -> {
            if (message.isForQueue()) {
                publisher.send(message, 0);
            } else {
                publisher.publish(message, life.broker.route(message.topic(), loop), 0);
            }
        });
    }

    private Message message() {
        int size = chance.nextInt(20) == 0 ? 6_000 : chance.nextInt(300);
        boolean forQueue = chance.nextInt(5) < 2;
        if (!forQueue && chance.nextInt(4) == 0) {
            boolean removes = chance.nextInt(3) == 0;
            return new Message(
                    topic(),
                    anyQos(),
                    true,
                    removes ? new byte[0] : payload(size),
                    MessageProperties.NONE,
                    Message.NEVER,
                    "p");
        }
        TestProperties properties = TestProperties.PLAIN.withPriority(chance.nextInt(3) == 0 ? chance.nextInt(10) : 4);
        if (chance.nextInt(20) == 0) {
            properties = properties.transientOne();
        }
        if (chance.nextInt(15) == 0) {
            properties = properties.at(life.loops.clock().wallTimeMs() + chance.nextInt(2_000));
        }
        if (chance.nextInt(6) == 0) {
            properties = properties.inGroup("g" + chance.nextInt(3)).with("v", "v" + chance.nextInt(3));
        }
        long deadlineNs = chance.nextInt(6) == 0
                ? life.loops.clock().nanoTime()
                        + Duration.ofMillis(chance.nextInt(3_000)).toNanos()
                : Message.NEVER;
        TopicName name = forQueue ? TopicName.of(queueName()) : topic();
        QualityOfService qos = forQueue ? AT_LEAST_ONCE : anyQos();
        return new Message(name, forQueue, qos, false, payload(size + 1), properties, deadlineNs, "p");
    }

    private QualityOfService anyQos() {
        return chance.nextInt(6) == 0 ? AT_MOST_ONCE : AT_LEAST_ONCE;
    }

    private TopicName topic() {
        return TopicName.of("t/" + chance.nextInt(TOPICS));
    }

    private static byte[] payload(int size) {
        return new byte[size];
    }

    // ---- queues by name

    private String queueName() {
        return "q" + chance.nextInt(QUEUES);
    }

    private void receive() {
        if (receivers.size() > 6 || !receivers.isEmpty() && chance.nextInt(3) == 0) {
            Reception gone = receivers.remove(chance.nextInt(receivers.size()));
            Settlement unsettled = chance.nextBoolean() ? Settlement.FAILED : Settlement.RELEASED;
            log("a receiver of " + gone.queue + " goes");
            life.loops.on(gone.loop, () -> gone.receiver.port().close(unsettled));
            return;
        }
        NamedQueue queue = life.broker.queues().find(queueName());
        if (queue != null) {
            IoLoop loop = anyLoop();
            ReceiverOptions options =
                    switch (chance.nextInt(8)) {
                        case 0 -> ReceiverOptions.browsing(null);
                        case 1 -> FakeReceiver.selecting("v = 'v1'");
                        case 2 -> new ReceiverOptions(null, 0, false, true);
                        default -> ReceiverOptions.DEFAULT;
                    };
            log("receives from " + queue + " on " + loop.index());
            Reception made = new Reception(queue, loop, new FakeReceiver(loop), options.browses());
            int credit = 1 + chance.nextInt(6);
            life.loops.on(loop, () -> {
                made.receiver.open(queue.queue(), options);
                made.receiver.port().grant(credit);
            });
            receivers.add(made);
        }
    }

    private void administer() {
        NamedQueue queue = life.broker.queues().find(queueName());
        if (queue == null) {
            begin(queueName());
            return;
        }
        switch (chance.nextInt(8)) {
            case 0 -> {
                log("deletes " + queue);
                life.loops.on(
                        chance.nextBoolean() ? queue.queue().home() : anyLoop(),
                        () -> life.broker.queues().delete(queue));
            }
            case 1 -> {
                log("purges " + queue);
                int most = 1 + chance.nextInt(20);
                life.loops.on(queue.queue().home(), () -> queue.queue().purgeSome(most));
            }
            case 2 -> {
                NamedQueue target = life.broker.queues().find(queueName());
                if (target != null && target != queue) {
                    log("moves from " + queue + " to " + target);
                    life.loops.on(queue.queue().home(), () -> queue.queue().moveMessagesTo(target.queue(), 5));
                }
            }
            case 3 -> {
                log("sheds payloads");
                life.store.shedPayloads();
            }
            case 4 -> {
                TopicName topic = topic();
                Message retained =
                        life.broker.retained().find(topic, life.loops.clock().nanoTime());
                if (retained != null) {
                    log("removes what is retained of " + topic);
                    life.broker.retainedAdministration().remove(List.of(retained));
                }
            }
            default -> begin(queueName());
        }
    }

    private void begin(String name) {
        IoLoop loop = anyLoop();
        log("wants " + name + " on " + loop.index());
        QueueSettings settings = new QueueSettings(
                true,
                chance.nextInt(3),
                chance.nextBoolean() ? queueName() : null,
                chance.nextBoolean() ? queueName() : null,
                chance.nextInt(3) * 100L,
                2,
                1_000,
                chance.nextInt(4) == 0 ? "v" : null);
        FullBehavior behavior = chance.nextBoolean() ? FullBehavior.REJECT_NEW_MESSAGES : FullBehavior.BACKPRESSURE;
        life.loops.on(loop, () -> {
            NamedQueue queue = life.broker.queues().findOrCreate(name, loop);
            if (queue != null) {
                queue.queue().settings(settings);
                queue.queue().limits(new QueueLimits(20 + chance.nextInt(40), 0, behavior));
            }
        });
    }

    // ---- transactions

    private void transact() {
        transactions.removeIf(one -> one.state() != TransactionState.ACTIVE);
        int which = chance.nextInt(10);
        if (which < 2 && transactions.size() < OPEN_TRANSACTIONS) {
            IoLoop loop = anyLoop();
            life.loops.on(
                    loop, () -> transactions.add(life.broker.transactions().begin(loop)));
            log("begins " + transactions.get(transactions.size() - 1));
        } else if (which < 3) {
            endPrepared();
        } else if (!transactions.isEmpty()) {
            Transaction transaction = any(transactions);
            life.loops.on(transaction.loop(), () -> {
                try {
                    transact(transaction, which);
                } catch (TransactionException e) {
                    log(e.getMessage());
                }
            });
        }
    }

    private void transact(Transaction transaction, int which) {
        if (which < 6) {
            Message message = message();
            log(transaction + " publishes to " + message.topic());
            transaction.publish(message);
        } else if (which < 8) {
            acknowledge(transaction);
        } else {
            transactions.remove(transaction);
            int end = chance.nextInt(4);
            if (end < 2) {
                log(transaction + " commits");
                life.broker.transactions().commit(transaction, outcome -> {});
            } else if (end == 2) {
                log(transaction + " rolls back");
                life.broker.transactions().rollback(transaction, outcome -> {});
            } else {
                int number = branches++;
                byte[] name = {(byte) (number >> 16), (byte) (number >> 8), (byte) number};
                log(transaction + " is prepared as " + (number & 0xFFFFFF));
                life.broker.transactions().prepare(transaction, new BranchId(1, name, new byte[] {7}), outcome -> {});
            }
        }
    }

    private void acknowledge(Transaction transaction) {
        IoLoop loop = transaction.loop();
        if (chance.nextBoolean()) {
            ModelClient client = any(clients);
            List<MessageQueue> from = new ArrayList<>(1);
            Unsettled taken = client.loop() == loop ? client.take(chance, from) : null;
            if (taken != null) {
                log(transaction + " acknowledges " + taken.reference() + " of " + from.get(0));
                transaction.acknowledge(from.get(0), taken.message(), taken.reference());
            }
            return;
        }
        for (Reception reception : receivers) {
            QueueDelivery delivery =
                    reception.loop == loop && !reception.browses ? reception.receiver.held.poll() : null;
            if (delivery != null) {
                log(transaction + " acknowledges " + delivery.reference() + " of " + reception.receiver.queue());
                transaction.acknowledge(reception.receiver.queue(), delivery.message(), delivery.reference());
                reception.receiver.port().leaveToTransaction(delivery);
                return;
            }
        }
    }

    private void endPrepared() {
        List<BranchId> inDoubt = life.broker.transactions().recover();
        if (!inDoubt.isEmpty()) {
            BranchId branch = any(inDoubt);
            IoLoop loop = anyLoop();
            boolean commits = chance.nextBoolean();
            log((commits ? "commits " : "rolls back ") + branch);
            life.loops.on(loop, () -> {
                if (commits) {
                    life.broker.transactions().commit(branch, loop, outcome -> {});
                } else {
                    life.broker.transactions().rollback(branch, loop, outcome -> {});
                }
            });
        }
    }

    // ---- the rest

    private void letTimePass() {
        Duration time = Duration.ofMillis(chance.nextInt(4) == 0 ? 3_000 : 50 + chance.nextInt(400));
        log(time.toMillis() + " ms pass");
        life.loops.advance(time);
    }

    private void onLoopOf(ModelClient client, String what, Runnable action) {
        IoLoop loop = client.loop();
        if (loop != null) {
            log(client.id() + " " + what);
            life.loops.on(loop, action);
        }
    }

    private IoLoop anyLoop() {
        return life.loops.io(chance.nextInt(ModelBroker.LOOPS));
    }

    private <T> T any(List<T> of) {
        return of.get(chance.nextInt(of.size()));
    }

    private void log(String what) {
        schedule.append(what).append('\n');
    }

    private record Reception(NamedQueue queue, IoLoop loop, FakeReceiver receiver, boolean browses) {}
}
