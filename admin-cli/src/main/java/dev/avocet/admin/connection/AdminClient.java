package dev.avocet.admin.connection;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
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
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Asks a broker's admin end point. With the old client of the JDK, which starts in a third of the new one's time. */
public final class AdminClient {
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final int READ_TIMEOUT_MS = 30_000;
    private static final int ANSWER_MAX_BYTES = 64 << 20;
    private static final int SUCCESS = 2;

    private static final @Nullable Body NOTHING = null;

    private final URI server;
    private final @Nullable Credentials credentials;
    private final ClientTls tls;

    /** @param server such as {@code http://127.0.0.1:9089} */
    AdminClient(URI server, @Nullable Credentials credentials, ClientTls tls) {
        this.server = server;
        this.tls = tls;
        this.credentials = credentials;
    }

    /** The JSON at a path, which is encoded already. */
    public Answer get(String path) throws AdminException {
        return ask("GET", path, NOTHING, Map.of());
    }

    /**
     * Sends JSON to a path.
     *
     * @param version what {@link Answer#version} was, to be refused when another administrator has changed it; null for
     *     any
     */
    public Answer post(String path, String json, @Nullable String version) throws AdminException {
        return ask("POST", path, Body.json(json), version == null ? Map.of() : Map.of("If-Match", version));
    }

    /** Creates or replaces what is at a path. */
    public Answer put(String path, String json) throws AdminException {
        return ask("PUT", path, Body.json(json), Map.of());
    }

    /** Creates what is at a path, where there must be nothing. */
    public Answer create(String path, String json) throws AdminException {
        return ask("PUT", path, Body.json(json), Map.of("If-None-Match", "*"));
    }

    /** Sends a file to a path. */
    public Answer putFile(String path, byte[] bytes) throws AdminException {
        return ask("PUT", path, new Body("application/octet-stream", bytes), Map.of());
    }

    /** Deletes what is at a path. */
    public Answer delete(String path) throws AdminException {
        return ask("DELETE", path, NOTHING, Map.of());
    }

    private Answer ask(String method, String path, @Nullable Body body, Map<String, String> headers)
            throws AdminException {
        URL url = url(path);
        try {
            return ask(method, url, body, headers);
        } catch (ConnectException e) {
            throw unreachable("no server listens there. Is the broker running, and is this its admin end point?");
        } catch (UnknownHostException e) {
            throw unreachable("no name server knows the host");
        } catch (SocketTimeoutException e) {
            throw unreachable("no answer in time");
        } catch (SSLException e) {
            throw unreachable("TLS failed: " + e.getMessage()
                    + ". Does it speak TLS, and does --ca name the certificate that vouches for it?");
        } catch (IOException e) {
            throw unreachable(e.getMessage());
        }
    }

    private Answer ask(String method, URL url, @Nullable Body body, Map<String, String> headers)
            throws IOException, AdminException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        if (connection instanceof HttpsURLConnection secured) {
            tls.applyTo(secured);
        }
        connection.setRequestMethod(method);
        connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
        connection.setReadTimeout(READ_TIMEOUT_MS);
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("Accept", "application/json");
        if (credentials != null) {
            connection.setRequestProperty("Authorization", credentials.header());
        }
        headers.forEach(connection::setRequestProperty);
        if (body != null) {
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.bytes.length);
            connection.setRequestProperty("Content-Type", body.type);
            connection.getOutputStream().write(body.bytes);
        }
        int status = connection.getResponseCode();
        if (status / 100 != SUCCESS) {
            throw new Refusal(server, status, text(connection.getErrorStream())).exception(credentials != null);
        }
        return new Answer(
                text(connection.getInputStream()),
                status == HttpURLConnection.HTTP_ACCEPTED,
                connection.getHeaderField("ETag"));
    }

    private URL url(String path) throws AdminException {
        boolean isHttp = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
        if (!isHttp || server.getHost() == null) {
            throw new AdminException(
                    ExitCode.USAGE, "'" + server + "' is not an address of a server; write http://HOST:PORT");
        }
        try {
            String address =
                    new URI(server.getScheme(), null, server.getHost(), server.getPort(), null, null, null).toString();
            return URI.create(address + path).toURL();
        } catch (URISyntaxException | MalformedURLException | IllegalArgumentException e) {
            throw new AdminException(ExitCode.USAGE, "'" + server + "' cannot be used: " + e.getMessage());
        }
    }

    private AdminException unreachable(@Nullable String why) {
        return new AdminException(ExitCode.UNREACHABLE, "no answer from " + server + ": " + why);
    }

    private static final class Body {
        private final String type;
        private final byte[] bytes;

        Body(String type, byte[] bytes) {
            this.type = type;
            this.bytes = bytes;
        }

        static Body json(String json) {
            return new Body("application/json", json.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String text(@Nullable InputStream stream) throws IOException {
        return stream == null ? "" : new String(stream.readNBytes(ANSWER_MAX_BYTES), StandardCharsets.UTF_8);
    }
}
