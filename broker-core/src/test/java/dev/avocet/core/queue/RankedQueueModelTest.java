package dev.avocet.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.Standing;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.receiver.QueueDelivery;
import dev.avocet.core.queue.receiver.Settlement;
import dev.avocet.core.queue.reference.ReadAheadLimits;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.QueueSettings;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualLoops;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A queue by name against a naive one: a list that is looked through from the front each time. Sends, credit,
 * settlements of all kinds, receivers that come and go, selectors, priorities, groups, and messages that are on disk
 * only. One thing is done at a time, so it is known what must come of it.
 */
final class RankedQueueModelTest {
    private static final int STEPS = 1_500;
    private static final int MAX_DELIVERIES = 4;
    private static final String[] SELECTORS = {
        "", "colour = 'red'", "colour <> 'red'", "JMSPriority > 5", "colour IS NULL"
    };

    private final ManualLoops loops = new ManualLoops(3);
    private final List<Held> waiting = new ArrayList<>();
    private final Map<Long, Held> inFlight = new HashMap<>();
    private final List<Client> clients = new ArrayList<>();
    private final Map<String, Client> groups = new HashMap<>();
    private int sent;
    private int dead;
    private int deliveries;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldDoAsTheNaiveQueueDoes(long seed) {
        Random chance = new Random(seed);
        boolean durable = seed % 3 != 0;
        FakeQueueStore store = new FakeQueueStore(size -> chance.nextInt(4) == 0);
        Dead deadLetters = new Dead();
        QueueSettings settings = new QueueSettings(true, MAX_DELIVERIES, "dead", null, 0, 1, 0, null);
        QueueLimits limits = new QueueLimits(100_000, 0, FullBehavior.REJECT_NEW_MESSAGES);
        RankedQueue queue = new RankedQueue("queue", loops.io(0), limits, settings, deadLetters);
        if (durable) {
            queue.makeDurable(FakeQueueStore.QUEUE_ID, store, new ReadAheadLimits(8, 1_000));
        }
        for (int step = 0; step < STEPS; step++) {
            switch (chance.nextInt(12)) {
                case 0, 1, 2 -> send(queue, store, durable, chance);
                case 3 -> sendRun(queue, chance);
                case 4, 5, 6 -> grant(chance);
                case 7, 8, 9 -> settleOne(chance);
                case 10 -> attach(queue, chance);
                default -> close(chance);
            }
            run(store, chance);
            observe();
            assertThat(queue.depth()).as("depth at step %d", step).isEqualTo(waiting.size() + inFlight.size());
            expectNobodyWaitsInVain(step);
        }
        assertThat(deadLetters.queue.depth()).isEqualTo(dead);
        assertThat(deliveries).isGreaterThan(STEPS / 10);
        if (durable) {
            assertThat(store.live).hasSize((int) Stream.concat(waiting.stream(), inFlight.values().stream())
                    .filter(held -> held.stored)
                    .count());
        }
    }

    private void send(RankedQueue queue, FakeQueueStore store, boolean durable, Random chance) {
        boolean stored = durable && chance.nextInt(5) > 0;
        Message message = message(chance.nextInt(10), stored, chance);
        loops.on(1, () -> {
            assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
            DeliveryOptions options = DeliveryOptions.of(Standing.of(message));
            if (stored) {
                long reference = queue.nextReference();
                long position = store.write(message, reference);
                queue.putStored(
                        message, options, reference, position, FakeQueueStore.storedBytes(message), loops.io(1));
            } else {
                queue.put(message, options, loops.io(1));
            }
        });
    }

    /** Each message of a run is offered as it comes in, so a more urgent one behind it would change nothing. */
    private void sendRun(RankedQueue queue, Random chance) {
        int priority = chance.nextInt(10);
        Message[] messages = new Message[1 + chance.nextInt(4)];
        Arrays.setAll(messages, at -> message(priority, false, chance));
        MessageRun run = new MessageRun(messages, messages.length);
        int loop = chance.nextInt(2);
        loops.on(loop, () -> {
            assertThat(queue.reserveUnstored(run)).isTrue();
            queue.put(run, loops.io(loop));
        });
    }

    /** Another message, which waits then. */
    private Message message(int priority, boolean stored, Random chance) {
        TestProperties properties = TestProperties.PLAIN.withPriority(priority);
        String colour = new String[] {"red", "green", null}[chance.nextInt(3)];
        properties = colour == null ? properties : properties.with("colour", colour);
        properties = chance.nextInt(4) == 0 ? properties.inGroup("g" + chance.nextInt(5)) : properties;
        Message message = new Message(
                TopicName.of("queue"),
                true,
                QualityOfService.AT_LEAST_ONCE,
                false,
                ("!" + sent).getBytes(StandardCharsets.UTF_8),
                properties,
                Message.NEVER,
                "me");
        waiting.add(new Held(message, sent++, colour, stored));
        return message;
    }

    private void grant(Random chance) {
        if (!clients.isEmpty()) {
            Client client = clients.get(chance.nextInt(clients.size()));
            client.credit++;
            loops.on(client.loop, () -> client.receiver.port().grant(1));
        }
    }

    private void settleOne(Random chance) {
        Client client = clients.isEmpty() ? null : clients.get(chance.nextInt(clients.size()));
        if (client == null || client.receiver.held.isEmpty()) {
            return;
        }
        QueueDelivery delivery = client.receiver.held.remove();
        Settlement settlement = Settlement.values()[chance.nextInt(Settlement.values().length)];
        Held held = inFlight.remove(delivery.reference());
        assertThat(held).isNotNull();
        if (settlement == Settlement.REJECTED) {
            dead++;
        } else if (settlement != Settlement.ACCEPTED) {
            if (settlement.isElsewhere()) {
                held.refusedBy.add(client);
            }
            back(held, settlement.countsAsFailed());
        }
        loops.on(client.loop, () -> client.receiver.port().settle(delivery, settlement));
    }

