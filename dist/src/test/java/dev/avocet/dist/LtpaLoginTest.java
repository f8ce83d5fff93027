package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.LivingFiles;
import dev.avocet.testkit.LtpaIssuer;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients with LTPA tokens at the packaged broker, set up by broker-admin as docs/security.md says. */
@InTurn
@Timeout(240)
class LtpaLoginTest {
    private static final int BAD_USER_NAME_OR_PASSWORD = 0x86;

    @TempDir
    private Path directory;

    private final LtpaIssuer issuer = LtpaIssuer.create();

    @Test
    void shouldLetClientsInByLtpaTokenAndSayWhyItDoesNot() throws Exception {
        // given
        int port = FreePort.next();
        Path data = directory.resolve("data");
        Path keys = Files.writeString(directory.resolve("ltpa.keys"), issuer.keyFile("WebAS-7"));
        Path password = Files.writeString(directory.resolve("password.txt"), "WebAS-7\n");
        String good = issuer.token2("uid=anna,ou=people,o=acme", endMs(600));
        String expired = issuer.token2("uid=anna,ou=people,o=acme", endMs(-1));
        try (Administered broker = Administered.startWithObjects(data)) {
            broker.adminDoneHere("server", "update", "--trace-level", "9", "--log-level", "MAX");
            broker.adminDoneHere("file", "put", keys.toString());
            broker.adminDoneHere(
                    "ltpa-profile",
                    "create",
                    "Portal",
                    "--key-file-name",
                    "ltpa.keys",
                    "--keys-password-file",
                    password.toString());
            assertThat(broker.adminDoneHere("ltpa-profile", "test", "Portal", "--token-file", file(good)))
                    .contains("RSA of 1024 bits, realm 'office'", "user 'anna', until ")
                    .doesNotContain("FAILED");
            assertThat(broker.adminHere("ltpa-profile", "test", "Portal", "--token-file", file(expired))
                            .output())
                    .contains("FAILED token: the LTPA token: it has expired at ");
            broker.adminDoneHere(
                    "security-profile", "create", "Portal", "--tls-enabled", "false", "--ltpa-profile", "Portal");
            broker.adminDoneHere(
                    "endpoint",
                    "create",
                    "Portal",
                    "--port",
                    Integer.toString(port),
                    "--interface",
                    "127.0.0.1",
                    "--hub",
                    "DemoHub",
                    "--protocol",
                    "MQTT",
                    "--security-profile",
                    "Portal",
                    "--connection-policies",
                    "DemoConnectionPolicy",
                    "--topic-policies",
                    "DemoTopicPolicy");

            // when
            connect(port, good);
            assertThatThrownBy(() -> connect(port, expired))
                    .isInstanceOfSatisfying(
                            MqttException.class,
                            e -> assertThat(e.getReasonCode()).isEqualTo(BAD_USER_NAME_OR_PASSWORD));

            // then
            broker.process().terminate();
            assertThat(broker.process().output())
                    .contains("the LTPA token: it has expired at ")
                    .doesNotContain(good.substring(0, 40), "WebAS-7");
        }
        assertThat(LivingFiles.below(data))
                .isNotEmpty()
                .noneMatch(file -> holds(file, good.substring(0, 40)) || holds(file, expired.substring(0, 40)));
    }

    private String file(String token) throws IOException {
        return Files.writeString(directory.resolve("token.txt"), token + "\n").toString();
    }

    private static long endMs(long seconds) {
        return Instant.now().plusSeconds(seconds).toEpochMilli();
    }

    private static boolean holds(Path file, String text) {
        try {
            return Files.readString(file, ISO_8859_1).contains(text);
        } catch (NoSuchFileException e) {
            return false; // the broker has deleted it meanwhile
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void connect(int port, String token) throws MqttException {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName("IMA_LTPA_AUTH");
        options.setPassword(token.getBytes(UTF_8));
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, "ltpa", new MemoryPersistence());
        client.connect(options);
        client.disconnect();
        client.close();
    }
}
