package dev.avocet.mqtt.frontend;

import dev.avocet.mqtt.frontend.WebSocketOptions.OriginCheck;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages of the broker's own host name connect, on whatever port they were served, and pages of the origins that
 * were named. Without this any page that a user visits could talk to a broker that listens on that user's loopback
 * address. Clients that are no browsers tell no origin and are let in.
 *
 * @param origins such as {@code https://app.example.com}; {@code *} for every page
 */
public record AllowedOrigins(Set<String> origins) implements OriginCheck {
    /** Pages of the broker's own host name only. */
    public static final AllowedOrigins SAME_HOST = new AllowedOrigins(Set.of());

    private static final String ANY = "*";

    public AllowedOrigins {
        origins = Set.copyOf(origins);
    }

    @Override
    public boolean isAllowed(@Nullable String origin, @Nullable String host) {
        return origins.contains(ANY) || mayBringCookies(origin, host);
    }

    @Override
    public boolean mayBringCookies(@Nullable String origin, @Nullable String host) {
        if (origin == null || origins.contains(origin)) {
            return true;
        }
        String pageHost = hostOf(origin);
        return pageHost != null && host != null && pageHost.equals(hostOf("http://" + host));
    }

    private static @Nullable String hostOf(String url) {
        try {
            String host = new URI(url).getHost();
            return host == null ? null : host.toLowerCase(Locale.ROOT);
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
