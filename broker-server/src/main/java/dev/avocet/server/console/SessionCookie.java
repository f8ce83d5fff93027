package dev.avocet.server.console;

import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/**
 * How a browser brings its session: a cookie that no script can read and that no other site can have it send, and a
 * header that only a script of this site can add.
 */
public final class SessionCookie {
    /** Says that one of the console's scripts asks, and whether the user or the page by itself. */
    public static final String HEADER = "X-Avocet-Console";

    private static final String BY_ITSELF = "background";

    private SessionCookie() {}

    /** The session that a request names; null when it names none. */
    public static @Nullable String read(Context context) {
        return context.cookie(name(context));
    }

    /** Whether a script of the console asks. */
    public static boolean isOfConsole(Context context) {
        return context.header(HEADER) != null;
    }

    /** Whether the user asks, and not a page that looks again by itself. */
    public static boolean isByUser(Context context) {
        return !BY_ITSELF.equals(context.header(HEADER));
    }

    /** Has the browser keep it until it is closed. */
    public static void set(Context context, Session session) {
        write(context, session.id(), "");
    }

    /** Has the browser forget it. */
    public static void clear(Context context) {
        write(context, "", "; Max-Age=0");
    }

    private static void write(Context context, String value, String more) {
        String secure = context.req().isSecure() ? "; Secure" : "";
        context.res()
                .addHeader(
                        "Set-Cookie",
                        name(context) + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" + secure + more);
    }

    /** Browsers do not tell ports apart, so brokers of one machine would overwrite each other's. */
    private static String name(Context context) {
        return (context.req().isSecure() ? "__Host-" : "") + "avocet-"
                + context.req().getLocalPort();
    }
}
