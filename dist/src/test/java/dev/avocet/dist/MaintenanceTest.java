package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Maintenance mode and the audit log of the distribution, over a restart. */
@InTurn
class MaintenanceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path data;

    @Test
    void shouldServeAdministratorsAloneUntilTheModeIsEndedAlsoAfterARestart() throws Exception {
        // given
        try (Administered broker = Administered.start(data, Map.of())) {
            String address = address(broker);
            MqttClient phone = connected(address);

            // when
            assertThat(broker.adminDone("service", "maintenance", "start")).contains("now in maintenance mode");

            // then
            await().atMost(PATIENCE).until(() -> !phone.isConnected());
            phone.close();
            assertThatThrownBy(() -> socket(address)).isInstanceOf(IOException.class);
            assertThat(broker.adminDoneHere("service", "status")).contains("Running (maintenance)");
            assertThat(get(broker, "/health").body()).contains("\"status\":\"maintenance\"", "\"endpoints\":[]");
            assertThat(get(broker, "/health").statusCode()).isEqualTo(200);
            assertThat(get(broker, "/ready").statusCode()).isEqualTo(503);
            broker.adminDoneHere("queue", "create", "made-in-maintenance");
        }

        // when
        try (Administered broker = Administered.start(data, Map.of())) {
            // then
            assertThat(get(broker, "/health").body()).contains("\"status\":\"maintenance\"", "\"endpoints\":[]");
            assertThat(broker.adminDoneHere("imaserver", "status")).startsWith("Status = Running (maintenance)");
            broker.adminDoneHere("queue", "show", "made-in-maintenance");

            // when
            broker.adminDoneHere("imaserver", "runmode", "production");

            // then
            assertThat(get(broker, "/health").body()).contains("\"status\":\"running\"");
            MqttClient phone = connected(address(broker));
            phone.disconnect();
            phone.close();
            assertThat(broker.adminDoneHere("config", "history"))
                    .contains("maintenance start", "maintenance stop", "first start");
        }
        assertThat(Files.readAllLines(data.resolve("audit/audit.log")))
                .hasSize(3)
                .allMatch(line -> line.startsWith("{\"Time\":\"20") && line.contains("\"ClientAddress\":\"127.0.0.1\""))
                .anyMatch(line -> line.contains("\"Action\":\"created\",\"What\":\"Queue 'made-in-maintenance'"))
                .anyMatch(
                        line -> line.contains("AdminMode 0 -> 1") && line.contains("\"Result\":\"done\",\"Version\":"));
    }

    private static MqttClient connected(String address) throws Exception {
        MqttClient client = new MqttClient("tcp://" + address, "phone", new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setAutomaticReconnect(false);
        client.connect(options);
        return client;
    }

    private static String address(Administered broker) throws Exception {
        String health = get(broker, "/health").body();
        int begin = health.indexOf("\"endpoints\":[\"") + "\"endpoints\":[\"".length();
        return health.substring(begin, health.indexOf('"', begin));
    }

    private static Socket socket(String address) throws IOException {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static HttpResponse<String> get(Administered broker, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(broker.url() + path)).build(), BodyHandlers.ofString());
    }
}
