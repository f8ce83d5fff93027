package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.server.config.JsonTree;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the console explores besides lists: who shares a subscription, what the store keeps, a client's trace. */
class ExploreRequestsTest {
    private static final String STORED =
            "{\"mode\": \"os\", \"journal\": \"file\", \"directory\": \"kept\", \"segmentBytes\": 4194304}";
    private static final String MEMBERS = "/api/v1/service/Subscription/__SharedM/%2Fteam%2Falarms%2F%23/Member";
    private static final String TRACE = "/api/v1/service/trace/live";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path data;

    private AdministeredBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new AdministeredBroker(data, STORED);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldListWhoSharesASubscription() throws Exception {
        // given
        broker.leaveBehind("b", "$share/team/alarms/#");
        broker.leaveBehind("other", "alarms/#");
        MqttClient here = broker.connect("a");
        here.subscribe("$share/team/alarms/#", 1);

        // when
        List<Map<String, Object>> members = broker.list(MEMBERS, "Member");

        // then
        assertThat(members).extracting(each -> each.get("ClientID")).containsExactly("a", "b");
        assertThat(members).extracting(each -> each.get("IsConnected")).containsExactly(true, false);
        assertThat(broker.list(MEMBERS + "?ResultCount=1&After=a", "Member"))
                .extracting(each -> each.get("ClientID"))
                .containsExactly("b");
        assertThat(broker.get(MEMBERS.replace("team", "nobody")).statusCode()).isEqualTo(404);
        here.disconnect();
        here.close();
    }

    @Test
    void shouldTellTheSegmentsOfTheStoreAndWhyTheyAreKept() throws Exception {
        // given
        assertThat(broker.post("/api/v1/configuration", "{\"Queue\": {\"bills\": {}}}")
                        .statusCode())
                .isEqualTo(200);
        String large = "{\"Body\": \"" + "x".repeat(1 << 20) + "\"}";
        for (int i = 0; i < 6; i++) {
            assertThat(broker.post("/api/v1/service/queue/bills/message", large).statusCode())
                    .isEqualTo(200);
        }

        // when
        List<Map<String, Object>> all = broker.list("/api/v1/monitor/Segment", "Segment");
        List<Map<String, Object>> needed =
                broker.list("/api/v1/monitor/Segment?KeptFor=Messages&StatType=LiveBytesHighest", "Segment");

        // then
        assertThat(all).hasSizeGreaterThan(1);
        assertThat(all).last().satisfies(each -> assertThat(each).containsEntry("KeptFor", "Written"));
        assertThat(all)
                .allSatisfy(each ->
                        assertThat((long) each.get("SizeBytes")).isGreaterThanOrEqualTo((long) each.get("LiveBytes")));
        assertThat(needed).isNotEmpty().allSatisfy(each -> assertThat(each).containsEntry("KeptFor", "Messages"));
        assertThat((long) needed.get(0).get("LiveReferences")).isPositive();
        assertThat(broker.list("/api/v1/monitor/Segment?KeptFor=Pinned", "Segment"))
                .isEmpty();
    }

    @Test
    void shouldStreamTheTraceOfAClientUntilItsLinesAreOver() throws Exception {
        // given
        MqttClient client = broker.connect("meter-7");
        MqttClient other = broker.connect("meter-8");

        // when
        try (Stream<String> lines =
                watch("?ClientID=meter-7&Seconds=60&Lines=3").body()) {
            Iterator<String> events =
                    lines.filter(line -> line.startsWith("data: ")).iterator();
            events.next();
            other.publish("t/8", "secret".getBytes(UTF_8), 1, false);
            for (int i = 0; i < 20; i++) { // as it begins at the client some time after the stream
                client.publish("t/7", "secret".getBytes(UTF_8), 1, false);
            }
            StringBuilder seen = new StringBuilder();
            String last = "";
            while (events.hasNext()) {
                last = events.next();
                seen.append(last);
            }

            // then
            assertThat(seen).contains("PUBLISH", "t/7").doesNotContain("t/8").doesNotContain("secret");
            assertThat(last).contains("\"Ended\" : \"Lines\"");
        }
        assertThat(broker.auditLog()).anyMatch(line -> line.contains("watches the trace of client 'meter-7'"));
        assertThat(broker.get("/api/v1/service/trace").body()).isEmpty();
        client.disconnect();
        other.disconnect();
        client.close();
        other.close();
    }

    @Test
    void shouldTraceNothingMoreWhenItsTimeIsOver() throws Exception {
        // when
        try (Stream<String> lines = watch("?ClientID=meter-7&Seconds=1").body()) {
            List<String> all = lines.filter(line -> line.startsWith("data: ")).toList();

            // then
            assertThat(all).last().asString().contains("\"Ended\" : \"Time\"");
        }
    }

    @Test
    void shouldWatchSoManyTracesAtATime() throws Exception {
        // given
        List<Stream<String>> open = Stream.iterate(0, each -> each + 1)
                .limit(8)
                .map(each -> watched("?ClientID=meter-" + each + "&Seconds=600"))
                .map(HttpResponse::body)
                .toList();

        // when
        HttpResponse<Stream<String>> refused = watch("?ClientID=more");

        // then
        assertThat(refused.statusCode()).isEqualTo(503);

        // when
        open.forEach(Stream::close);

        // then
        await().atMost(PATIENCE).until(() -> {
            HttpResponse<Stream<String>> again = watch("?ClientID=more&Seconds=1");
            again.body().close();
            return again.statusCode() == 200;
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|400|ClientID: name the client",
                "?ClientID=a&Level=9|400|Level is 7 to 8",
                "?ClientID=a&Seconds=601|400|Seconds is 1 to 600",
                "?ClientID=a&Lines=0|400|Lines is 1 to 10000",
                "?ClientID=a|400|ask for it with Accept"
            })
    void shouldSayWhatIsWrong(String query, int status, String message) throws Exception {
        HttpResponse<String> refused = broker.get(TRACE + (query == null ? "" : query));

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
        assertThat(((Map<?, ?>) JsonTree.parse("answer", refused.body())).get("Message"))
                .asString()
                .contains(message);
    }

    private HttpResponse<Stream<String>> watched(String query) {
        try {
            return watch(query);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<Stream<String>> watch(String query) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(broker.url() + TRACE + query))
                .header("Accept", "text/event-stream")
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofLines());
    }
}
