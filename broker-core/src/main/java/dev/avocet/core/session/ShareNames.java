package dev.avocet.core.session;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Groups: what shared subscriptions are called inside the broker and in the store, the same for all members, whatever
 * protocol they speak. A subscription of one JMS client has a group too, as its consumers are not its session's.
 */
public final class ShareNames {
    /** Owns the subscriptions that are shared by name and filter. */
    public static final String MIXED_OWNER = "__SharedM";
    /** Owns the durable ones that are shared by name alone. */
    public static final String DURABLE_OWNER = "__Shared";
    /** Owns those shared by name alone that are not durable. */
    public static final String NOT_DURABLE_OWNER = "__SharedND";

    private static final String MIXED = "$share/";
    private static final String BY_NAME = "$SharedSubscription/";
    private static final String DURABLE = " (durable)";
    private static final String NOT_DURABLE = " (not durable)";
    /** Kind, length of the owner; owner and name follow. */
    private static final Pattern OF_CLIENT = Pattern.compile("jms/(own|shared)(-nd)?(?:-\\d+)?/(\\d+)/");

    private ShareNames() {}

    /** Whose members are known by a name and a filter; sessions of every kind may be among them. */
    public static String mixed(String name, String filter) {
        return MIXED + name + '/' + filter;
    }

    /**
     * Whose members are known by a name alone: MQTT sessions that outlive their connections, and JMS clients without a
     * client identifier that share a durable subscription.
     */
    public static String durable(String name) {
        return BY_NAME + name + DURABLE;
    }

    /** Whose members are known by a name alone and are gone with their connections. */
    public static String notDurable(String name) {
        return BY_NAME + name + NOT_DURABLE;
    }

    /** A durable subscription of one JMS client, which its own consumers may share. */
    public static String ofClient(String owner, String name, boolean shared) {
        return "jms/" + (shared ? "shared" : "own") + '/' + owner.length() + '/' + owner + '/' + name;
    }

    /** One that the consumers of one JMS client share as long as they are there. */
    public static String sharedWhileConsumed(String owner, String name) {
        return "jms/shared-nd/" + owner.length() + '/' + owner + '/' + name;
    }

    /**
     * One of a single consumer, as long as that is there.
     *
     * @param number tells it from others of that name
     */
    public static String ofConsumer(String owner, String name, long number) {
        return "jms/own-nd-" + number + '/' + owner.length() + '/' + owner + '/' + name;
    }

    /** What people call the subscription of a group. */
    public static SubscriptionId idOf(String group) {
        if (group.startsWith(MIXED)) {
            return new SubscriptionId(MIXED_OWNER, group.substring(MIXED.length() - 1));
        }
        if (group.startsWith(BY_NAME) && group.endsWith(DURABLE)) {
            return new SubscriptionId(
                    DURABLE_OWNER, group.substring(BY_NAME.length(), group.length() - DURABLE.length()));
        }
        if (group.startsWith(BY_NAME) && group.endsWith(NOT_DURABLE)) {
            return new SubscriptionId(
                    NOT_DURABLE_OWNER, group.substring(BY_NAME.length(), group.length() - NOT_DURABLE.length()));
        }
        Matcher matcher = OF_CLIENT.matcher(group);
        if (matcher.lookingAt()) {
            return idOf(group, matcher);
        }
        return new SubscriptionId(DURABLE_OWNER, FormerShareNames.shown(group));
    }

    private static SubscriptionId idOf(String group, Matcher kind) {
        int slash = kind.end() + Integer.parseInt(kind.group(3));
        String name = group.substring(slash + 1);
        boolean hasDurableTwin = kind.group(1).equals("shared") && kind.group(2) != null;
        return new SubscriptionId(group.substring(kind.end(), slash), hasDurableTwin ? name + NOT_DURABLE : name);
    }

    /** Whether several clients, or several consumers of one, may share the subscription of a group. */
    public static boolean isShared(String group) {
        return !group.startsWith("jms/own");
    }
}
