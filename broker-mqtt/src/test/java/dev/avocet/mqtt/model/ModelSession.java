package dev.avocet.mqtt.model;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.TopicSubscription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What MQTT says about one session: its subscriptions, what it is owed, what it was sent and has not acknowledged. */
final class ModelSession {
    final String clientId;
    final Map<String, TopicSubscription> subscriptions = new LinkedHashMap<>();
    long expirySeconds;

    @Nullable ModelWill will;

    boolean connected;
    long endsAtSecond = Long.MAX_VALUE;
    long willAtSecond = Long.MAX_VALUE;

    private final List<Expectation> owed = new ArrayList<>();
    private final Map<String, Integer> lastNumbers = new HashMap<>();
    /** Sent at QoS 1 or 2 and not completed, by packet identifier, in the order of sending. */
    private final Map<Integer, Publish> inFlight = new LinkedHashMap<>();
    /** Those of them that the client has answered with PUBREC. */
    private final Set<Integer> received = new HashSet<>();

    private int epoch;

    ModelSession(String clientId) {
        this.clientId = clientId;
    }

    /** Notes a publish, if the session has subscribed to it. Away, it is owed nothing that may be lost. */
    void publish(ModelMessage message) {
        QualityOfService highest = null;
        boolean retainAsPublished = false;
        for (TopicSubscription subscription : subscriptions.values()) {
            boolean own = subscription.noLocal() && clientId.equals(message.publisher());
            if (!own && TopicMatch.matches(subscription.filter(), message.topic())) {
                highest = highest == null || subscription.qos().compareTo(highest) > 0 ? subscription.qos() : highest;
                retainAsPublished |= subscription.retainAsPublished();
            }
        }
        if (highest == null) {
            return;
        }
        QualityOfService qos = highest.min(message.qos());
        if (qos == QualityOfService.AT_MOST_ONCE && !connected) {
            return;
        }
        boolean unique = !message.payload().isEmpty();
        String orderKey = unique ? message.publisher() + ' ' + message.topic() + ' ' + epoch : "";
        owed.add(new Expectation(
                message.topic(),
                message.payload(),
                qos,
                message.retain() && retainAsPublished,
                orderKey,
                message.number()));
    }

    void replay(ModelMessage retained, TopicSubscription subscription) {
        owed.add(new Expectation(
                retained.topic(), retained.payload(), subscription.qos().min(retained.qos()), true, "", 0));
    }

    /**
     * The subscriptions change: what still waits may come as before, as after, or not at all if its subscription is
     * gone.
     */
    void changeSubscriptions(boolean unsubscribe) {
        epoch++;
        for (Expectation expectation : owed) {
            expectation.anyOptions = true;
            expectation.required &= !unsubscribe;
        }
    }

    /** The connection is gone, or about to be: what was not sent at QoS 0 may be lost. */
    void connectionLost() {
        for (Expectation expectation : owed) {
            expectation.required &= expectation.qos != QualityOfService.AT_MOST_ONCE && !expectation.anyOptions;
        }
    }

    /** Checks a delivery against what is owed; returns what is wrong with it, or null. */
    @Nullable String receive(Publish publish) {
        String payload = new String(publish.payload(), StandardCharsets.UTF_8);
        if (publish.dup()) {
            Publish before = inFlight.get(publish.packetId());
            return before != null
                            && !received.contains(publish.packetId())
                            && before.topic().equals(publish.topic())
                            && new String(before.payload(), StandardCharsets.UTF_8).equals(payload)
                    ? null
                    : "repeated, but it was not sent before or was acknowledged";
        }
        Expectation met = take(publish, payload);
        if (met == null) {
            return "not expected; owed are " + owed;
        }
        if (!met.orderKey.isEmpty()
                && !met.anyOptions) { // else it may have been taken for a retained one of the same text
            Integer last = lastNumbers.put(met.orderKey, met.number);
            if (last != null && last >= met.number) {
                return "overtaken by number " + last;
            }
        }
        if (publish.qos() != QualityOfService.AT_MOST_ONCE && inFlight.put(publish.packetId(), publish) != null) {
            return "its packet identifier is in use";
        }
        return null;
    }

    /** The client has sent PUBREC. */
    void received(int packetId) {
        received.add(packetId);
    }

    /** The client has sent PUBACK or PUBCOMP. */
    void completed(int packetId) {
        inFlight.remove(packetId);
        received.remove(packetId);
    }

    /** The packet identifiers of what the broker has to send again, in order. */
    List<Integer> toRepeat() {
        return List.copyOf(inFlight.keySet());
    }

    List<Expectation> missing() {
        return owed.stream().filter(expectation -> expectation.required).toList();
    }

    /** The expectation that a delivery meets: rather one that must be met, rather one with just these options. */
    private @Nullable Expectation take(Publish publish, String payload) {
        Expectation best = null;
        int bestRank = 0;
        for (Expectation candidate : owed) {
            int rank = candidate.rank(publish, payload);
            if (rank > bestRank) {
                best = candidate;
                bestRank = rank;
            }
        }
        owed.remove(best);
        return best;
    }
}
