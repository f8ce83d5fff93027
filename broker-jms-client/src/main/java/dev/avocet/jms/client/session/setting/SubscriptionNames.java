package dev.avocet.jms.client.session.setting;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Link names of subscriptions, in the form that the mapping's other clients use, so that a subscription is the same
 * the client that made it: {@code name}, {@code name|2} for its further consumers; {@code name|global} where there is
 * no client identifier; {@code name|volatile1} and {@code name|global-volatile1} for shared ones that are not durable.
 * Thread-safe.
 */
public final class SubscriptionNames {
    private final Set<String> used = new HashSet<>();
    private final Map<String, Boolean> sharing = new HashMap<>();

    // synchronized: consumers are made and closed by the threads of several sessions, rarely.
    public synchronized String reserve(
            final String name, final boolean shared, final boolean durable, final boolean global) throws JMSException {
        if (!shared && !used.add(name)) {
            throw new IllegalStateException("the durable subscription " + name + " has a consumer already");
        }
        if (!shared) {
            sharing.put(name, false);
            return name;
        }
        if (durable && Boolean.FALSE.equals(sharing.get(name)) && used.contains(name)) {
            throw new IllegalStateException("the subscription " + name + " has an unshared consumer");
        }
        for (int count = 1; ; count++) {
            final String link = sharedName(name, durable, global, count);
            if (used.add(link)) {
                if (durable) {
                    sharing.put(name, true);
                }
                return link;
            }
        }
    }

    private static String sharedName(final String name, final boolean durable, final boolean global, final int count) {
        if (durable) {
            final String suffix = (global ? "global" : "") + (count == 1 ? "" : count);
            return suffix.isEmpty() ? name : name + "|" + suffix;
        }
        return name + (global ? "|global-volatile" : "|volatile") + count;
    }

    // synchronized: as above.
    public synchronized void release(final String link) {
        used.remove(link);
    }

    // synchronized: as above.
    public synchronized boolean isUsed(final String link) {
        return used.contains(link);
    }
}
