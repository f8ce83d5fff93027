package dev.avocet.server.rest.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.server.HighAvailability;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Health;
import dev.avocet.server.admin.PairHealth;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.RestApi;
import dev.avocet.server.rest.request.PairControl;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.testkit.turn.InTurn;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The administration of a standby, which has no broker. */
@InTurn
class PairRequestsTest {
    private static final String ELSEWHERE = "the active node is b on 10.0.0.2: change the configuration there";

    @TempDir
    private Path data;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Standby standby = new Standby();
    private ConfigurationStore objects;
    private RestApi api;
    private AdminServer server;

    @BeforeEach
    void start() throws Exception {
        objects = ConfigurationStore.open(data.resolve("config"));
        api = new RestApi(objects, standby, true);
        api.files(data);
        api.pair(standby);
        server = AdminServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), standby, api);
    }

    @AfterEach
    void stop() {
        server.close();
        objects.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | /configuration | {\"Queue\": {\"orders\": {}}}",
                "PUT | /configuration/Queue/orders | {}",
                "DELETE | /configuration/Endpoint/DemoMqttEndpoint | ",
                "POST | /configuration/versions/1/rollback | {}",
                "POST | /service/maintenance | {\"Maintenance\": \"start\"}",
                "PUT | /file/ca.pem | x",
                "PUT | /user/anna | {}"
            })
    void shouldRefuseChangesOnTheStandbyAndSayWhereTheyAreTaken(String method, String path, @Nullable String body)
            throws Exception {
        // when
        HttpResponse<String> answer = send(method, path, body == null ? "" : body);

        // then
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("CWLNA0388", ELSEWHERE);
        assertThat(objects.current().version()).isEqualTo(1);
    }

    @Test
    void shouldTakeChangesWhereThisNodeIsTheActiveOne() throws Exception {
        standby.refusal = null;
        assertThat(send("POST", "/configuration", "{\"Queue\": {\"orders\": {}}}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(standby.told).isEqualTo(1);
        assertThat(send("GET", "/configuration", "").statusCode()).isEqualTo(200);
        assertThat(standby.told).isEqualTo(1);
    }

    @Test
    void shouldShowWhatIsOfTheNodeAndTakeItBackUnchanged() throws Exception {
        // given
        standby.refusal = null;
        assertThat(send("GET", "/configuration/HighAvailability", "").body())
                .contains("\"EnableHA\" : true", "\"Group\" : \"plant\"", "\"MinInSync\" : 2")
                .contains("\"SyncTimeout\" : 1000", "\"SetByOptions\" : \"MinInSync\"");
        assertThat(send("GET", "/configuration", "").body()).contains("\"Group\" : \"plant\"");

        // when it is given as it is shown, but for one property
        HttpResponse<String> answer = send(
                "POST",
                "/configuration",
                "{\"HighAvailability\": {\"EnableHA\": true, \"Group\": \"plant\", \"SetByOptions\": \"MinInSync\","
                        + " \"MinInSync\": 2, \"SyncTimeout\": 3000, \"MaxCatchUpRate\": 7}}");

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).doesNotContain("goes by");
        assertThat(objects.current().single(HighAvailability.class).syncTimeout())
                .hasSeconds(3);
        assertThat(objects.current().single(HighAvailability.class).catchUpBytesPerSecond())
                .isEqualTo(7 << 20);

        // when it is replaced
        answer = send("PUT", "/configuration/HighAvailability", "{\"Group\": \"plant\", \"DiskTimeout\": 700}");

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(objects.current().single(HighAvailability.class).syncTimeoutMs())
                .isEqualTo(1000);
        assertThat(objects.current().single(HighAvailability.class).diskTimeoutMs())
                .isEqualTo(700);
        assertThat(objects.current().single(HighAvailability.class).maxCatchUpRate())
                .isEqualTo(100);
    }

    @Test
    void shouldNameTheOptionOfWhatIsOfTheNode() throws Exception {
        // given
        standby.refusal = null;

        // then
        for (String change : List.of("\"Group\": \"other\"", "\"EnableHA\": false")) {
            HttpResponse<String> answer = send("POST", "/configuration", "{\"HighAvailability\": {" + change + "}}");
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("is set by the option --ha-group of the node", "start the node with");
        }
        for (String change : List.of("\"SyncTimeout\": 499", "\"MaxCatchUpRate\": 0", "\"MaxCatchUpRate\": 100001")) {
            HttpResponse<String> answer = send("POST", "/configuration", "{\"HighAvailability\": {" + change + "}}");
            assertThat(answer.statusCode()).as(change).isEqualTo(400);
        }
        assertThat(send("DELETE", "/configuration/HighAvailability", "").statusCode())
                .isGreaterThanOrEqualTo(400);

        // when what an option says is changed
        HttpResponse<String> answer = send("POST", "/configuration", "{\"HighAvailability\": {\"MinInSync\": 1}}");

        // then it is kept, and does not act
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("MinInSync: kept, but this node goes by 2");
        assertThat(send("GET", "/configuration/HighAvailability", "").body()).contains("\"MinInSync\" : 2");
    }

    @Test
    void shouldGoOnTellingOfTheConfigurationAndOfThePair() throws Exception {
        assertThat(send("GET", "/configuration/Endpoint", "").statusCode()).isEqualTo(200);
        for (String path : List.of("/service/ha", "/service/status/HighAvailability")) {
            assertThat(send("GET", path, "").body())
                    .contains("\"Role\" : \"standby in-sync\"", "\"ActiveNode\" : \"b\"", "\"Epoch\" : 7");
        }
        assertThat(send("GET", "/service/status/Server", "").body()).contains("\"Status\" : \"Standby\"");
    }

    @Test
    void shouldNotSayThatAChangeIsDoneBeforeTheOtherNodeHasIt() throws Exception {
        // given
        standby.refusal = null;
        standby.problem = "the change is made on this node, but the standby may not have it";

        // when
        HttpResponse<String> answer = send("POST", "/configuration", "{\"Queue\": {\"alone\": {}}}");

        // then
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .contains("AVCT0503", "the standby may not have it")
                .doesNotContain("CWLNA6011");
        assertThat(send("GET", "/configuration/Queue", "").body()).contains("alone");
    }

    @Test
    void shouldSayWhyWhatNeedsTheBrokerIsNotThere() throws Exception {
        // when
        HttpResponse<String> answer = send("GET", "/monitor/Server", "");

        // then
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("AVCT0503", "this node is a standby");
    }

    @Test
    void shouldTellOfThePairInTheHealth() throws Exception {
        // when
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/health"))
                        .build(),
                BodyHandlers.ofString());

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .contains("\"status\":\"standby\"")
                .contains("\"ha\":{\"role\":\"standby in-sync\",\"epoch\":7,\"node\":\"a\",\"leader\":\"b\","
                        + "\"inSync\":[\"a\",\"b\"],\"lagBytes\":0,\"lagRecords\":-1,"
                        + "\"lagMs\":-1,\"paused\":false,\"diskFull\":false,\"whyNotInSync\":\"\"}");
    }

    @Test
    void shouldHandOverOrSayWhyNot() throws Exception {
        assertThat(send("POST", "/service/ha/switch", "{}").statusCode()).isEqualTo(503);
        assertThat(send("POST", "/service/ha/switch", "{}").body()).contains("this node, a, is standby in-sync");

        // when
        standby.switches = true;

        // then
        assertThat(send("POST", "/service/ha/switch", "{}").statusCode()).isEqualTo(202);
    }

    @Test
    void shouldPauseAndResumeOrSayWhyNot() throws Exception {
        for (String verb : List.of("pause", "resume")) {
            // when
            standby.problemOfOrder = "";
            assertThat(send("POST", "/service/ha/" + verb, "{}").statusCode()).isEqualTo(202);
            standby.problemOfOrder = "this node, a, is the active one";

            // then
            HttpResponse<String> refused = send("POST", "/service/ha/" + verb, "{}");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("AVCT0503", "this node, a, is the active one");
        }
        assertThat(standby.ordered).containsExactly("pause", "pause", "resume", "resume");
    }

    @Test
    void shouldTellWhereTheStoreOfAResyncIsOrWhyItStays() throws Exception {
        // when
        HttpResponse<String> done = send("POST", "/service/ha/resync", "{}");

        // then
        assertThat(done.statusCode()).isEqualTo(202);
        assertThat(done.body()).contains("\"Aside\" : \"/data/store.aside-1\"", "delete that directory");

        // when
        standby.problemOfOrder = "it does not keep its whole log";
        assertThat(send("POST", "/service/ha/resync", "{}").body()).contains("AVCT0503", "its whole log");
    }

    @Test
    void shouldPromoteOnlyWhenThatIsMeant() throws Exception {
        // when
        HttpResponse<String> refused = send("POST", "/service/ha/promote", "{}");

        // then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("is lost when it is promoted");
        assertThat(standby.ordered).isEmpty();

        // when
        assertThat(send("POST", "/service/ha/promote", "{\"Force\": true}").statusCode())
                .isEqualTo(202);
        standby.problemOfOrder = "the active node, b, answers this node";
        assertThat(send("POST", "/service/ha/promote", "{\"Force\": true}").body())
                .contains("AVCT0503", "the active node, b, answers this node");
        assertThat(standby.ordered).containsExactly("promote", "promote");
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api/v1" + path))
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static final class Standby implements ProcessFacts, PairControl {
        private volatile @Nullable String refusal = ELSEWHERE;
        private volatile @Nullable String problem;
        private volatile boolean switches;
        private volatile int told;
        private volatile String problemOfOrder = "";
        private final List<String> ordered = new CopyOnWriteArrayList<>();

        @Override
        public Health health() {
            return new Health(Health.Status.STANDBY, "1", 1, List.of(), StoreHealth.opening("sync"), state());
        }

        @Override
        public List<String> problems() {
            return List.of("this node is a standby");
        }

        @Override
        public PairHealth state() {
            return new PairHealth("standby in-sync", 7, "a", "b", List.of("a", "b"), 0, -1, -1, false, false, "");
        }

        @Override
        public Map<String, Object> ofNode() {
            return Map.of("EnableHA", true, "Group", "plant", "MinInSync", 2L, "SetByOptions", "MinInSync");
        }

        @Override
        public @Nullable String refusal() {
            return refusal;
        }

        @Override
        public @Nullable String configurationChanged() {
            told++;
            return problem;
        }

        @Override
        public boolean switchOver() {
            return switches;
        }

        @Override
        public String pause() {
            return order("pause");
        }

        @Override
        public String resume() {
            return order("resume");
        }

        @Override
        public Resync resync() {
            return new Resync(problemOfOrder, problemOfOrder.isEmpty() ? "/data/store.aside-1" : "");
        }

        @Override
        public String promote() {
            return order("promote");
        }

        private String order(String order) {
            ordered.add(order);
            return problemOfOrder;
        }
    }
}
