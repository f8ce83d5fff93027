package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.LivingFiles;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients with tokens of an OAuth server at the packaged broker, set up by broker-admin as docs/security.md says. */
@InTurn
@Timeout(240)
class TokenLoginTest {
    private static final int BAD_USER_NAME_OR_PASSWORD = 0x86;
    private static final String TOKEN_USER = "IMA_OAUTH_ACCESS_TOKEN";
    private static final int COORDINATE_BYTES = 32;

    @TempDir
    private Path directory;

    private final List<String> used = new ArrayList<>();
    private KeyPair keys;
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        keys = generator.generateKeyPair();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        byte[] shown = keySet().getBytes(UTF_8);
        server.createContext("/keys", exchange -> {
            exchange.sendResponseHeaders(200, shown.length);
            exchange.getResponseBody().write(shown);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void shouldLetClientsInByTokenAndWriteNone() throws Exception {
        // given
        int port = FreePort.next();
        Path data = directory.resolve("data");
        Path bundle = directory.resolve("bundle.zip");
        try (Administered broker = Administered.startWithObjects(data)) {
            broker.adminDoneHere("server", "update", "--trace-level", "9", "--log-level", "MAX");
            broker.adminDoneHere(
                    "oauth-profile",
                    "create",
                    "Login",
                    "--token-check",
                    "KeySet",
                    "--key-set-source",
                    issuer() + "/keys",
                    "--issuer",
                    issuer(),
                    "--audience",
                    "broker");
            assertThat(broker.adminDoneHere("oauth-profile", "test", "Login", "--token-file", file(token("anna", 600))))
                    .contains("1 key", "user 'anna', no group")
                    .doesNotContain("FAILED");
            assertThat(broker.adminHere("oauth-profile", "test", "Login", "--token-file", file(token("anna", -1)))
                            .output())
                    .contains("FAILED token: the token: it expired at");
            openEndpoint(broker, port);

            // then
            String url = "tcp://127.0.0.1:" + port;
            connect(url, token("anna", 600));
            for (String bad : List.of(token("anna", -1), token("anna", 600) + "AAAA", "nonsense")) {
                assertThatThrownBy(() -> connect(url, bad))
                        .isInstanceOfSatisfying(
                                MqttException.class,
                                e -> assertThat(e.getReasonCode()).isEqualTo(BAD_USER_NAME_OR_PASSWORD));
            }
            AvocetConnectionFactory factory = new AvocetConnectionFactory("avocet://127.0.0.1:" + port);
            try (JMSContext context = factory.createContext(TOKEN_USER, token("bert", 600))) {
                context.start();
            }
            String expired = token("bert", -1);
            assertThatThrownBy(() -> factory.createContext(TOKEN_USER, expired).close())
                    .isInstanceOf(JMSSecurityRuntimeException.class);

            // then
            broker.adminDoneHere("diagnostics", "--out", bundle.toString());
            broker.process().terminate();
            assertThat(broker.process().output()).doesNotContain(signatures());
        }
        try (ZipFile zip = new ZipFile(bundle.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                assertThat(new String(zip.getInputStream(entry).readAllBytes(), ISO_8859_1))
                        .as(entry.getName())
                        .doesNotContain(signatures());
            }
        }
        assertThatNoFileHoldsAToken(data);
    }

    /** The parts are looked for apart: a line may break a token. */
    private void assertThatNoFileHoldsAToken(Path data) throws IOException {
        List<String> signatures = signatures();
        assertThat(LivingFiles.below(data)).isNotEmpty().noneMatch(file -> holds(file, signatures));
    }

    private List<String> signatures() {
        return used.stream()
                .map(token -> token.substring(token.lastIndexOf('.') + 1))
                .toList();
    }

    private static boolean holds(Path file, List<String> texts) {
        try {
            String content = Files.readString(file, ISO_8859_1);
            return texts.stream().anyMatch(content::contains);
        } catch (NoSuchFileException e) {
            return false; // the broker has deleted it meanwhile
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void connect(String url, String token) throws MqttException {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName(TOKEN_USER);
        options.setPassword(token.getBytes(UTF_8));
        MqttClient client = new MqttClient(url, "token-" + token.hashCode(), new MemoryPersistence());
        client.connect(options);
        client.disconnect();
        client.close();
    }

    private static void openEndpoint(Administered broker, int port) {
        broker.adminDoneHere(
                "security-profile", "create", "Tokens", "--tls-enabled", "false", "--oauth-profile", "Login");
        broker.adminDoneHere(
                "endpoint",
                "create",
                "Field",
                "--port",
                Integer.toString(port),
                "--interface",
                "127.0.0.1",
                "--hub",
                "DemoHub",
                "--protocol",
                "MQTT,JMS",
                "--security-profile",
                "Tokens",
                "--connection-policies",
                "DemoConnectionPolicy",
                "--topic-policies",
                "DemoTopicPolicy");
    }

    private String file(String token) throws IOException {
        return Files.writeString(directory.resolve("token.txt"), token + "\n").toString();
    }

    private String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private String token(String user, long seconds) throws Exception {
        String claims = "{\"iss\": \"" + issuer() + "\", \"aud\": \"broker\", \"sub\": \"" + user + "\", \"exp\": "
                + Instant.now().plusSeconds(seconds).getEpochSecond() + "}";
        String input =
                encoded("{\"alg\": \"ES256\", \"kid\": \"k\"}".getBytes(UTF_8)) + "." + encoded(claims.getBytes(UTF_8));
        Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initSign(keys.getPrivate());
        signature.update(input.getBytes(UTF_8));
        String token = input + "." + encoded(signature.sign());
        used.add(token);
        return token;
    }

    private String keySet() {
        ECPublicKey key = (ECPublicKey) keys.getPublic();
        return "{\"keys\": [{\"kty\": \"EC\", \"crv\": \"P-256\", \"kid\": \"k\", \"x\": \""
                + coordinate(key.getW().getAffineX()) + "\", \"y\": \""
                + coordinate(key.getW().getAffineY()) + "\"}]}";
    }

    private static String coordinate(BigInteger value) {
        byte[] bytes = value.toByteArray();
        byte[] fixed = new byte[COORDINATE_BYTES];
        int length = Math.min(bytes.length, COORDINATE_BYTES);
        System.arraycopy(bytes, bytes.length - length, fixed, COORDINATE_BYTES - length, length);
        return encoded(fixed);
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
