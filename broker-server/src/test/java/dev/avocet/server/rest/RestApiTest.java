package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.object.messaging.MessageHub;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Health;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.request.AuditTap;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.server.users.UserDirectory;
import dev.avocet.testkit.CheapHasher;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that is administered by real HTTP requests. */
@InTurn
class RestApiTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CONFIGURATION = "/api/v1/configuration";
    private static final String QUEUE = "{\"Queue\": {\"orders\": {\"MaxMessages\": 100}}}";
    private static final String PASSWORD = "{\"AdminUserPassword\": \"pencil\"}";

    private final HttpClient client = HttpClient.newHttpClient();
    private AuditTap audit;

    @TempDir
    private Path data;

    private ConfigurationStore objects;
    private RunningBroker broker;
    private AdminServer server;
    private RestApi api;
    private @Nullable String login;

    @BeforeEach
    void start() throws Exception {
        audit = new AuditTap();
        objects = ConfigurationStore.open(data.resolve("config"));
        objects.apply(
                ChangeReader.read(
                        JsonTree.parse("test", "{\"Endpoint\": {\"DemoMqttEndpoint\": {\"Enabled\": false}}}")),
                ConfigurationStore.ANY_VERSION);
        SecureRandom random = new SecureRandom();
        Files.createDirectories(data.resolve("security"));
        UserDirectory users = UserDirectory.open(data.resolve("security/users.json"), CheapHasher.create(), random);
        users.addUser("vera", "view".toCharArray(), List.of());
        users.addUser("otto", "other".toCharArray(), List.of());
        broker = OneBroker.start(
                ConfigurationFile.parse("{\"store\": {\"mode\": \"memory\"}, \"security\": {\"userFile\": true}}"),
                data,
                failure -> {});
        broker.attach(objects, true);
        api = new RestApi(objects, new FakeProcess(), true);
        api.administer(broker);
        server = AdminServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new FakeProcess(), api);
    }

    @AfterEach
    void stop() {
        server.close();
        objects.close();
        broker.close();
        audit.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1", "/ima/v1"})
    void shouldCreateShowAndDeleteObjects(String prefix) throws Exception {
        // when
        HttpResponse<String> created = send("POST", prefix + "/configuration", QUEUE);

        // then
        assertThat(created.statusCode()).isEqualTo(200);
        assertThat(json(created)).containsEntry("Version", "v1").containsEntry("Code", "CWLNA6011");
        assertThat(tag(created)).isEqualTo("\"" + objects.current().version() + "\"");
        assertThat(json(get(prefix + "/configuration/Queue/orders")).get("Queue"))
                .asString()
                .contains("orders={", "MaxMessages=100");
        assertThat(json(get(prefix + "/configuration/Queue"))).containsOnlyKeys("Version", "Queue");
        assertThat(json(get(prefix + "/configuration"))).containsKeys("Endpoint", "Queue", "LogLevel", "AdminEndpoint");
        assertThat(json(get(prefix + "/configuration/LogLevel"))).containsEntry("LogLevel", "NORMAL");

        // when
        HttpResponse<String> deleted = send("DELETE", prefix + "/configuration/Queue/orders", null);

        // then
        assertThat(deleted.statusCode()).isEqualTo(200);
        assertThat(get(prefix + "/configuration/Queue/orders").statusCode()).isEqualTo(404);
        assertThat(audit.lines())
                .anyMatch(line -> line.startsWith("an administrator from 127.0.0.1 created Queue 'orders' (version ")
                        && line.contains("MaxMessages 100"))
                .anyMatch(line -> line.startsWith("an administrator from 127.0.0.1 deleted Queue 'orders'"));
    }

    @Test
    void shouldMergeWithPostAndReplaceWithPut() throws Exception {
        // given
        post("{\"Queue\": {\"orders\": {\"MaxMessages\": 100, \"Description\": \"d\"}}}");

        // when
        post("{\"Queue\": {\"orders\": {\"MaxMessages\": 200}}}");

        // then
        assertThat(queue().description()).isEqualTo("d");
        assertThat(queue().maxMessages()).isEqualTo(200);

        // when
        HttpResponse<String> replaced = send("PUT", CONFIGURATION + "/Queue/orders", "{\"MaxMessages\": 300}");

        // then
        assertThat(replaced.statusCode()).isEqualTo(200);
        assertThat(queue().description()).isEmpty();
        assertThat(queue().maxMessages()).isEqualTo(300);
        assertThat(audit.lines()).anyMatch(line -> line.contains("MaxMessages 100 -> 200"));
    }

    @Test
    void shouldChangeAllOrNothingAndNameEveryProblem() throws Exception {
        // when
        HttpResponse<String> refused =
                post("{\"Queue\": {\"orders\": {}}, \"MessageHub\": {\"9\": {}}, \"LogLevel\": \"LOUD\"}");

        // then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused)).containsEntry("Code", "CWLNA0112").containsKey("Message");
        assertThat((List<?>) json(refused).get("Problems")).hasSize(2);
        assertThat(refused.body())
                .contains("\"Property\" : \"LogLevel\"", "\"Object\" : \"MessageHub '9'\"", "\"Kind\" : \"INVALID\"");
        assertThat(get(CONFIGURATION + "/Queue/orders").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldRefuseWhatIsInUseAndWhatIsNotThere() throws Exception {
        assertThat(send("DELETE", CONFIGURATION + "/MessageHub/DemoHub", null).statusCode())
                .isIn(400, 409);
        assertThat(send("DELETE", CONFIGURATION + "/Queue/none", null).statusCode())
                .isEqualTo(404);
        assertThat(get(CONFIGURATION + "/Quue").body()).contains("did you mean 'Queue'?");
        assertThat(send("DELETE", CONFIGURATION + "/Queue/none?Force=perhaps", null)
                        .statusCode())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\"|400|line 1, column 5",
                "``|400|send JSON",
                "[]|400|must be an object",
                "{\"Nix\": 1}|400|Nix"
            })
    void shouldSayWhatIsWrongWithABody(String body, int status, String message) throws Exception {
        HttpResponse<String> refused = post(body);
        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(json(refused).get("Message")).asString().contains(message);
    }

    @Test
    void shouldReadNoMoreThanItsLimit() throws Exception {
        // given: in chunks, so that nobody is told the length
        byte[] large = ("{\"" + "a".repeat(RequestBody.MAX_BYTES)).getBytes(UTF_8);

        // when
        HttpResponse<String> refused = client.send(
                request(CONFIGURATION)
                        .POST(BodyPublishers.ofByteArrays(List.of(large, large)))
                        .build(),
                BodyHandlers.ofString());

        // then
        assertThat(refused.statusCode()).isEqualTo(413);
    }

    @Test
    void shouldLoseNoChangeOfThoseWhoGoByTheTag() throws Exception {
        // given
        int writers = 4;
        int changesEach = 10;
        post("{\"Queue\": {\"orders\": {\"MaxMessages\": 1}}}");

        // when: each adds one to what it has read, until nobody was faster
        List<CompletableFuture<Integer>> done = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            done.add(CompletableFuture.supplyAsync(() -> addOne(changesEach)));
        }
        int refused = done.stream().mapToInt(CompletableFuture::join).sum();

        // then
        assertThat(queue().maxMessages()).isEqualTo(1 + writers * changesEach);
        assertThat(refused).isNotNegative();
    }

    @Test
    void shouldRefuseAChangeThatWasThoughtOutForAnotherVersion() throws Exception {
        // given
        String tag = tag(get(CONFIGURATION));
        post(QUEUE);

        // when
        HttpResponse<String> refused = send("POST", CONFIGURATION, QUEUE, "If-Match", tag);

        // then
        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(json(refused).get("Message")).asString().contains("another administrator has changed it");
        assertThat(send("POST", CONFIGURATION, QUEUE, "If-Match", "W/x").statusCode())
                .isEqualTo(400);
        assertThat(send("GET", CONFIGURATION, null, "If-None-Match", tag(get(CONFIGURATION)))
                        .statusCode())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plant/orders", "a%b", "ünï ö", "a?b#c", "a;b", "_..", "a+b&c", "a~!@$^*()"})
    void shouldTakeObjectNamesWithOddCharacters(String name) throws Exception {
        // given
        String path = CONFIGURATION + "/MessageHub/" + RestBroker.encoded(name);

        // then
        assertThat(send("PUT", path, "{\"Description\": \"x\"}").statusCode()).isEqualTo(200);
        assertThat(objects.current().find(MessageHub.class, name)).isPresent();
        assertThat(((Map<?, ?>) json(get(path)).get("MessageHub")).containsKey(name))
                .isTrue();
        assertThat(send("DELETE", path, null).statusCode()).isEqualTo(200);
        assertThat(get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void shouldSayWhatAPathTakes() throws Exception {
        assertThat(send("PATCH", CONFIGURATION + "/versions", "{}").headers().firstValue("Allow"))
                .contains("GET");
        HttpResponse<String> refused = send("POST", CONFIGURATION + "/Queue/orders", "{}");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).contains("GET, PUT, DELETE");
    }

    @Test
    void shouldGoBackToAnOldVersion() throws Exception {
        // given
        long before = objects.current().version();
        post(QUEUE);

        // when
        HttpResponse<String> back = send("POST", CONFIGURATION + "/versions/" + before + "/rollback", "");

        // then
        assertThat(back.statusCode()).isEqualTo(200);
        assertThat(get(CONFIGURATION + "/Queue/orders").statusCode()).isEqualTo(404);
        assertThat(get(CONFIGURATION + "/versions").body()).contains("\"ConfigurationVersion\" : " + (before + 2));
        assertThat(get(CONFIGURATION + "/versions/" + (before + 1)).body()).contains("\"orders\"");
        assertThat(send("POST", CONFIGURATION + "/versions/99/rollback", "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldTellWhoChangedWhatAndHideSecrets() throws Exception {
        // given
        long before = objects.current().version();
        post(QUEUE);
        post(PASSWORD);
        login = "admin:pencil";
        send("DELETE", CONFIGURATION + "/Queue/orders", null);

        // when
        Map<String, Object> versions = json(get(CONFIGURATION + "/versions"));
        HttpResponse<String> diff = get(CONFIGURATION + "/versions/" + before + "/diff?To=" + (before + 2));

        // then
        assertThat((List<?>) versions.get("History"))
                .first()
                .asString()
                .contains(
                        "ConfigurationVersion=" + (before + 3),
                        "User=admin",
                        "ClientAddress=127.0.0.1",
                        "Action=change",
                        "Changes=[deleted Queue 'orders']");
        assertThat(json(diff).get("Differences"))
                .asString()
                .contains("{Change=created, Type=Queue, Name=orders, Properties=["
                        + "{Property=MaxMessages, Before=null, After=100}")
                .contains("{Property=AdminUserPassword, Before=, After=********}");
        assertThat(diff.body()).doesNotContain("pencil", "SCRAM");
        assertThat(json(get(CONFIGURATION + "/versions/" + (before + 2) + "/diff"))
                        .get("Differences"))
                .asString()
                .contains("Change=deleted, Type=Queue, Name=orders");
        assertThat(get(CONFIGURATION + "/versions/1/diff?To=x").statusCode()).isEqualTo(404);
        assertThat(get(CONFIGURATION + "/versions/77/diff").body()).contains("there is no version 77");
    }

    @Test
    void shouldWriteAnAuditLogWithoutSecrets() throws Exception {
        // given
        List<Map<String, ?>> lines = new CopyOnWriteArrayList<>();
        api.auditTo(lines::add);

        // when
        post(QUEUE);
        post(PASSWORD);
        get(CONFIGURATION + "/Queue");
        login = "admin:crayon";
        post(QUEUE);
        login = "admin:pencil";
        send("DELETE", CONFIGURATION + "/Queue/nothing", null);

        // then
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0).toString())
                .contains("Time=20", "User=,", "ClientAddress=127.0.0.1", "Action=created", "What=Queue 'orders': ")
                .endsWith("Result=done, Version=" + (objects.current().version() - 1) + "}");
        assertThat(lines.get(1).toString()).contains("Action=changed", "AdminUserPassword \"\" -> \"********\"");
        assertThat(lines.get(2).toString())
                .contains("Action=tried, What=POST " + CONFIGURATION + ", Result=refused, Code=CWLNA0181");
        assertThat(lines.get(3).toString())
                .contains("User=admin", "What=DELETE " + CONFIGURATION + "/Queue/nothing", "Result=refused");
        assertThat(lines.toString()).doesNotContain("pencil", "crayon", "SCRAM");
    }

    @Test
    void shouldServeNobodyButAdministratorsInMaintenanceMode() throws Exception {
        // given
        int port = FreePort.next();
        post(endpoint(port));
        MqttClient phone = new MqttClient("tcp://127.0.0.1:" + port, "phone", new MemoryPersistence());
        phone.connect();

        // when
        HttpResponse<String> begun = send("POST", "/api/v1/service/maintenance", "{\"Maintenance\": \"start\"}");

        // then
        assertThat(begun.statusCode()).isEqualTo(200);
        assertThat(begun.body()).contains("The broker is now in maintenance mode");
        await().atMost(PATIENCE).until(() -> !phone.isConnected());
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
                .isInstanceOf(IOException.class);
        assertThat(get("/api/v1/service/status/Endpoint").body()).contains("\"Status\" : \"Maintenance\"");
        assertThat(get("/api/v1/service/status/Server").statusCode()).isEqualTo(200);
        assertThat(post("{\"AdminMode\": 0}").statusCode()).as("not by chance").isEqualTo(400);
        post(QUEUE);
        long version = objects.current().version();

        // when
        send("POST", CONFIGURATION + "/versions/" + (version - 2) + "/rollback", "");

        // then
        assertThat(objects.current().single(Singletons.class).isMaintenance())
                .as("a rollback leaves it alone")
                .isTrue();

        // when
        HttpResponse<String> ended = send("POST", "/ima/v1/service/maintenance", "{\"Maintenance\": \"stop\"}");

        // then
        assertThat(ended.statusCode()).isEqualTo(200);
        phone.connect();
        phone.disconnect();
        phone.close();
        assertThat(send("POST", "/api/v1/service/maintenance", "{\"Maintenance\": true}")
                        .body())
                .contains("Maintenance: give \\\"start\\\" or \\\"stop\\\"");
    }

    @Test
    void shouldTakeValuesOfTheReferenceProductAndSayWhatTheyMeanHere() throws Exception {
        // when
        HttpResponse<String> taken = send(
                "POST",
                "/ima/v1/configuration",
                "{\"LicensedUsage\": \"Production\", \"EnableDiskPersistence\": true, \"FIPS\": true, \"SNMPEnabled\": false,"
                        + " \"PreSharedKey\": \"keys.csv\","
                        + " \"MQConnectivityEnabled\": true, \"LogLevel\": \"MAX\"}");

        // then
        assertThat(taken.statusCode()).isEqualTo(200);
        assertThat((List<?>) json(taken).get("Warnings"))
                .hasSize(6)
                .allSatisfy(warning -> assertThat(warning.toString()).contains(" has no effect: "))
                .anySatisfy(warning -> assertThat(warning.toString())
                        .startsWith("EnableDiskPersistence")
                        .endsWith("it is 'memory', so they are not"));
        assertThat(objects.current().single(Singletons.class).logLevel()).hasToString("MAX");
        assertThat(json(get("/ima/v1/configuration/FIPS"))).containsEntry("FIPS", false);
        assertThat(send("POST", "/ima/v1/configuration", "{\"FIPS\": \"maybe\"}")
                        .body())
                .contains("FIPS: give true or false");
        assertThat(send("POST", "/ima/v1/configuration", "{\"PreSharedKey\": 7}")
                        .body())
                .contains("PreSharedKey: give a text");
        assertThat(send("POST", "/ima/v1/configuration", "{\"LicensedUsage\": \"production\"}")
                        .body())
                .contains("Developers, Non-Production, Production, IdleStandby", "did you mean");
        assertThat(post("{\"FIPS\": true}").statusCode())
                .as("no value of this broker")
                .isEqualTo(400);
    }

    @Test
    void shouldOpenAnEndpointAndCloseConnections() throws Exception {
        // given
        int port = FreePort.next();

        // when
        HttpResponse<String> created = post(endpoint(port));

        // then
        assertThat(created.statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/service/status/Endpoint").body()).contains("\"Status\" : \"Listening\"");
        MqttClient mqtt = new MqttClient("tcp://127.0.0.1:" + port, "plant-1", new MemoryPersistence());
        mqtt.connect();

        // when
        HttpResponse<String> none = send("POST", "/ima/v1/service/close/connection", "{\"ClientID\": \"office*\"}");
        HttpResponse<String> one =
                send("POST", "/ima/v1/service/close/connection", "{\"ClientID\": \"plant*\", \"UserID\": \"*\"}");

        // then
        assertThat(none.body()).contains("CWLNA6136");
        assertThat(one.body()).contains("CWLNA6137", "\"Closed\" : 1");
        await().atMost(PATIENCE).until(() -> !mqtt.isConnected());
        mqtt.close();
        assertThat(send("POST", "/ima/v1/service/close/connection", "{}").statusCode())
                .isEqualTo(400);
    }

    @Test
    void shouldTellItsStatusAndWhatItCannotDo() throws Exception {
        assertThat(json(get("/ima/v1/service/status")))
                .containsKeys("Version", "Server", "Endpoint", "HighAvailability", "Cluster");
        assertThat(get("/ima/v1/service/status/Server").body())
                .contains("\"Status\" : \"Running\"", "\"StateDescription\" : \"Running (production)\"");
        assertThat(get("/ima/v1/service/status/Nix").statusCode()).isEqualTo(404);
        assertThat(send("POST", "/ima/v1/service/trace/flush", "{}").body()).contains("CWLNA6011");
        assertThat(send("POST", "/ima/v1/service/restart", "{\"Service\": \"Server\"}")
                        .statusCode())
                .isEqualTo(501);
    }

    @Test
    void shouldAskForThePasswordOnceThereIsOne() throws Exception {
        // when
        post(PASSWORD);

        // then
        HttpResponse<String> refused = get(CONFIGURATION);
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("Basic "));
        login = "admin:pencil";
        assertThat(get(CONFIGURATION).statusCode()).isEqualTo(200);
        assertThat(get(CONFIGURATION).body()).doesNotContain("pencil", "SCRAM").contains("********");
        login = "admin:pen";
        assertThat(get(CONFIGURATION).statusCode()).isEqualTo(401);
        login = "nobody:pencil";
        assertThat(get(CONFIGURATION).statusCode()).isEqualTo(401);
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(audit.lines())
                .noneMatch(line -> line.contains("pencil") || line.contains("SCRAM"))
                .anyMatch(line -> line.contains("changed Singletons") && line.contains("AdminUserPassword"))
                .anyMatch(line -> line.contains("was refused GET /api/v1/configuration"));
    }

    @Test
    void shouldLetUsersDoWhatTheirPolicyAllows() throws Exception {
        // given
        post("{\"ConfigurationPolicy\": {\"viewers\": {\"UserID\": \"ver*\", \"ActionList\": \"View\"}},"
                + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"viewers\"}}");
        post(PASSWORD);

        // then
        login = "vera:view";
        assertThat(get(CONFIGURATION).statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/service/status").statusCode()).isEqualTo(200);
        assertThat(post(QUEUE).statusCode()).isEqualTo(403);
        assertThat(send("DELETE", CONFIGURATION + "/MessageHub/DemoHub", null).statusCode())
                .isEqualTo(403);
        assertThat(send("POST", "/api/v1/service/close/connection", "{\"ClientID\": \"*\"}")
                        .statusCode())
                .isEqualTo(403);
        login = "otto:other";
        assertThat(get(CONFIGURATION).statusCode()).isEqualTo(403);
        assertThat(get("/api/v1/service/status").statusCode()).isEqualTo(403);
        login = "vera:wrong";
        assertThat(get(CONFIGURATION).statusCode()).isEqualTo(401);
    }

    @Test
    void shouldLetLoginsWaitThatFollowUponFailedOnes() throws Exception {
        // given
        post(PASSWORD);
        login = "admin:wrong";
        for (int i = 0; i < 5; i++) {
            assertThat(get(CONFIGURATION).statusCode()).isEqualTo(401);
        }

        // when
        login = "admin:pencil";
        long startNs = System.nanoTime();
        HttpResponse<String> late = get(CONFIGURATION);

        // then
        assertThat(late.statusCode()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThan(Duration.ofMillis(400));
    }

    @Test
    void shouldDoNothingForWebPagesOfOthers() throws Exception {
        assertThat(send("POST", CONFIGURATION, QUEUE, "Origin", "https://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("POST", CONFIGURATION, QUEUE, "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("GET", CONFIGURATION, null, "X-Forwarded-For", "192.0.2.1")
                        .statusCode())
                .isEqualTo(403);
        assertThat(withHost("evil.example")).contains(" 403 ");
        assertThat(withHost("localhost:" + server.port())).contains(" 200 ");
        assertThat(get(CONFIGURATION + "/Queue/orders").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldDescribeItsRoutesAndObjects() throws Exception {
        // when
        Map<?, ?> document = json(get("/api/v1/openapi.json"));

        // then: what is described is there, and what is there is described
        Map<?, ?> paths = (Map<?, ?>) document.get("paths");
        int described = 0;
        for (Map.Entry<?, ?> path : paths.entrySet()) {
            for (Object method : ((Map<?, ?>) path.getValue()).keySet()) {
                String example = path.getKey()
                        .toString()
                        .replace("{Type}", "Queue")
                        .replace("{Name}", "orders")
                        .replaceAll("\\{[A-Za-z]+}", "1");
                HttpResponse<String> answer = send(method.toString().toUpperCase(Locale.ROOT), "/api/v1" + example, "");
                assertThat(answer.body()).as(method + " " + example).doesNotContain("there is nothing at this path");
                assertThat(answer.statusCode()).isNotEqualTo(405);
                described++;
            }
        }
        assertThat(described).isEqualTo(api.routes().size());
        assertThat(document.get("components"))
                .asString()
                .contains("ConnectionPolicy={", "MaxMessagesBehavior", "writeOnly=true");
    }

    private int addOne(int times) {
        int refused = 0;
        try {
            for (int done = 0; done < times; ) {
                HttpResponse<String> read = get(CONFIGURATION + "/Queue/orders");
                Map<?, ?> queues = (Map<?, ?>) json(read).get("Queue");
                long present = ((Number) ((Map<?, ?>) queues.get("orders")).get("MaxMessages")).longValue();
                int status = send(
                                "POST",
                                CONFIGURATION,
                                "{\"Queue\": {\"orders\": {\"MaxMessages\": " + (present + 1) + "}}}",
                                "If-Match",
                                tag(read))
                        .statusCode();
                assertThat(status).isIn(200, 412);
                done += status == 200 ? 1 : 0;
                refused += status == 412 ? 1 : 0;
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return refused;
    }

    private Queue queue() {
        return objects.current().find(Queue.class, "orders").orElseThrow();
    }

    private static String endpoint(int port) {
        return "{\"Endpoint\": {\"mine\": {\"Port\": " + port
                + ", \"Interface\": \"127.0.0.1\", \"Protocol\": \"MQTT\", \"MessageHub\": \"DemoHub\","
                + " \"ConnectionPolicies\": \"DemoConnectionPolicy\", \"TopicPolicies\": \"DemoTopicPolicy\"}}}";
    }

    private HttpResponse<String> post(String body) throws Exception {
        return send("POST", CONFIGURATION, body);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send("GET", path, null);
    }

    private HttpResponse<String> send(String method, String path, @Nullable String body, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                request(path).method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        if (login != null) {
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)));
        }
        return request;
    }

    /** The status line; Java's client does not let a Host be chosen. */
    private String withHost(String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(("GET " + CONFIGURATION + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8)
                    .lines()
                    .findFirst()
                    .orElseThrow();
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> json(HttpResponse<String> answer) throws Exception {
        return (Map<String, Object>) JsonTree.parse("answer", answer.body());
    }

    private static String tag(HttpResponse<String> answer) {
        return answer.headers().firstValue("ETag").orElseThrow();
    }

    private static final class FakeProcess implements ProcessFacts {
        @Override
        public Health health() {
            return new Health(Health.Status.RUNNING, "1.2.3", 42, List.of(), StoreHealth.ofMemory("memory"));
        }
    }
}
