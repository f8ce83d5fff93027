package dev.avocet.server.rest.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.rest.RestBroker;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the console's own MQTT client asks of REST. */
class TryRequestsTest {
    private static final String PATH = "/api/v1/service/websocket";
    private static final String STARTUP = "{\"endpoints\": [{\"name\": \"first\", \"port\": 0},"
            + " {\"name\": \"bare\", \"port\": 0, \"protocols\": [\"mqtt\", \"amqp\"]}]}";

    @TempDir
    private Path data;

    private RestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = RestBroker.start(data, STARTUP);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldTellTheEndpointsThatTakeWebSocketAndNoOthers() throws Exception {
        // given
        int port = broker.openEndpoint("second", "");
        broker.configure("{\"Endpoint\": {\"second\": {\"Enabled\": true}}}");
        broker.openEndpoint("off", ", \"Enabled\": false");

        // when
        HttpResponse<String> answer = broker.get(PATH);

        // then
        assertThat(answer.statusCode()).isEqualTo(200);
        int first = broker.broker().endpoints().get(0).getPort();
        assertThat(answer.body().replaceAll("\\s", ""))
                .contains("[{\"Name\":\"first\",\"Address\":\"127.0.0.1\",\"Port\":" + first + ",\"Encrypted\":false},"
                        + "{\"Name\":\"second\",\"Address\":\"127.0.0.1\",\"Port\":" + port
                        + ",\"Encrypted\":false}]");
    }

    @Test
    void shouldTellThemToThoseAloneWhoMayManageOrConfigure() throws Exception {
        // given
        broker.configure(
                "{\"ConfigurationPolicy\": {\"looking\": {\"UserID\": \"vera\", \"ActionList\": \"View,Monitor\"},"
                        + " \"managing\": {\"UserID\": \"max\", \"ActionList\": \"Manage\"}},"
                        + " \"AdminEndpoint\": {\"ConfigurationPolicies\":"
                        + " \"looking,managing,AdminDefaultConfigPolicy\"}}");
        for (String name : new String[] {"vera", "max"}) {
            broker.send("PUT", "/api/v1/user/" + name, "{\"Password\": \"pencil\"}");
        }
        broker.configure("{\"AdminUserPassword\": \"pencil\"}");

        // when, then
        broker.login("vera:pencil");
        assertThat(broker.get(PATH).statusCode()).isEqualTo(403);
        broker.login("max:pencil");
        assertThat(broker.get(PATH).statusCode()).isEqualTo(200);
        broker.login(null);
        assertThat(broker.get(PATH).statusCode()).isEqualTo(401);
    }
}
