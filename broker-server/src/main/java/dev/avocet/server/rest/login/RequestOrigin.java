package dev.avocet.server.rest.login;

import dev.avocet.server.console.SessionCookie;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Refusal;
import io.javalin.http.Context;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells requests of administrators from those that a web page makes behind the back of one. */
public final class RequestOrigin {
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private RequestOrigin() {}

    /** A page of another server may not change anything: browsers say where a request comes from that a page makes. */
    public static void refuseOtherSites(Context context) throws Refusal {
        if (READING.contains(context.req().getMethod())) {
            return;
        }
        String site = context.header("Sec-Fetch-Site");
        String origin = context.header("Origin");
        boolean foreign = site != null && !OWN_SITES.contains(site);
        if (foreign || (origin != null && !isHere(origin, context.header("Host")))) {
            throw new Refusal(Code.NOT_AUTHORIZED, "a web page of another site may change nothing here");
        }
    }

    /**
     * A browser sends the cookie of a session whichever page asks for something. So a script of the console has to say
     * that it is one, which the browser lets no page of another site do.
     */
    static void requireConsole(Context context) throws Refusal {
        String site = context.header("Sec-Fetch-Site");
        String origin = context.header("Origin");
        boolean foreign = (site != null && !site.equals("same-origin"))
                || (origin != null && !isHere(origin, context.header("Host")));
        if (foreign || !SessionCookie.isOfConsole(context)) {
            throw new Refusal(
                    Code.NOT_AUTHORIZED,
                    "a session of the console is for its own pages; a program brings a password or a token");
        }
    }

    /**
     * A user who needs no password must be on this machine, ask for it by an address or as localhost, so that no page
     * can reach it by a name that leads here, and not come through a proxy, behind which everybody looks local.
     */
    static void requireThisMachine(Context context, InetAddress address) throws Refusal {
        boolean forwarded = context.header("Forwarded") != null || context.header("X-Forwarded-For") != null;
        if (!address.isLoopbackAddress() || forwarded || !isLocal(hostOf(context.header("Host")))) {
            throw new Refusal(
                    Code.NOT_AUTHORIZED,
                    "the administration has no password yet and is open to its own machine only, as 127.0.0.1, [::1] or localhost;"
                            + " set AdminUserPassword from there");
        }
    }

    private static boolean isHere(String origin, @Nullable String host) {
        try {
            return Objects.equals(URI.create(origin).getAuthority(), host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isLocal(String host) {
        return host.equals("localhost") || NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
    }

    /** Without the port; empty when there is none. */
    private static String hostOf(@Nullable String header) {
        if (header == null) {
            return "";
        }
        int colon = header.lastIndexOf(':');
        boolean hasPort = colon > header.lastIndexOf(']');
        String host = hasPort ? header.substring(0, colon) : header;
        return host.replace("[", "").replace("]", "").toLowerCase(Locale.ROOT);
    }
}
