package dev.avocet.admin;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Asks a broker's admin end point. With the old client of the JDK, which starts in a third of the new one's time. */
final class AdminClient {
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final int READ_TIMEOUT_MS = 30_000;
    private static final int ANSWER_MAX_BYTES = 64 << 20;

    private final URI server;

    /** @param server such as {@code http://127.0.0.1:9089} */
    AdminClient(URI server) {
        this.server = server;
    }

    /** The JSON at a path. */
    String get(String path) throws AdminException {
        URL url = url(path);
        try {
            return get(url);
        } catch (ConnectException e) {
            throw unreachable("nobody listens there. Is the broker running, and is this its admin end point?");
        } catch (UnknownHostException e) {
            throw unreachable("no name server knows the host");
        } catch (SocketTimeoutException e) {
            throw unreachable("no answer in time");
        } catch (IOException e) {
            throw unreachable(e.getMessage());
        }
    }

    private String get(URL url) throws IOException, AdminException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
        connection.setReadTimeout(READ_TIMEOUT_MS);
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("Accept", "application/json");
        int status = connection.getResponseCode();
        if (status != HttpURLConnection.HTTP_OK) {
            throw refused(status, text(connection.getErrorStream()));
        }
        return text(connection.getInputStream());
    }

    private URL url(String path) throws AdminException {
        boolean isHttp = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
        if (!isHttp || server.getHost() == null) {
            throw new AdminException(
                    ExitCode.USAGE, "'" + server + "' is no address of a server; write http://HOST:PORT");
        }
        try {
            return new URI(server.getScheme(), null, server.getHost(), server.getPort(), path, null, null).toURL();
        } catch (URISyntaxException | MalformedURLException e) {
            throw new AdminException(ExitCode.USAGE, "'" + server + "' cannot be used: " + e.getMessage());
        }
    }

    private AdminException unreachable(@Nullable String why) {
        return new AdminException(ExitCode.UNREACHABLE, "no answer from " + server + ": " + why);
    }

    private AdminException refused(int status, String body) {
        String why = status == HttpURLConnection.HTTP_NOT_FOUND
                ? "it does not know the question. Is it an Avocet broker of this version?"
                : errorIn(body);
        return new AdminException(ExitCode.REFUSED, server + " answered " + status + ": " + why);
    }

    /** What the broker says in JSON, or the first line of whatever it is. */
    private static String errorIn(String body) {
        try {
            return String.valueOf(JsonObject.parse(body).getOrDefault("error", body));
        } catch (AdminException e) {
            return body.lines().findFirst().orElse("");
        }
    }

    private static String text(@Nullable InputStream stream) throws IOException {
        return stream == null ? "" : new String(stream.readNBytes(ANSWER_MAX_BYTES), StandardCharsets.UTF_8);
    }
}
