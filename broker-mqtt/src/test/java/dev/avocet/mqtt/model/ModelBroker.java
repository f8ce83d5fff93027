package dev.avocet.mqtt.model;

import dev.avocet.mqtt.packet.TopicSubscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What MQTT says about all sessions together: who exists, retained messages, wills, and time. */
final class ModelBroker {
    private final Map<String, ModelSession> sessions = new TreeMap<>();
    private final Map<String, ModelMessage> retained = new HashMap<>();
    private long nowSecond;

    @Nullable ModelSession session(String clientId) {
        return sessions.get(clientId);
    }

    /** A CONNECT is accepted; returns whether a session was present. */
    boolean connect(String clientId, boolean cleanStart, long expirySeconds, @Nullable ModelWill will) {
        ModelSession present = sessions.get(clientId);
        if (present != null && present.connected) {
            disconnect(present, true);
            present = sessions.get(clientId);
        }
        if (present != null && cleanStart) {
            end(present);
            present = null;
        }
        ModelSession session = present != null ? present : new ModelSession(clientId);
        sessions.put(clientId, session);
        session.connected = true;
        session.expirySeconds = expirySeconds;
        session.will = will;
        session.endsAtSecond = Long.MAX_VALUE;
        session.willAtSecond = Long.MAX_VALUE;
        return present != null;
    }

    void disconnect(ModelSession session, boolean publishWill) {
        session.connected = false;
        session.connectionLost();
        session.will = publishWill ? session.will : null;
        if (session.expirySeconds == 0) {
            end(session);
            return;
        }
        if (session.expirySeconds != WireWords.NEVER) {
            session.endsAtSecond = nowSecond + session.expirySeconds;
        }
        if (session.will != null) {
            session.willAtSecond = nowSecond + session.will.delaySeconds();
            publishDueWill(session);
        }
    }

    void publish(ModelMessage message) {
        sessions.values().forEach(session -> session.publish(message));
        if (message.retain() && message.payload().isEmpty()) {
            retained.remove(message.topic());
        } else if (message.retain()) {
            retained.put(message.topic(), message);
        }
    }

    void subscribe(ModelSession session, TopicSubscription subscription) {
        session.changeSubscriptions(false);
        session.subscriptions.put(subscription.filter(), subscription);
        for (ModelMessage message : retained.values()) {
            boolean own = subscription.noLocal() && session.clientId.equals(message.publisher());
            if (!own && TopicMatch.matches(subscription.filter(), message.topic())) {
                session.replay(message, subscription);
            }
        }
    }

    /** Returns whether there was such a subscription. */
    boolean unsubscribe(ModelSession session, String filter) {
        session.changeSubscriptions(true);
        return session.subscriptions.remove(filter) != null;
    }

    void oneSecondLater() {
        nowSecond++;
        for (ModelSession session : List.copyOf(sessions.values())) {
            publishDueWill(session);
            if (session.endsAtSecond <= nowSecond) {
                end(session);
            }
        }
    }

    private void publishDueWill(ModelSession session) {
        if (session.willAtSecond <= nowSecond) {
            publishWill(session);
        }
    }

    private void publishWill(ModelSession session) {
        ModelWill will = session.will;
        session.will = null;
        session.willAtSecond = Long.MAX_VALUE;
        if (will != null) {
            publish(will.message());
        }
    }

    private void end(ModelSession session) {
        publishWill(session);
        sessions.remove(session.clientId);
    }
}
