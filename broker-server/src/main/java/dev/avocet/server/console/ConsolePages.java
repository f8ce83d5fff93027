package dev.avocet.server.console;

import dev.avocet.server.admin.AdminRoutes;
import dev.avocet.server.broker.endpoint.WebSocketEndpoint;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the console, to everyone: they are the same for all, and tell nothing of the broker but the ports
 * of its endpoints for WebSocket, to which the first page may connect. They are read when the first of them is asked
 * for. Thread-safe.
 */
public final class ConsolePages implements AdminRoutes {
    private static final int NEVER = Integer.MAX_VALUE;

    private final Supplier<List<WebSocketEndpoint>> endpoints;
    private final Object lock = new Object(); // for the files
    private @Nullable ConsoleFiles files;

    /** @param endpoints those to which the console's own MQTT client may connect */
    public ConsolePages(Supplier<List<WebSocketEndpoint>> endpoints) {
        this.endpoints = endpoints;
    }

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
        ContentPolicy policy = path.equals(ConsoleFiles.FIRST_PATH)
                ? ContentPolicy.connectingTo(endpoints.get(), context.host())
                : ContentPolicy.OWN;
        String tag = policy.tag(file.tag(compressed)); // a browser keeps the policy with the page that it has
        context.header("Content-Security-Policy", policy.text());
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
