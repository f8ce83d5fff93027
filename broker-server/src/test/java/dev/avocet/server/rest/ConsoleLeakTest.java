package dev.avocet.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.turn.InTurn;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What consoles leave in the broker that have been open: nothing. */
@InTurn
class ConsoleLeakTest {
    private static final String LIVE = "/api/v1/service/live";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CONSOLES = 1_000;
    private static final int MOST_OPEN = 32;
    private static final long MOST_LEFT_BYTES = 4 * 1024 * 1024;

    @TempDir
    private Path data;

    private final HttpClient client = HttpClient.newHttpClient();
    private RestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = RestBroker.start(data, "{}");
        broker.configure("{\"AdminUserPassword\": \"pencil\"}");
        broker.login("admin:pencil");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldKeepNothingOfAThousandConsolesThatWereOpenedAndClosed() throws Exception {
        // given
        String cookie = logIn();
        openAndClose(cookie, MOST_OPEN); // what is loaded and kept once
        long before = usedBytes();

        // when
        openAndClose(cookie, CONSOLES);

        // then: no stream, as all that there may be can begin again, and no thread that makes events
        List<InputStream> all = new ArrayList<>();
        await().atMost(PATIENCE).until(() -> {
            HttpResponse<InputStream> answer = open(cookie);
            if (answer.statusCode() == 200) {
                all.add(answer.body());
            } else {
                answer.body().close();
            }
            return all.size() == MOST_OPEN;
        });
        for (InputStream stream : all) {
            stream.close();
        }
        await().atMost(PATIENCE).until(() -> !hasThread("console"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(usedBytes() - before).isLessThan(MOST_LEFT_BYTES));
    }

    @Test
    void shouldKeepNoSessionOfThoseThatHaveLoggedOut() throws Exception {
        // given
        for (int i = 0; i < 20; i++) {
            String cookie = logIn();
            assertThat(inSession("DELETE", cookie).statusCode()).isEqualTo(200);
            assertThat(inSession("GET", cookie).statusCode()).isEqualTo(401);
        }
        String last = logIn();

        // when
        broker.send("DELETE", "/api/v1/service/session?Everywhere=true", null);

        // then: it was the only one
        assertThat(broker.adminLog()).anyMatch(line -> line.contains("which ended 1 sessions"));
        assertThat(inSession("GET", last).statusCode()).isEqualTo(401);
    }

    private void openAndClose(String cookie, int times) throws Exception {
        int opened = 0;
        while (opened < times) {
            HttpResponse<InputStream> answer = open(cookie);
            try (InputStream stream = answer.body()) {
                if (answer.statusCode() == 200) {
                    assertThat(stream.read()).isEqualTo('d'); // of an event
                    opened++;
                }
            }
        }
    }

    private HttpResponse<InputStream> open(String cookie) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(broker.url() + LIVE))
                        .headers("Accept", "text/event-stream", "X-Avocet-Console", "background", "Cookie", cookie)
                        .build(),
                BodyHandlers.ofInputStream());
    }

    private String logIn() throws Exception {
        String cookie = broker.send("POST", "/api/v1/service/session", null, "X-Avocet-Console", "user")
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();
        return cookie.substring(0, cookie.indexOf(';'));
    }

    private HttpResponse<String> inSession(String method, String cookie) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(broker.url() + "/api/v1/service/session"))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .headers("X-Avocet-Console", "user", "Cookie", cookie)
                        .build(),
                BodyHandlers.ofString());
    }

    private static boolean hasThread(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(name));
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
