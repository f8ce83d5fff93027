package dev.avocet.core.session;

/** What shared subscriptions are called inside the broker: the same for all members, whatever protocol they speak. */
public final class ShareNames {
    private ShareNames() {}

    /** Whose members are known by a name and a filter; sessions of every kind may be among them. */
    public static String mixed(String name, String filter) {
        return "$share/" + name + '/' + filter;
    }

    /** Whose members are known by a name alone and have sessions that outlive their connections. */
    public static String durable(String name) {
        return "$SharedSubscription/" + name + " (durable)";
    }

    /** Whose members are known by a name alone and are gone with their connections. */
    public static String notDurable(String name) {
        return "$SharedSubscription/" + name + " (not durable)";
    }
}
