package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.room.QueueStatistics;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells which messages have arrived since the last report for clients that are away, where the policy of the
 * subscription wants that. Subscriptions that clients share are left out: others may take those messages. Each loop
 * reports of its own sessions, some at a time.
 */
public final class ArrivalReport implements Runnable {
    /** Sessions per turn, well under a millisecond. */
    private static final int TURN = 1_000;

    private final PolicyUse policies;
    private final Iterator<ClientSession> sessions;
    private final IoLoop loop;
    private final Consumer<Arrivals> receiver;

    private ArrivalReport(
            PolicyUse policies, Iterator<ClientSession> sessions, IoLoop loop, Consumer<Arrivals> receiver) {
        this.policies = policies;
        this.sessions = sessions;
        this.loop = loop;
        this.receiver = receiver;
    }

    /**
     * Begins a report. Any thread; what has been reported is not reported again.
     *
     * @param receiver hears of each client for which something has arrived; called on the loops, so it must not block
     */
    public static void begin(
            SessionRegistry registry, PolicyUse policies, List<IoLoop> loops, Consumer<Arrivals> receiver) {
        if (policies.announces()) {
            for (IoLoop loop : loops) {
                loop.execute(new ArrivalReport(policies, registry.all().iterator(), loop, receiver));
            }
        }
    }

    /** The client has gone away: what has come so far it has got, or knows of. */
    static void beginFor(ClientSession session, PolicyUse policies) {
        if (policies.announces()) {
            session.subscriptionsByKey().forEach((key, subscription) -> {
                if (isAnnounced(subscription, policies)) {
                    session.announced(key, subscription.queue().statistics().published());
                }
            });
        }
    }

    @Override
    public void run() {
        for (int turn = 0; turn < TURN && sessions.hasNext(); turn++) {
            ClientSession session = sessions.next();
            if (session.home() == loop && session.isAway() && !session.hasEnded()) {
                report(session);
            }
        }
        if (sessions.hasNext()) {
            loop.executeAfterInput(this);
        }
    }

    private void report(ClientSession session) {
        List<Arrival> arrived = new ArrayList<>(0);
        for (Map.Entry<String, Subscription> entry :
                session.subscriptionsByKey().entrySet()) {
            Subscription subscription = entry.getValue();
            if (isAnnounced(subscription, policies)) {
                long count =
                        countNew(session, entry.getKey(), subscription.queue().statistics());
                if (count > 0) {
                    arrived.add(new Arrival(subscription.filter().text(), count));
                }
            }
        }
        if (!arrived.isEmpty()) {
            receiver.accept(new Arrivals(session.clientId(), session.userName(), arrived));
        }
    }

    /**
     * What was announced by an earlier life of the broker, or not at all so far, is not known: then all that waits is
     * new.
     */
    private static long countNew(ClientSession session, String key, QueueStatistics queue) {
        Long announced = session.announced(key);
        session.announced(key, queue.published());
        return announced == null ? queue.buffered() : queue.published() - announced;
    }

    private static boolean isAnnounced(Subscription subscription, PolicyUse policies) {
        return !subscription.isShared()
                && policies.announces(subscription.queue().limits());
    }

    /**
     * What has arrived for a client.
     *
     * @param userName who the client has proved to be; null without a login
     */
    public record Arrivals(String clientId, @Nullable String userName, List<Arrival> messages) {
        /** Copies the list. */
        public Arrivals {
            messages = List.copyOf(messages);
        }
    }

    /** How many messages have arrived for one subscription. */
    public record Arrival(String topicFilter, long count) {}
}
