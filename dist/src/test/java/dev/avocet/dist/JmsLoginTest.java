package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged JMS client logs in at the packaged broker, with the defaults of both, as users that were made in each of
 * the ways there are.
 */
@InTurn
@Timeout(240)
class JmsLoginTest {
    private static final int LONGEST_RUN_SECONDS = 120;
    private static final List<String> USERS = List.of("anna", "bert", "carla");
    private static final List<String> MECHANISMS = List.of("", "saslMechanisms=SCRAM-SHA-256", "saslMechanisms=PLAIN");

    @TempDir
    private Path directory;

    private final List<String> attempts = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();

    @Test
    void shouldLogInWithEachMechanismAsEachKindOfUser() throws Exception {
        // given: anna by init, bert by an administrator, carla in the configuration file
        Path data = directory.resolve("data");
        int secure = FreePort.next();
        int plain = FreePort.next();
        int certified = FreePort.next();
        assertThat(init(data, secure).exitCode()).isZero();
        TestAuthority authority = new TestAuthority("devices");
        try (Administered broker = Administered.startWithObjects(
                data, "--config", configuration("carla").toString())) {
            broker.login("admin", password("admin"));
            broker.adminDoneHere(
                    "user",
                    "create",
                    "bert",
                    "--new-password-file",
                    password("bert").toString());
            openEndpoints(broker, authority, plain, certified);

            // when: everybody over both, with the right password; then with a wrong one; then who has no password
            String tls = "avocets://localhost:" + secure + "?trustCertificates=" + data.resolve("files/server.pem");
            for (String url : List.of("avocet://localhost:" + plain + "?", tls + "&")) {
                for (String user : USERS) {
                    MECHANISMS.forEach(mechanism -> attempt(url + mechanism, user, user + "'s secret", "hello"));
                }
            }
            for (String mechanism : MECHANISMS) {
                attempt(
                        "avocet://localhost:" + plain + "?" + mechanism,
                        "bert",
                        "wrong secret",
                        "refuses the login",
                        "user 'bert'",
                        "the user name or the password is wrong");
            }
            attempt(
                    "avocet://localhost:" + plain + "?saslMechanisms=SCRAM-SHA-512",
                    "bert",
                    "bert's secret",
                    "offers [SCRAM-SHA-256, PLAIN, ANONYMOUS]");
            attempt("avocet://localhost:" + plain, "", "", "it wants a user name and a password");
            Issued device = authority.issue("press-7");
            attempt(
                    "avocets://localhost:" + certified + "?trustCertificates="
                            + authority.writeTo(directory.resolve("ca.pem")) + "&certificate="
                            + device.writeCertificate(directory.resolve("press.pem")) + "&privateKey="
                            + device.writeKey(directory.resolve("press.key")),
                    "",
                    "",
                    "hello");

            // then
            assertAttempts();
            cutALogin(plain, "dora");
            broker.process().signal("TERM");
            assertThat(broker.process().output())
                    .contains(
                            "JMS client of user 'bert' at /127.0.0.1:",
                            "login refused: credentials are wrong or missing (SASL mechanism SCRAM-SHA-256)",
                            "JMS client of user 'dora' at /127.0.0.1:",
                            "login not completed: the client has gone (SASL mechanism SCRAM-SHA-256)");
        }
    }

    private void attempt(String url, String user, String password, String... outcome) {
        attempts.add(String.join("\t", url, user, password));
        expected.add(String.join("\t", outcome));
    }

