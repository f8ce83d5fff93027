package dev.avocet.core.store;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.Outpost;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.DisconnectCause;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.session.Will;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A client with a session, as a front end has it: one consumer for each of its subscriptions. */
final class ModelClient {
    private static final int WINDOW = 4;

    private final Broker broker;
    private final String id;
    private final Map<String, Link> links = new HashMap<>();
    private @Nullable Connection connection;
    private int note;

    ModelClient(Broker broker, String id) {
        this.broker = broker;
        this.id = id;
    }

    String id() {
        return id;
    }

    /** The loop of its connection; null while it has none. */
    @Nullable IoLoop loop() {
        return connection == null ? null : connection.session.home();
    }

    boolean isConnected() {
        return connection != null;
    }

    /** On the loop. */
    void connect(boolean cleanStart, long expirySeconds, @Nullable Will will, IoLoop loop) {
        broker.sessions().claim(id, cleanStart, loop, (session, present) -> {
            Connection made = new Connection(session);
            connection = made;
            if (session.protocolState() == null) {
                session.protocolState(new NoteState());
            }
            broker.sessions().describe(session, expirySeconds, will);
            session.subscriptionsByKey().forEach(this::attach);
            return made;
        });
    }

    /** On the loop, like what follows. */
    void disconnect(boolean publishWill) {
        Connection gone = connection;
        if (gone != null) {
            gone.close();
            broker.sessions().disconnected(gone.session, publishWill);
        }
    }

    void subscribe(SubscriptionRequest request, boolean replay) {
        Connection present = connection;
        if (present != null) {
            Subscription made =
                    broker.subscriptions().subscribe(present.session, request).subscription();
            if (!links.containsKey(request.key())) {
                attach(request.key(), made);
            }
            if (replay && request.group() == null) {
                broker.replayRetained(made, present.session.home());
            }
        }
    }

    void unsubscribe(String key) {
        Connection present = connection;
        if (present != null) {
            Link link = links.remove(key);
            if (link != null) {
                link.close();
            }
            boolean unused = broker.subscriptions().unsubscribe(present.session, key);
        }
    }

    void note(Random chance) {
        Connection present = connection;
        var log = present == null ? null : present.session.log();
        if (present != null && log != null && present.session.protocolState() instanceof NoteState state) {
            boolean removes = !state.notes().isEmpty() && chance.nextBoolean();
            int which = removes ? state.notes().first() : ++note;
            byte[] entry = NoteState.entry(removes ? NoteState.REMOVE : NoteState.ADD, which);
            if (removes) {
                state.notes().remove(which);
            } else {
                state.notes().add(which);
            }
            log.write(entry, 0, entry.length);
        }
    }

    /** Settles a delivery chosen by chance. */
    void settle(Random chance) {
        Link link = link(chance);
        if (link != null) {
            link.settle(chance);
        }
    }

    /** Takes a delivery for a transaction; null when there is none. */
    @Nullable Unsettled take(Random chance, List<MessageQueue> from) {
        Link link = link(chance);
        if (link == null || link.held.isEmpty()) {
            return null;
        }
        from.add(link.queue);
        return link.held.remove().unsettled;
    }

    private @Nullable Link link(Random chance) {
        List<Link> all =
                links.values().stream().filter(link -> !link.held.isEmpty()).toList();
        return all.isEmpty() ? null : all.get(chance.nextInt(all.size()));
    }

    private void attach(String key, Subscription subscription) {
        Link link = new Link(subscription.queue());
        links.put(key, link);
        link.open();
    }

    private final class Connection implements ConnectedClient {
        private final ClientSession session;

        Connection(ClientSession session) {
            this.session = session;
        }

        @Override
        public void disconnect(DisconnectCause cause) {
            close();
        }

        void close() {
            links.values().forEach(Link::close);
            links.clear();
            connection = connection == this ? null : connection;
        }
    }

    /** A consumer of one subscription. */
    private final class Link implements Consumer {
        private final SubscriptionQueue queue;
        private final Deque<Held> held = new ArrayDeque<>();
        private @Nullable Outpost outpost;
        private @Nullable DeliverySource busy;
        private boolean closed;

        Link(SubscriptionQueue queue) {
            this.queue = queue;
        }

        void open() {
            Connection present = connection;
            IoLoop loop = present == null ? queue.home() : present.session.home();
            if (queue.home() == loop) {
                queue.attach(this);
            } else {
                Outpost made = new Outpost(queue, this, loop);
                outpost = made;
                made.open();
            }
        }

        void close() {
            if (closed) {
                return;
            }
            closed = true;
            List<Unsettled> back = new ArrayList<>();
            held.forEach(one -> back.add(one.unsettled));
            held.clear();
            if (outpost != null) {
                outpost.close(back);
            } else {
                queue.detach(this);
                queue.giveBack(back);
            }
        }

        void settle(Random chance) {
            Held one = chance.nextInt(3) == 0 ? held.pollLast() : held.poll();
            if (one != null) {
                one.source.settle(one.unsettled.message(), one.unsettled.reference());
                DeliverySource asked = busy;
                busy = null;
                if (asked != null) {
                    asked.resume(this);
                }
            }
        }

        @Override
        public Delivery deliver(
                DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
            if (held.size() >= WINDOW) {
                busy = source;
                return Delivery.BUSY;
            }
            held.add(new Held(source, new Unsettled(message, reference)));
            return Delivery.IN_FLIGHT;
        }

        @Override
        public void onNeverAcknowledging() {}

        @Override
        public void onQueueClosed() {
            closed = true;
            held.clear();
        }
    }

    private record Held(DeliverySource source, Unsettled unsettled) {}
}
