package dev.avocet.bench.brokerside;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.avocet.bench.run.Inspection.Findings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With answers as Avocet's monitoring gives them. */
final class AvocetInspectionTest {
    private static final String SERVER = """
            {"Version": "v1", "Server": {"MsgRead": %d, "BufferedMessages": %d, "DiscardedMessages": %d, "Name": "x"}}""";
    private static final String SUBSCRIPTIONS = """
            {"Version": "v1", "Subscription": [
            {"SubName": "/p0/#", "TopicString": "/p0/#", "ClientID": "c0", "BufferedMsgsHWM": 77},
            {"SubName": "few", "TopicString": "/p0/#", "ClientID": "", "BufferedMsgsHWM": 7},
            {"SubName": "many", "TopicString": "/p0/#", "ClientID": "", "BufferedMsgsHWM": 70}]}""";

    private volatile String server = SERVER.formatted(10, 5, 1);
    private volatile String authorization = "";
    private HttpServer http;

    @BeforeEach
    void start() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/api/v1/monitor/Server", exchange -> answer(exchange, server));
        http.createContext("/api/v1/monitor/Subscription", exchange -> answer(exchange, SUBSCRIPTIONS));
        http.start();
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    @Test
    void shouldSayWhatHasGrown() {
        AvocetInspection inspection = new AvocetInspection(address(), "ada", "secret");
        inspection.begin();
        server = SERVER.formatted(110, 5, 1);

        Findings found = inspection.end();

        assertThat(found.faults()).isEmpty();
        assertThat(found.counts().get("brokerGrown"))
                .isEqualTo(Map.of("MsgRead", 100L, "BufferedMessages", 0L, "DiscardedMessages", 0L));
        assertThat(found.counts().get("highWaterMarks"))
                .isEqualTo(Map.of("/p0/# of c0", 77L, "/p0/# (few) shared", 7L, "/p0/# (many) shared", 70L));
        assertThat(authorization).isEqualTo("Basic YWRhOnNlY3JldA==");
    }

    @Test
    void shouldFindFaultWithWhatIsDiscardedOrStaysBuffered() {
        AvocetInspection inspection = new AvocetInspection(address(), null, null);
        inspection.begin();
        server = SERVER.formatted(110, 8, 3);

        assertThat(inspection.end().faults())
                .containsExactly(
                        "the broker says: DiscardedMessages grew by 2",
                        "the broker still buffers 3 messages more than before");
    }

    @Test
    void shouldFindFaultWithABrokerThatIsGone() {
        AvocetInspection inspection = new AvocetInspection(address(), null, null);
        inspection.begin();
        http.stop(0);

        Findings found = inspection.end();

        assertThat(found.faults()).singleElement().asString().contains("cannot be asked");
        assertThat(found.counts()).containsOnlyKeys("brokerBefore");
    }

    @Test
    void shouldSayThatNobodyAnswers() {
        http.stop(0);

        assertThatThrownBy(new AvocetInspection(address(), null, null)::begin)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("cannot be asked: no server listens there");
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    private void answer(HttpExchange exchange, String text) throws IOException {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        authorization = given == null ? "" : given;
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
