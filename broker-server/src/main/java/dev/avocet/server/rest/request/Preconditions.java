package dev.avocet.server.rest.request;

import dev.avocet.server.objects.ConfigurationStore;
import io.javalin.http.Context;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of the configuration as an entity tag (RFC 9110 section 8.8.3): every resource of it changes with it. */
public final class Preconditions {
    private static final Pattern TAG = Pattern.compile("\"([0-9]{1,18})\"");

    private Preconditions() {}

    public static void tag(Context context, long version) {
        context.header("ETag", '"' + Long.toString(version) + '"');
    }

    /** The version that the request was thought out for. */
    public static long expectedVersion(Context context) throws Refusal {
        String header = context.header("If-Match");
        if (header == null || header.strip().equals("*")) {
            return ConfigurationStore.ANY_VERSION;
        }
        Matcher tag = TAG.matcher(header.strip());
        if (!tag.matches()) {
            throw new Refusal(
                    Code.NOT_UNDERSTOOD, "If-Match must be one entity tag, as ETag gave it, such as \"12\", or *");
        }
        return Long.parseLong(tag.group(1));
    }

    /** Whether the client has this version already. */
    public static boolean isKnown(Context context, long version) {
        String header = context.header("If-None-Match");
        return header != null && header.contains('"' + Long.toString(version) + '"');
    }
}
