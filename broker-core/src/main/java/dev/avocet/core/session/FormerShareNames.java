package dev.avocet.core.session;

import org.jspecify.annotations.Nullable;

/**
 * The groups of durable JMS subscriptions as stores of earlier versions have them:
 * {@code jms/CONTAINER/NAME (durable)}, where the container is empty for clients without an identifier. These shared
 * apart from the MQTT clients that used the same name.
 */
public final class FormerShareNames {
    private static final String SESSION = "__jms/";
    private static final String GROUP = "jms/";
    private static final String SUFFIX = " (durable)";
    private static final String SHARED = "shared ";
    private static final String NO_LOCAL = "noLocal ";

    private FormerShareNames() {}

    /** How the subscription of a former group is shown while it has to stay apart. */
    static String shown(String group) {
        boolean former = group.startsWith(GROUP + '/') && group.endsWith(SUFFIX);
        return former ? group.substring(GROUP.length() + 1, group.length() - SUFFIX.length()) + " (JMS)" : group;
    }

    /**
     * What a former group is called now; null for a group that is none.
     *
     * @param sessionId of the session that keeps the subscription, {@code __jms/CONTAINER|NAME}, which shows where the
     *     container ends
     * @param key what the session calls the subscription
     */
    public static @Nullable String now(String sessionId, String key, String group) {
        int length = split(sessionId, group);
        if (length < 0) {
            return null;
        }
        String containerId = group.substring(GROUP.length(), GROUP.length() + length);
        String name = group.substring(GROUP.length() + length + 1, group.length() - SUFFIX.length());
        return containerId.isEmpty()
                ? ShareNames.durable(name)
                : ShareNames.ofClient(ClientSession.JMS_PREFIX + containerId, name, key.startsWith(SHARED));
    }

    /** The selector in the key of a shared subscription of an earlier version; empty when there is none. */
    public static String selectorIn(String key, String filter) {
        if (!key.startsWith(SHARED)) {
            return "";
        }
        int begin = key.startsWith(NO_LOCAL, SHARED.length()) ? SHARED.length() + NO_LOCAL.length() : SHARED.length();
        return key.startsWith(filter + '\n', begin) ? key.substring(begin + filter.length() + 1) : "";
    }

    /**
     * The length of the container identifier: there one name has a bar where the other has a slash. Negative for
     * another group.
     */
    private static int split(String sessionId, String group) {
        if (!sessionId.startsWith(SESSION) || !group.startsWith(GROUP) || !group.endsWith(SUFFIX)) {
            return -1;
        }
        String withBar = sessionId.substring(SESSION.length());
        String withSlash = group.substring(GROUP.length(), group.length() - SUFFIX.length());
        if (withBar.length() != withSlash.length()) {
            return -1;
        }
        for (int i = 0; i < withBar.length(); i++) {
            if (withBar.charAt(i) != withSlash.charAt(i)) {
                boolean isEnd = withBar.charAt(i) == '|' && withSlash.charAt(i) == '/';
                return isEnd && withBar.substring(i + 1).equals(withSlash.substring(i + 1)) ? i : -1;
            }
        }
        return -1;
    }
}
