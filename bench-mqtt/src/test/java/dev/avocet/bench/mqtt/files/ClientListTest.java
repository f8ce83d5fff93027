package dev.avocet.bench.mqtt.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.bench.mqtt.wire.ControlPackets.Connect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of clients, as JSON and as YAML. */
final class ClientListTest {
    private static final Connect USUAL = new Connect(4, "b7", true, 0, 0, "all", "word");

    @TempDir
    Path folder;

    @Test
    void shouldReadTheFieldsOfTheReference() throws IOException {
        List<ListedClient> clients = read("clients.json", """
                [{"_id": "ada", "version": "WS5", "username": "u", "password": "c2VjcmV0", "dst": "10.0.0.1", "dstPort": 8883,
                  "useTLS": true, "cleanStart": false, "sessionExpiryIntervalSecs": 7, "pingIntervalSecs": 30, "recvMaximum": 10,
                  "lastWillMsg": {"topicStr": "w", "payload": "gone", "qos": 1, "retain": true},
                  "publishTopics": [{"topicStr": "t/${COUNT:8-10}/x", "qos": 2, "retain": true}],
                  "subscriptions": [{"topicStr": "a/#", "qos": 1, "noLocal": true, "retainAsPublished": true, "retainHandling": 2}]},
                 {}]""");

        ListedClient ada = clients.get(0);
        Connect connect = ada.connect(USUAL);
        assertThat(ada.isWebSocket()).isTrue();
        assertThat(connect.version()).isEqualTo(5);
        assertThat(connect.clientId()).isEqualTo("ada");
        assertThat(connect.userName()).isEqualTo("u");
        assertThat(connect.password()).isEqualTo("secret");
        assertThat(connect.isClean()).isFalse();
        assertThat(connect.sessionExpirySeconds()).isEqualTo(7);
        assertThat(connect.keepAliveSeconds()).isEqualTo(30);
        assertThat(connect.properties()).containsExactly(0x21, 0, 10);
        assertThat(connect.will().payload()).isEqualTo("gone");
        assertThat(ada.publishTopics().get(0).names()).containsExactly("t/8/x", "t/9/x", "t/10/x");
        assertThat(ada.subscriptions().get(0).options()).isEqualTo(0b101101);
        assertThat(clients.get(1).connect(USUAL)).usingRecursiveComparison().isEqualTo(USUAL);
    }

    @Test
    void shouldReadYaml() throws IOException {
        List<ListedClient> clients = read("clients.yaml", """
                - _id: ada
                  publishTopics:
                    - {topicStr: t, qos: 1}
                - _id: bob
                  cleanSession: false
                  subscriptions:
                    - {topicStr: t, qos: 1}
                """);

        assertThat(clients).extracting(ListedClient::id).containsExactly("ada", "bob");
        assertThat(clients.get(1).connect(USUAL).sessionExpirySeconds()).isEqualTo(3600);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"_id\": \"a\"}, {\"_id\": \"a\"}] | two clients are called a",
                "[] | has no clients",
                "[{\"lingerTimeSecs\": 5}] | line 1: lingerTimeSecs: give --storm-every",
                "[{\"subscriptions\": [{\"topicStr\": \"a\", \"top\": 5}]}] | subscriptions[0].top: no such field; there are noLocal, qos",
                "[{\"publishTopics\": [{\"topicStr\": \"a\", \"qos\": 3}]}] | qos is from 0 to 2, not 3",
                "[{\"publishTopics\": [{\"topicStr\": \"a/#\"}]}] | topicStr is a topic name, without # and +",
                "[{\"version\": \"TCP6\"}] | version is TCP3, TCP4, TCP5, WS3, WS4 or WS5, not TCP6",
                "[{\"cleanStart\": true, \"cleanSession\": false}] | give one",
                "[{\"dstPort\": 5}] | dstPort needs dst",
                "[{\"clientCertPath\": \"c.pem\"}] | clientCertPath needs clientKeyPath",
                "[{\"_id\": | clients.json"
            })
    void shouldSayWhatIsWrong(String text, String message) {
        assertThatThrownBy(() -> read("clients.json", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--client-list: ")
                .hasMessageContaining(message);
    }

    private List<ListedClient> read(String name, String text) throws IOException {
        return ClientList.read(Files.writeString(folder.resolve(name), text));
    }
}
