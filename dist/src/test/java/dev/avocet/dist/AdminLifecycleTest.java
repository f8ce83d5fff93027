package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** bin/broker-admin stops a broker, has it started again, and gathers what is known about it. */
@Timeout(240)
class AdminLifecycleTest {
    /** MQTT 3.1.1, clean session 0, client identifier "kept". */
    private static final byte[] CONNECT = {0x10, 16, 0, 4, 'M', 'Q', 'T', 'T', 4, 0, 0, 0, 0, 4, 'k', 'e', 'p', 't'};

    @TempDir
    private Path directory;

    @InTurn
    @Test
    void shouldStopTheBroker() throws IOException, InterruptedException {
        try (Administered broker = start(Map.of())) {
            assertThat(broker.adminDone("service", "status"))
                    .contains("Status", "Running (production)")
                    .doesNotContain("SNMP");

            assertThat(broker.adminDone("service", "stop")).isEqualTo("stopped");

            assertThat(broker.process().exitCode()).isZero();
            assertThat(broker.process().output()).endsWith("stopped");
            assertThat(broker.admin("service", "stop").exitCode()).isEqualTo(3);
        }
    }

    @InTurn
    @Test
    void shouldEndWithTheCodeThatAsksForANewStart() throws IOException, InterruptedException {
        try (Administered broker = start(Map.of())) {
            Administered.Outcome restart = broker.admin("service", "restart", "--wait", "2");

            assertThat(broker.process().exitCode()).isEqualTo(10);
            assertThat(restart.exitCode()).isEqualTo(3);
            assertThat(restart.output()).contains("no supervisor has started it again within 2 s");
        }
    }

    @InTurn
    @Test
    void shouldStartAgainByItselfWithAndWithoutItsStore() throws IOException, InterruptedException {
        try (Administered broker = start(Map.of("BROKER_RESTART", "here"))) {
            connect(broker);
            assertThat(clients(broker)).contains("kept");

            // when
            assertThat(broker.adminDone("service", "restart", "--wait", "0")).isEqualTo("restarting");
            broker.awaitReady();

            // then
            assertThat(clients(broker)).contains("kept");
            assertThat(broker.adminHere("service", "restart", "--clean-store").exitCode())
                    .isEqualTo(2);

            // when
            broker.adminDone("service", "restart", "--clean-store", "--yes", "--wait", "0");
            broker.awaitReady();

            // then
            assertThat(clients(broker)).doesNotContain("kept");
            broker.process().terminate();
            assertThat(broker.process().exitCode()).isZero();
        }
    }

    @InTurn
    @Test
    void shouldGatherEverythingButSecrets() throws IOException, InterruptedException {
        Path zip = directory.resolve("bundle.zip");
        try (Administered broker = start(Map.of("JAVA_OPTS", "-Djavax.net.ssl.trustStorePassword=hidden-thing"))) {
            Path password = Files.writeString(directory.resolve("password"), "pencil-secret\n");
            broker.adminDoneHere("server", "update", "--admin-user-password-file", password.toString());
            broker.login("admin", password);
            connect(broker);

            // when
            String output = broker.adminDone("diagnostics", "--out", zip.toString(), "--histogram");

            // then
            assertThat(output).contains("written to " + zip);
            Map<String, String> content = content(zip);
            assertThat(content.get("jvm.txt")).contains("-Djavax.net.ssl.trustStorePassword=********", "-Xmx64m");
            assertThat(content.get("threads.txt")).contains("\"main\"");
            assertThat(content.get("log.txt")).contains("AdminLog: ", "AdminUserPassword");
            assertThat(content.get("configuration.json")).contains("********", "DemoHub");
            assertThat(content.get("startup.json")).contains("\"maxMessages\" : 100000");
            assertThat(content.get("clients.json")).contains("\"kept\"");
            assertThat(content.get("metrics.txt")).contains("jvm_memory");
            assertThat(content.get("system.txt")).contains("Max open files");
            assertThat(content.get("heap-histogram.txt")).contains("java.lang.String");
            assertThat(content).doesNotContainKey("problems.txt");
            assertThat(content)
                    .allSatisfy((name, text) -> assertThat(text)
                            .as(name)
                            .doesNotContain("pencil-secret", "hidden-thing", "SCRAM-SHA-256$", "argon2", "storedKey"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(zip)))
                    .isEqualTo("rw-------");
            assertThat(broker.adminHere("diagnostics", "--out", zip.toString()).exitCode())
                    .isEqualTo(2);
        }
    }

    @InTurn
    @Test
    void shouldGatherWhatItCanWhenNobodyAnswers() throws IOException, InterruptedException {
        Path zip = directory.resolve("bundle.zip");
        Administered.Outcome outcome = Administered.run(
                Administered.THIS_JAVA, "diagnostics", "--out", zip.toString(), "--url", "http://127.0.0.1:1");
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(content(zip)).containsKeys("this-program.txt", "problems.txt");
    }

    private Administered start(Map<String, String> environment) throws IOException {
        return Administered.start(directory.resolve("data"), environment);
    }

    private static String clients(Administered broker) {
        return broker.adminDoneHere("client", "list", "-o", "name");
    }

    /** A session that stays. */
    private static void connect(Administered broker) throws IOException {
        try (Socket client =
                new Socket(InetAddress.getLoopbackAddress(), broker.process().port())) {
            client.getOutputStream().write(CONNECT);
            assertThat(client.getInputStream().readNBytes(4)).hasSize(4);
        }
    }

    private static Map<String, String> content(Path file) throws IOException {
        Map<String, String> content = new HashMap<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                content.put(
                        entry.getName(), new String(zip.getInputStream(entry).readAllBytes(), UTF_8));
            }
        }
        return content;
    }
}