    private void assertAttempts() throws IOException, InterruptedException {
        List<String> outcomes = run(String.join("\n", attempts));
        assertThat(outcomes).as("%s", outcomes).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(outcomes.get(i))
                    .as(attempts.get(i))
                    .contains(expected.get(i).split("\t"));
        }
    }

    /**
     * Logs in on each line of the input: URL, user and password with tabs between; prints what it receives from its own
     * topic, or what fails.
     */
    private List<String> run(String input) throws IOException, InterruptedException {
        String program = """
                import dev.avocet.jms.AvocetConnectionFactory;
                import jakarta.jms.*;
                import java.util.*;

                class Login {
                    public static void main(String[] arguments) {
                        for (Scanner lines = new Scanner(System.in, "UTF-8"); lines.hasNextLine(); ) {
                            String[] line = lines.nextLine().split("\\t", -1);
                            AvocetConnectionFactory factory = new AvocetConnectionFactory(line[0]);
                            try (JMSContext context = line[1].isEmpty()
                                    ? factory.createContext() : factory.createContext(line[1], line[2])) {
                                Topic topic = context.createTopic("common/" + line[1]);
                                JMSConsumer consumer = context.createConsumer(topic);
                                context.createProducer().send(topic, "hello");
                                System.out.println(consumer.receiveBody(String.class, 30_000));
                            } catch (JMSRuntimeException e) {
                                System.out.println(e);
                            }
                        }
                    }
                }
                """;
        Path source = Files.writeString(directory.resolve("Login.java"), program);
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        Distribution.QUICK_COMPILER,
                        "-cp",
                        Distribution.HOME.resolve("client") + "/*",
                        source.toString())
                .redirectInput(
                        Files.writeString(directory.resolve("input"), input).toFile())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(LONGEST_RUN_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output, UTF_8);
    }

    /** A client that goes away when it should prove itself. */
    private static void cutALogin(int port, String user) throws IOException {
        byte[] first = ("n,,n=" + user + ",r=abc").getBytes(UTF_8);
        byte[] mechanism = "SCRAM-SHA-256".getBytes(UTF_8);
        int fields = 2 + mechanism.length + 2 + first.length;
        byte[] init = ByteBuffer.allocate(14 + fields)
                .putInt(14 + fields)
                .put(new byte[] {2, 1, 0, 0, 0, 0x53, 0x41, (byte) 0xc0, (byte) (fields + 1), 2})
                .put(new byte[] {(byte) 0xa3, (byte) mechanism.length})
                .put(mechanism)
                .put(new byte[] {(byte) 0xa0, (byte) first.length})
                .put(first)
                .array();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            OutputStream output = socket.getOutputStream();
            output.write(new byte[] {'A', 'M', 'Q', 'P', 3, 1, 0, 0});
            output.write(init);
            StringBuilder heard = new StringBuilder();
            while (heard.indexOf("r=abc") < 0) {
                heard.append((char) socket.getInputStream().read());
            }
        }
    }

    private void openEndpoints(Administered broker, TestAuthority authority, int plain, int certified)
            throws IOException {
        broker.adminDoneHere("endpoint", "update", "Main", "--protocol", "MQTT,JMS");
        broker.adminDoneHere("security-profile", "create", "Passwords", "--tls-enabled", "false");
        endpoint(broker, "Plain", plain, "Passwords");
        Issued server = authority.issue("localhost");
        broker.adminDoneHere(
                "certificate-profile",
                "create",
                "Devices",
                "--certificate",
                server.writeCertificate(directory.resolve("web.pem")).toString(),
                "--key",
                server.writeKey(directory.resolve("web.key")).toString());
        broker.adminDoneHere(
                "security-profile",
                "create",
                "Devices",
                "--certificate-profile",
                "Devices",
                "--use-client-certificate",
                "true",
                "--use-password-authentication",
                "false");
        broker.adminDoneHere(
                "trusted-certificate",
                "create",
                authority.writeTo(directory.resolve("ca.pem")).toString(),
                "--security-profile-name",
                "Devices");
        endpoint(broker, "Certified", certified, "Devices");
    }

    private static void endpoint(Administered broker, String name, int port, String securityProfile) {
        broker.adminDoneHere(
                "endpoint",
                "create",
                name,
                "--port",
                Integer.toString(port),
                "--interface",
                "127.0.0.1",
                "--hub",
                "MainHub",
                "--security-profile",
                securityProfile,
                "--connection-policies",
                "EveryUser",
                "--topic-policies",
                "CommonTopics");
    }

    /** A configuration file with one user, as {@code broker hash-password} prints it. */
    private Path configuration(String user) throws IOException {
        ScramCredential credential = ScramCredential.derive(
                (user + "'s secret").toCharArray(), new byte[16], ScramCredential.MIN_ITERATIONS);
        Base64.Encoder base64 = Base64.getEncoder();
        return Files.writeString(directory.resolve("broker.json"), """
                {"security": {"users": [{"name": "%s", "salt": "%s", "iterations": %d, "storedKey": "%s", "serverKey": "%s"}]}}
                """.formatted(
                        user,
                        base64.encodeToString(credential.salt()),
                        credential.iterations(),
                        base64.encodeToString(credential.storedKey()),
                        base64.encodeToString(credential.serverKey())));
    }

    private Administered.Outcome init(Path data, int port) throws IOException, InterruptedException {
        return Administered.run(
                Administered.THIS_JAVA,
                "init",
                "--data",
                data.toString(),
                "--address",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--host-name",
                "localhost",
                "--admin-password-file",
                password("admin").toString(),
                "--first-user",
                "anna",
                "--first-user-password-file",
                password("anna").toString());
    }

    private Path password(String user) throws IOException {
        return Files.writeString(directory.resolve(user), user + "'s secret\n");
    }
}