    private void back(Held held, boolean failed) {
        held.failures += failed ? 1 : 0;
        if (failed && held.failures == MAX_DELIVERIES) {
            dead++;
        } else {
            waiting.add(held);
        }
    }

    private void attach(RankedQueue queue, Random chance) {
        if (clients.size() < 6) {
            String selector = SELECTORS[chance.nextInt(SELECTORS.length)];
            int loop = chance.nextInt(3);
            FakeReceiver receiver = new FakeReceiver(loops.io(loop));
            loops.on(loop, () -> receiver.open(queue, FakeReceiver.selecting(selector)));
            clients.add(new Client(receiver, selector, loop));
        }
    }

    private void close(Random chance) {
        if (clients.size() < 3) {
            return;
        }
        Client gone = clients.remove(chance.nextInt(clients.size()));
        boolean failed = chance.nextBoolean();
        for (QueueDelivery delivery : gone.receiver.held) {
            back(inFlight.remove(delivery.reference()), failed);
        }
        waiting.forEach(held -> held.refusedBy.remove(gone));
        inFlight.values().forEach(held -> held.refusedBy.remove(gone));
        groups.values().removeIf(owner -> owner == gone);
        gone.receiver.held.clear();
        loops.on(gone.loop, () -> gone.receiver.port().close(failed ? Settlement.FAILED : Settlement.RELEASED));
    }

    private void run(FakeQueueStore store, Random chance) {
        do {
            loops.settle(chance);
        } while (store.answerOne());
    }

    /** Takes what was delivered out of the naive queue; each must have been the first that its receiver may get. */
    private void observe() {
        boolean more = true;
        while (more) {
            more = false;
            for (Client client : clients) {
                if (client.seen < client.receiver.got.size()) {
                    more |= observe(client, client.receiver.got.get(client.seen));
                }
            }
        }
        for (Client client : clients) {
            assertThat(client.receiver.got).as("deliveries out of turn").hasSize(client.seen);
        }
    }

    /** False when another receiver must have got something before. */
    private boolean observe(Client client, QueueDelivery delivery) {
        Held first = firstFor(client);
        if (first == null || first.message != delivery.message() && !sameText(first, delivery)) {
            return false;
        }
        waiting.remove(first);
        inFlight.put(delivery.reference(), first);
        assertThat(client.credit--).as("credit").isPositive();
        assertThat(delivery.deliveryCount()).isEqualTo(first.failures);
        String group = delivery.message().properties().groupId();
        if (group != null) {
            groups.put(group, client);
        }
        client.seen++;
        deliveries++;
        return true;
    }

    private static boolean sameText(Held held, QueueDelivery delivery) {
        return Messages.text(held.message).equals(Messages.text(delivery.message()));
    }

    private @Nullable Held firstFor(Client client) {
        return waiting.stream()
                .filter(held -> mayGet(client, held))
                .min(Comparator.comparingInt((Held held) -> -held.message.priority())
                        .thenComparingInt(held -> held.order))
                .orElse(null);
    }

    private boolean mayGet(Client client, Held held) {
        String group = held.message.properties().groupId();
        Client owner = group == null ? null : groups.get(group);
        boolean selected =
                switch (client.selector) {
                    case "colour = 'red'" -> "red".equals(held.colour);
                    case "colour <> 'red'" -> "green".equals(held.colour);
                    case "JMSPriority > 5" -> held.message.priority() > 5;
                    case "colour IS NULL" -> held.colour == null;
                    default -> true;
                };
        return selected && (owner == null || owner == client) && !held.refusedBy.contains(client);
    }

    private void expectNobodyWaitsInVain(int step) {
        for (Client client : clients) {
            if (client.credit > 0) {
                assertThat(firstFor(client))
                        .as("step %d: left for a receiver with credit", step)
                        .isNull();
            }
        }
    }

    private static final class Held {
        final Message message;
        final int order;
        final @Nullable String colour;
        final boolean stored;
        final List<Client> refusedBy = new ArrayList<>();
        int failures;

        Held(Message message, int order, @Nullable String colour, boolean stored) {
            this.message = message;
            this.order = order;
            this.colour = colour;
            this.stored = stored;
        }
    }

    private static final class Client {
        final FakeReceiver receiver;
        final String selector;
        final int loop;
        int credit;
        int seen;

        Client(FakeReceiver receiver, String selector, int loop) {
            this.receiver = receiver;
            this.selector = selector;
            this.loop = loop;
        }
    }

    /** The queue for dead letters, which keeps nothing on disk; and nothing is noted of deliveries. */
    private final class Dead implements QueueNeighbours {
        final RankedQueue queue = new RankedQueue(
                "dead",
                loops.io(0),
                new QueueLimits(1_000_000, 0, FullBehavior.REJECT_NEW_MESSAGES),
                QueueSettings.DEFAULT,
                this);

        @Override
        public RankedQueue find(String name) {
            return queue;
        }

        @Override
        public void restood(
                long queueId,
                long reference,
                long position,
                int storedBytes,
                long expiryDeadlineNs,
                @Nullable DeliveryOptions options,
                IoLoop caller) {
            assertThat(DeliveryOptions.standingOf(options).deliveryCount()).isPositive();
        }

        @Override
        public void transferred(
                long fromQueueId,
                long fromReference,
                long toQueueId,
                long toReference,
                long position,
                int storedBytes,
                long expiryDeadlineNs,
                @Nullable DeliveryOptions options,
                IoLoop caller,
                Runnable then) {
            throw new AssertionError("the dead are not stored");
        }
    }
}
