package dev.avocet.mqtt.frontend;

import org.jspecify.annotations.Nullable;

/**
 * What MQTT over WebSocket can be told to do differently.
 *
 * @param path the only path at which connections are taken, without query, or null for any; clients usually use
 *     {@value #USUAL_PATH}
 * @param origins which web pages may connect
 * @param about whether a browser that asks for {@code /} is told what this is
 */
public record WebSocketOptions(@Nullable String path, OriginCheck origins, boolean about) {
    public static final String USUAL_PATH = "/mqtt";

    /** Any path; pages of the broker's own host name. */
    public static final WebSocketOptions DEFAULT = new WebSocketOptions(null, AllowedOrigins.SAME_HOST);

    /** Without a page about the broker. */
    public WebSocketOptions(@Nullable String path, OriginCheck origins) {
        this(path, origins, false);
    }

    public WebSocketOptions {
        if (path != null && !path.startsWith("/")) {
            throw new IllegalArgumentException("a WebSocket path begins with /, not " + path);
        }
    }

    /** Whether connections are taken at this request target. */
    boolean isAt(String target) {
        if (path == null) {
            return true;
        }
        int query = target.indexOf('?');
        return path.equals(query < 0 ? target : target.substring(0, query));
    }

    /**
     * Decides which web pages may connect; browsers tell the page's origin, other clients mostly tell none.
     * Thread-safe.
     */
    @FunctionalInterface
    public interface OriginCheck {
        /**
         * Whether a connection may be made.
         *
         * @param origin the header {@code Origin}, or null when there is none
         * @param host the header {@code Host}, or null when there is none
         */
        boolean isAllowed(@Nullable String origin, @Nullable String host);

        /**
         * Whether the cookies of a connection that may be made count. A browser sends them along for a page of any
         * site, so those of a page that was not named, nor comes from the broker's host, prove nothing.
         */
        default boolean mayBringCookies(@Nullable String origin, @Nullable String host) {
            return origin == null;
        }
    }
}
