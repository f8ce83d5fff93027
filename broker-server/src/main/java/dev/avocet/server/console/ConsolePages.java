package dev.avocet.server.console;

import dev.avocet.server.admin.AdminRoutes;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the console, to everyone: they are the same for all, and tell nothing of the broker. They are
 * read when the first of them is asked for. Thread-safe.
 */
public final class ConsolePages implements AdminRoutes {
    /**
     * No script, style or picture but the broker's own files, no code within a page, and requests to this broker
     * alone. What the pages show can therefore do nothing, whatever a client has written into it.
     */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

    private static final int NEVER = Integer.MAX_VALUE;

    private final Object lock = new Object(); // for the files
    private @Nullable ConsoleFiles files;

    @Override
    public void addTo(Javalin http) {
        ConsoleFiles.paths().forEach(path -> {
            http.get(path, context -> answer(context, path));
            http.head(path, context -> answer(context, path));
        });
    }

    private void answer(Context context, String path) {
        ConsoleFile file = Objects.requireNonNull(files().at(path));
        boolean compressed = takesGzip(context);
        String tag = file.tag(compressed);
        context.header("Content-Security-Policy", POLICY);
        context.header("Cross-Origin-Opener-Policy", "same-origin");
        context.header("Cache-Control", "no-cache"); // kept, and asked about each time
        context.header("ETag", tag);
        context.header("Vary", "Accept-Encoding");
        if (tag.equals(context.header("If-None-Match"))) {
            context.status(304);
            return;
        }
        context.contentType(file.type());
        if (compressed) {
            context.header("Content-Encoding", "gzip");
        }
        context.minSizeForCompression(NEVER); // it is compressed, or should not be
        context.result(file.content(compressed));
    }

    private ConsoleFiles files() {
        synchronized (lock) {
            ConsoleFiles read = files;
            if (read == null) {
                read = ConsoleFiles.read();
                files = read;
            }
            return read;
        }
    }

    private static boolean takesGzip(Context context) {
        String accepted = context.header("Accept-Encoding");
        return accepted != null && accepted.toLowerCase(Locale.ROOT).contains("gzip");
    }
}
