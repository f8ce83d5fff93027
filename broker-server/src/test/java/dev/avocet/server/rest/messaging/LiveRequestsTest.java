package dev.avocet.server.rest.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.rest.RestBroker;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stream of figures of the console's dashboard. */
class LiveRequestsTest {
    private static final String LIVE = "/api/v1/service/live";
    private static final String STREAM = "text/event-stream";
    private static final int MORE_THAN_THERE_MAY_BE = 40;

    @TempDir
    private Path data;

    private final HttpClient client = HttpClient.newHttpClient();
    private RestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = RestBroker.start(data, "{}");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldTellStateAndFiguresAgainAndAgain() throws Exception {
        // when
        try (Stream<String> lines = open("Accept", STREAM).body()) {
            Iterator<String> events =
                    lines.filter(line -> line.startsWith("data: ")).iterator();
            String first = events.next();
            String second = events.next();

            // then
            assertThat(first)
                    .contains("\"Health\":{\"status\":\"running\"", "\"Server\":{", "\"Memory\":{", "\"Store\":{")
                    .contains("\"MESSAGES_RECEIVED\":0");
            assertThat(second).isNotEqualTo(first);
        }
    }

    @Test
    void shouldStreamToThoseAloneWhoAskForAStream() throws Exception {
        assertThat(broker.get(LIVE).statusCode()).isEqualTo(400);
        broker.configure("{\"AdminUserPassword\": \"pencil\"}");
        assertThat(broker.send("GET", LIVE, null, "Accept", STREAM).statusCode())
                .isEqualTo(401);
    }

    @Test
    void shouldEndWithItsSession() throws Exception {
        // given
        broker.configure("{\"AdminUserPassword\": \"pencil\"}");
        String login = "Basic " + Base64.getEncoder().encodeToString("admin:pencil".getBytes(UTF_8));
        String cookie = broker.send(
                        "POST", "/api/v1/service/session", null, "Authorization", login, "X-Avocet-Console", "user")
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();
        String[] inSession = {
            "Accept", STREAM, "X-Avocet-Console", "background", "Cookie", cookie.substring(0, cookie.indexOf(';'))
        };

        // when
        try (Stream<String> lines = open(inSession).body()) {
            Iterator<String> all = lines.iterator();
            assertThat(all.next()).startsWith("data: ");
            broker.send("DELETE", "/api/v1/service/session?Everywhere=true", null, "Authorization", login);

            // then
            while (all.hasNext()) {
                all.next();
            }
        }
    }

    @Test
    void shouldOpenNoMoreStreamsThanItsLimitAndGoOnAnswering() throws Exception {
        // given
        List<InputStream> open = new ArrayList<>();
        int refused = 0;

        // when: none of them is read
        for (int i = 0; i < MORE_THAN_THERE_MAY_BE; i++) {
            HttpResponse<InputStream> answer = client.send(request("Accept", STREAM), BodyHandlers.ofInputStream());
            if (answer.statusCode() == 200) {
                open.add(answer.body());
            } else {
                assertThat(answer.statusCode()).isEqualTo(503);
                refused++;
            }
        }

        // then
        assertThat(open).hasSize(32);
        assertThat(refused).isEqualTo(MORE_THAN_THERE_MAY_BE - 32);
        assertThat(RestBroker.json(broker.get("/api/v1/monitor/Server"))).isInstanceOf(Map.class);

        // finally
        for (InputStream body : open) {
            body.close();
        }
    }

    private HttpResponse<Stream<String>> open(String... headers) throws Exception {
        HttpResponse<Stream<String>> answer = client.send(request(headers), BodyHandlers.ofLines());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith(STREAM);
        return answer;
    }

    private HttpRequest request(String... headers) {
        return HttpRequest.newBuilder(URI.create(broker.url() + LIVE))
                .headers(headers)
                .build();
    }
}
