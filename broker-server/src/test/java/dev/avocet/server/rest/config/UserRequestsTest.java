package dev.avocet.server.rest.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.server.rest.RestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Users and groups that are created, changed and deleted by requests, and real clients that log in with them. */
@InTurn
class UserRequestsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String ANNA = "/api/v1/user/anna";
    private static final String PENCIL = "{\"Password\": \"pencil\"}";

    @TempDir
    private Path data;

    private RestBroker rest;
    private int port;

    @BeforeEach
    void start() throws Exception {
        rest = RestBroker.start(data, "{\"security\": {\"allowAnonymous\": \"never\"}}");
        port = rest.openEndpoint("mine", "");
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void shouldLetInWhoWasCreatedUntilTheUserIsDeleted() throws Exception {
        // given
        assertThatThrownBy(() -> connect("anna", "pencil")).isInstanceOf(MqttException.class);

        // when
        HttpResponse<String> created = rest.send("PUT", ANNA, PENCIL);

        // then
        assertThat(created.statusCode()).isEqualTo(200);
        MqttClient client = connect("anna", "pencil");
        assertThatThrownBy(() -> connect("anna", "brush")).isInstanceOf(MqttException.class);

        // when
        HttpResponse<String> deleted = rest.send("DELETE", ANNA, null);

        // then
        assertThat(RestBroker.json(deleted).get("Closed")).hasToString("1");
        await().atMost(PATIENCE).until(() -> !client.isConnected());
        assertThatThrownBy(() -> connect("anna", "pencil")).isInstanceOf(MqttException.class);
        assertThat(rest.get(ANNA).statusCode()).isEqualTo(404);
        client.close();
    }

    @Test
    void shouldKnowTheNewPasswordOnlyFromTheChangeOn() throws Exception {
        // given
        rest.send("PUT", ANNA, PENCIL);
        logInAndOut("anna", "pencil");

        // when
        HttpResponse<String> changed = rest.send("POST", ANNA, "{\"Password\": \"brush\"}");

        // then
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> connect("anna", "pencil")).isInstanceOf(MqttException.class);
        logInAndOut("anna", "brush");
    }

    @Test
    void shouldApplyPoliciesByUserAndByGroupOfGroups() throws Exception {
        // given
        rest.configure("{\"ConnectionPolicy\": {\"plantOnly\": {\"GroupID\": \"plant\"}},"
                + " \"Endpoint\": {\"mine\": {\"ConnectionPolicies\": \"plantOnly\"}}}");
        rest.send("PUT", ANNA, PENCIL);
        rest.send("PUT", "/api/v1/group/plant", "{}");
        rest.send("PUT", "/api/v1/group/devices", "{\"Groups\": [\"plant\"]}");
        assertThatThrownBy(() -> connect("anna", "pencil")).isInstanceOf(MqttException.class);

        // when
        rest.send("POST", ANNA, "{\"Groups\": [\"devices\"]}");

        // then
        logInAndOut("anna", "pencil");
        assertThat(rest.get("/api/v1/group/devices").body()).contains("\"anna\"", "\"plant\"");
        assertThat(rest.send("DELETE", "/api/v1/group/plant", null).statusCode())
                .isEqualTo(409);
        assertThat(rest.send("DELETE", "/api/v1/group/none", null).statusCode()).isEqualTo(404);
    }

    @Test
    void shouldShowNeitherPasswordsNorHashes() throws Exception {
        // when
        rest.send("PUT", ANNA, PENCIL);
        rest.send("POST", ANNA, "{\"Password\": \"crayon\"}");

        // then
        assertThat(Files.readString(data.resolve("security/users.json"))).contains("$argon2id$");
        assertThat(rest.get("/api/v1/user").body() + rest.get(ANNA).body())
                .contains("\"anna\"")
                .doesNotContain("argon2", "scram", "pencil");
        assertThat(rest.adminLog())
                .anyMatch(line -> line.contains("created user 'anna'"))
                .anyMatch(line -> line.contains("changed user 'anna': another password"))
                .noneMatch(line -> line.contains("pencil") || line.contains("crayon") || line.contains("argon2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "PUT|/user/anna|{}|400|a new user needs one",
                "PUT|/user/anna|{\"Password\": \"\"}|400|a password is not empty",
                "PUT|/user/anna|{\"Password\": 5}|400|must be text",
                "PUT|/user/anna|{\"Pasword\": \"x\"}|400|did you mean 'Password'?",
                "PUT|/user/anna|{\"Password\": \"x\", \"Groups\": [\"none\"]}|400|there is no group 'none'",
                "PUT|/user/anna|{\"Password\": \"x\", \"Groups\": \"none\"}|400|must be a list",
                "PUT|/user/%20anna|{\"Password\": \"x\"}|400|must not begin or end with a blank",
                "POST|/user/anna|{\"Password\": \"x\"}|404|there is no user 'anna'",
                "POST|/user/anna|{}|400|say what to change",
                "PUT|/group/a|{\"Groups\": [\"a\"]}|400|there is no group 'a'",
                "DELETE|/user/anna||404|there is no user 'anna'"
            })
    void shouldSayWhatIsWrong(String method, String path, @Nullable String body, int status, String message)
            throws Exception {
        HttpResponse<String> refused = rest.send(method, "/api/v1" + path, body);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
        assertThat(RestBroker.json(refused).get("Message")).asString().contains(message);
    }

    @Test
    void shouldCreateOnlyWhereAskedTo() throws Exception {
        // given
        rest.send("PUT", ANNA, PENCIL, "If-None-Match", "*");

        // when
        HttpResponse<String> second = rest.send("PUT", ANNA, "{\"Password\": \"brush\"}", "If-None-Match", "*");

        // then
        assertThat(second.statusCode()).isEqualTo(412);
        logInAndOut("anna", "pencil");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plant/anna", "a%b", "ünï", "a?b#c", "..", "a;b", "a\\b", "a+b c"})
    void shouldTakeNamesWithAnyCharacters(String name) throws Exception {
        // when
        String path = "/api/v1/user/" + (name.equals("..") ? "%2E%2E" : RestBroker.encoded(name));
        HttpResponse<String> created = rest.send("PUT", path, PENCIL);

        // then
        if (!name.equals("..")) { // by RFC 3986 that is another path, however it is spelt
            assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
            assertThat(rest.get(path).statusCode()).isEqualTo(200);
            logInAndOut(name, "pencil");
            assertThat(rest.send("DELETE", path, null).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldAskForTheAuthorityToConfigure() throws Exception {
        // given
        rest.send("PUT", "/api/v1/user/vera", "{\"Password\": \"view\"}");
        rest.configure("{\"ConfigurationPolicy\": {\"viewers\": {\"UserID\": \"vera\", \"ActionList\": \"View\"}},"
                + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"viewers\"}, \"AdminUserPassword\": \"root\"}");

        // then
        assertThat(rest.get("/api/v1/user").statusCode()).isEqualTo(401);
        rest.login("vera:view");
        assertThat(rest.get("/api/v1/user").statusCode()).isEqualTo(200);
        assertThat(rest.send("PUT", ANNA, PENCIL).statusCode()).isEqualTo(403);
        assertThat(rest.send("DELETE", "/api/v1/user/vera", null).statusCode()).isEqualTo(403);
        rest.login("admin:root");
        assertThat(rest.send("DELETE", "/api/v1/user/vera", null).statusCode()).isEqualTo(200);
        rest.login("vera:view");
        assertThat(rest.get("/api/v1/user").statusCode()).isEqualTo(401);
    }

    @Test
    void shouldTakeATokenForAPasswordUntilThatChanges() throws Exception {
        // given
        rest.send("PUT", "/api/v1/user/vera", "{\"Password\": \"view\"}");
        rest.configure("{\"ConfigurationPolicy\": {\"viewers\": {\"UserID\": \"vera\", \"ActionList\": \"View\"}},"
                + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"viewers\"}, \"AdminUserPassword\": \"root\"}");
        rest.login("vera:view");
        String vera = token("{\"LifetimeSeconds\": 600}");
        rest.login("admin:root");
        String admin = token("{}");
        rest.login(null);

        // then
        assertThat(withToken("GET", "/api/v1/user", vera)).isEqualTo(200);
        assertThat(withToken("DELETE", ANNA, vera)).isEqualTo(403);
        assertThat(withToken("POST", "/api/v1/service/token", vera)).isEqualTo(403);
        assertThat(withToken("DELETE", ANNA, admin)).isEqualTo(404);
        assertThat(withToken("GET", "/api/v1/user", vera.substring(0, vera.length() - 2) + "AA"))
                .isEqualTo(401);
        assertThat(withToken("GET", "/api/v1/user", "nonsense")).isEqualTo(401);
        assertThat(rest.adminLog()).noneMatch(line -> line.contains(vera) || line.contains(admin));

        // when
        rest.login("admin:root");
        rest.send("POST", "/api/v1/user/vera", "{\"Password\": \"other\"}");
        rest.configure("{\"AdminUserPassword\": \"tree\"}");
        rest.login(null);

        // then
        assertThat(withToken("GET", "/api/v1/user", vera)).isEqualTo(401);
        assertThat(withToken("GET", "/api/v1/user", admin)).isEqualTo(401);
    }

    @Test
    void shouldGiveNoTokenToNobodyAndNoneForEver() throws Exception {
        assertThat(rest.send("POST", "/api/v1/service/token", "{}").statusCode())
                .isEqualTo(403);
        rest.configure("{\"AdminUserPassword\": \"root\"}");
        rest.login("admin:root");
        assertThat(rest.send("POST", "/api/v1/service/token", "{\"LifetimeSeconds\": 99999999}")
                        .statusCode())
                .isEqualTo(400);
    }

    private String token(String body) throws Exception {
        return String.valueOf(RestBroker.json(rest.send("POST", "/api/v1/service/token", body))
                .get("Token"));
    }

    private int withToken(String method, String path, String token) throws Exception {
        return rest.send(method, path, method.equals("POST") ? "{}" : null, "Authorization", "Bearer " + token)
                .statusCode();
    }

    @Test
    void shouldLetNamesCountFromTheFirstUserOn() throws Exception {
        // given: nobody is known, and loopback is open
        try (RestBroker open = RestBroker.start(data.resolve("open"), "{}")) {
            port = open.openEndpoint("mine", "");
            logInAndOut("anybody", "anything");

            // when
            open.send("PUT", ANNA, PENCIL);

            // then
            assertThatThrownBy(() -> connect("anybody", "anything")).isInstanceOf(MqttException.class);
            logInAndOut("anna", "pencil");
        }
    }

    private void logInAndOut(String user, String password) throws MqttException {
        MqttClient client = connect(user, password);
        client.disconnect();
        client.close();
    }

    private MqttClient connect(String user, String password) throws MqttException {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, "client-" + user, new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName(user);
        options.setPassword(password.getBytes(UTF_8));
        options.setAutomaticReconnect(false);
        client.connect(options);
        return client;
    }
}
