package dev.avocet.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.server.store.FakeStore;
import dev.avocet.server.store.StoreFigures;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.testkit.FreePort;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile Health.Status status = Health.Status.RUNNING;
    private volatile @Nullable StoreFigures figures;
    private final ProcessFacts process = new FakeProcess();
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = AdminServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), process);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private final class FakeProcess implements ProcessFacts {
        @Override
        public Health health() {
            if (status == Health.Status.STOPPING) {
                throw new IllegalStateException("secret detail");
            }
            StoreHealth store = figures == null ? StoreHealth.opening("sync") : StoreHealth.of("sync", figures);
            return new Health(status, "1.2.3", 42, List.of("127.0.0.1:1883"), store);
        }
    }

    @Test
    void shouldTellItsHealth() throws IOException, InterruptedException {
        // when
        HttpResponse<String> answer = send("GET", "/health");

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"status\":\"running\",\"version\":\"1.2.3\",\"uptimeMs\":42,\"endpoints\":[\"127.0.0.1:1883\"],"
                                + "\"store\":{\"mode\":\"sync\",\"state\":\"opening\"}}");
    }

    @Test
    void shouldNotBeHealthyBeforeItServes() throws IOException, InterruptedException {
        // given
        status = Health.Status.STARTING;

        // then
        assertThat(send("GET", "/health").statusCode()).isEqualTo(503);
    }

    @Test
    void shouldNotBeHealthyOnceTheStoreHasFailed() throws IOException, InterruptedException {
        // given
        status = Health.Status.STORE_FAILED;
        figures = FakeStore.figures(true, true);

        // when
        HttpResponse<String> answer = send("GET", "/health");

        // then
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .contains("\"status\":\"storeFailed\"")
                .contains("\"store\":{\"mode\":\"sync\",\"state\":\"failed\",\"checkpointAgeMs\":7000}");
    }

    @Test
    void shouldBeHealthyWhileTheDiskIsFull() throws IOException, InterruptedException {
        // given
        figures = FakeStore.figures(false, false);

        // when
        HttpResponse<String> answer = send("GET", "/health");

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"state\":\"full\"");
    }

    @Test
    void shouldServeMetricsOfTheProcessAndOfTheBroker() throws IOException, InterruptedException {
        // given
        server.bind(registry ->
                Counter.builder("avocet.test.things").register(registry).increment(3));

        // when
        HttpResponse<String> answer = send("GET", "/metrics");

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
        assertThat(answer.body())
                .contains("jvm_memory_used_bytes", "process_uptime_seconds", "process_cpu_usage", "jvm_threads_live")
                .contains("avocet_test_things_total 3.0");
    }

    @Test
    void shouldAnswerEverythingElseAsJsonAndWithoutDetails() throws IOException, InterruptedException {
        assertThat(send("GET", "/nothing").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/nothing").body())
                .startsWith("{\"Version\":\"v1\",\"Code\":\"AVCT0404\",\"Message\":\"there is nothing at this path");
        assertThat(send("POST", "/health").body())
                .isEqualTo("{\"Version\":\"v1\",\"Code\":\"AVCT0405\","
                        + "\"Message\":\"this path does not take POST; it takes GET\"}");
        assertThat(send("POST", "/health").headers().firstValue("Content-Type")).contains("application/json");
        assertThat(send("GET", "/%2e%2e/x").body()).doesNotContain("at org.", "Jetty");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "GET /health HTTP/9.9\r\nHost: x\r\n\r\n",
                "nonsense\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
            })
    void shouldAnswerWhatIsNoRequestAsJson(String sent) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            // when
            socket.getOutputStream().write(sent.getBytes(UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);

            // then
            assertThat(answer)
                    .containsIgnoringCase("content-type: application/json")
                    .contains("{\"Version\":\"v1\",\"Code\":\"AVCT0", "\"Message\":\"")
                    .doesNotContainIgnoringCase("<html", "jetty");
        }
    }

    @Test
    void shouldKeepTheDetailsOfAFailureToTheLog() throws IOException, InterruptedException {
        // given
        status = Health.Status.STOPPING;

        // when
        HttpResponse<String> answer = send("GET", "/health");

        // then
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body())
                .isEqualTo(
                        "{\"Version\":\"v1\",\"Code\":\"AVCT0500\",\"Message\":\"internal error; the log says more\"}");
    }

    @Test
    void shouldSendHeadersThatKeepBrowsersAway() throws IOException, InterruptedException {
        for (String path : List.of("/health", "/metrics", "/nothing")) {
            // when
            HttpResponse<String> answer = send("GET", path);

            // then
            assertThat(answer.headers().map())
                    .containsKeys(
                            "x-content-type-options", "x-frame-options", "content-security-policy", "cache-control")
                    .doesNotContainKey("server");
        }
    }

    @Test
    void shouldMoveWithinItsOwnPortAgainAndAgain() throws IOException, InterruptedException {
        // given
        int port = FreePort.next();
        server.moveTo(loopback(port));

        // when
        for (int moves = 0; moves < 200; moves++) {
            server.moveTo(loopback(port));
        }

        // then
        assertThat(server.port()).isEqualTo(port);
        assertThat(send("GET", "/health").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldGoBackWhenAnotherAddressOfItsOwnPortIsTaken() throws IOException, InterruptedException {
        // given
        int port = FreePort.next();
        server.moveTo(loopback(port));
        try (ServerSocket occupant = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.2"))) {
            AdminPlace everywhere = new AdminPlace(new InetSocketAddress(occupant.getLocalPort()), null);

            // then
            assertThatThrownBy(() -> server.moveTo(everywhere)).isInstanceOf(IOException.class);
        }
        assertThat(send("GET", "/health").statusCode()).isEqualTo(200);
    }

    private static AdminPlace loopback(int port) {
        return new AdminPlace(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), null);
    }

    @Test
    void shouldSayWhenTheAddressIsTaken() {
        assertThatThrownBy(() -> AdminServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), process))
                .isInstanceOf(IOException.class);
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }
}
