package dev.avocet.bench.brokerside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Asks the REST interface of an Avocet server for its figures. Any thread; waits for the answer. */
final class MonitoringClient {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MAX_ANSWER_BYTES = 16 << 20;
    private static final int OK = 200;
    private static final String PATH = "/api/v1/monitor/";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final ObjectMapper json = new ObjectMapper();
    private final URI base;
    private final @Nullable String credentials;

    /** @param user null where the server asks for none */
    MonitoringClient(URI base, @Nullable String user, @Nullable String password) {
        this.base = base;
        credentials = user == null
                ? null
                : "Basic "
                        + Base64.getEncoder()
                                .encodeToString((user + ":" + (password == null ? "" : password))
                                        .getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Asks for the figures of one kind of object.
     *
     * @throws IllegalArgumentException when there is no answer, with words for the user
     */
    JsonNode ask(String object, String query) {
        URI uri = base.resolve(PATH + object + query);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
        if (credentials != null) {
            request.header("Authorization", credentials);
        }
        try {
            HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                byte[] answer = body.readNBytes(MAX_ANSWER_BYTES);
                if (response.statusCode() != OK) {
                    throw unusable(uri, "it answers with status " + response.statusCode());
                }
                return json.readTree(answer).path(object);
            }
        } catch (ConnectException refused) {
            throw unusable(uri, "no server listens there");
        } catch (IOException broken) {
            throw unusable(uri, String.valueOf(broken.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unusable(uri, "interrupted");
        }
    }

    private static IllegalArgumentException unusable(URI uri, String why) {
        return new IllegalArgumentException("--broker-stats: " + uri + " cannot be asked: " + why);
    }
}
