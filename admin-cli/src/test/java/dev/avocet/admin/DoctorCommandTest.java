package dev.avocet.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.store.BrokerProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
    private static final String NOBODY = "http://127.0.0.1:1";
    private static final String LAUNCHER = "echo --add-exports=java.base/sun.nio.ch=ALL-UNNAMED\n";

    @TempDir
    private Path home;

    private final StringWriter out = new StringWriter();
    private Path data;

    @BeforeEach
    void makeFiles() throws IOException {
        data = Files.createDirectories(home.resolve("data"));
        Files.createDirectories(data.resolve("config"));
        Files.createDirectories(data.resolve("security"));
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("bin/broker"), LAUNCHER);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldFindNothingToMendInAQuietDataDirectory() {
        assertThat(doctor(NOBODY)).isZero();
        assertThat(out.toString())
                .contains("WARN  broker: no answer from " + NOBODY, "OK    java: ", "OK    permissions of " + data)
                .doesNotContain("FAIL");
        assertThat(doctor(NOBODY, "--strict")).isEqualTo(ExitCode.UNHEALTHY);
    }

    @Test
    void shouldFindWhatKeepsABrokerFromStarting() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // given
            Files.writeString(data.resolve("config/objects-2.json"), "{\"Endpoint\": {}}");
            Files.writeString(
                    data.resolve("config/objects-10.json"),
                    "{\"AdminUserPassword\": \"\", \"Endpoint\": {\"open\": {\"Enabled\": true, \"Interface\": \"All\","
                            + " \"Port\": " + taken.getLocalPort() + ", \"SecurityProfile\": \"\"}}}");

            // then
            assertThat(doctor(NOBODY)).isEqualTo(ExitCode.UNHEALTHY);
            assertThat(out.toString())
                    .contains(
                            "FAIL  port " + taken.getLocalPort() + ": is taken",
                            "FAIL  endpoint open: can be reached by others and has no SecurityProfile",
                            "WARN  administration: needs no password",
                            "      -> give it a SecurityProfile");
        }
    }

    @Test
    void shouldFindSecretsThatEverybodyMayRead() throws IOException {
        // given
        Path key = Files.writeString(data.resolve("security/server.key"), "x");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        Path users = Files.writeString(data.resolve("security/users.json"), "{}");
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));

        // then
        assertThat(doctor(NOBODY)).isEqualTo(ExitCode.UNHEALTHY);
        assertThat(out.toString())
                .contains(
                        "FAIL  permissions of server.key: every user of the machine may read it",
                        "OK    permissions of users.json",
                        "FAIL  permissions of " + data + ": every user of the machine may write there");
    }

    @Test
    void shouldFindCertificatesThatExpire() throws IOException, InterruptedException {
        // given
        certificate("old.pem", "-400d", 30);
        certificate("soon.pem", "-1d", 10);
        certificate("good.pem", "-1d", 400);

        // then
        assertThat(doctor(NOBODY)).isEqualTo(ExitCode.UNHEALTHY);
        assertThat(out.toString())
                .contains(
                        "FAIL  certificate old.pem: has expired at ",
                        "WARN  certificate soon.pem: expires in 8 days",
                        "OK    certificate good.pem: is good until ");
    }

    @Test
    void shouldNotTakeAKeyForACertificate() throws IOException {
        // given
        Path key = data.resolve("files").resolve("own.pem");
        Files.createDirectories(key.getParent());
        Files.writeString(key, "-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));

        // when
        doctor(NOBODY);

        // then
        assertThat(out.toString()).contains("OK    permissions of own.pem").doesNotContain("certificate own.pem");
    }

    @Test
    void shouldNoticeThatTheClockWasSetBack() throws IOException {
        Path file = Files.writeString(data.resolve("lock"), "1");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plus(Duration.ofHours(2))));
        assertThat(doctor(NOBODY)).isZero();
        assertThat(out.toString()).contains("WARN  clock: " + file + " was written in the future");
    }

    @Test
    void shouldAskABrokerThatRuns() throws IOException {
        try (FakeService broker = new FakeService()) {
            // given
            broker.answers("{\"status\":\"running\"}")
                    .answers("{\"Server\":{\"Status\":\"Running\",\"Version\":\"1\",\"ServerTime\":\""
                            + Instant.now().minusSeconds(300) + "\"},\"Endpoint\":{\"a\":{\"Status\":\"Failed\","
                            + "\"ErrorMessage\":\"cannot listen\"}}}")
                    .answers("{\"AdminUserPassword\":\"********\"}")
                    .answers("java     25.0.1\nheap     init = 1(1K) used = 1(1K) max = 4294967296(4194304K)\n")
                    .answers("""
                            Max open files            1024                 4096                 files
                            /sys/fs/cgroup/memory.max
                            1073741824
                            /proc/meminfo
                            MemTotal:       8000000 kB
                            """);

            // then
            assertThat(doctor(broker.url(), "-o", "json")).isEqualTo(ExitCode.UNHEALTHY);
        }
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains(
                        "\"subject\" : \"clock\", \"found\" : \"differs by 300",
                        "does not listen: cannot listen",
                        "\"level\" : \"OK\", \"subject\" : \"administration\"",
                        "missing: --add-exports=java.base/sun.nio.ch=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow",
                        "at most 1024 of the broker",
                        "1024 MiB allowed by the container, heap of at most 4096 MiB");
    }

    private int doctor(String url, String... more) {
        out.getBuffer().setLength(0);
        List<String> arguments = new ArrayList<>(List.of("doctor", "--url", url));
        arguments.addAll(List.of(more));
        return Main.commandLine(
                        new BrokerProgram(home),
                        new PrintWriter(out, true),
                        new PrintWriter(out, true),
                        "doctor"::equals)
                .execute(arguments.toArray(String[]::new));
    }

    private void certificate(String name, String start, int days) throws IOException, InterruptedException {
        Path store = home.resolve(name + ".p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        run(
                keytool,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "a",
                "-dname",
                "CN=x",
                "-startdate",
                start,
                "-validity",
                Integer.toString(days),
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit");
        run(
                keytool,
                "-exportcert",
                "-rfc",
                "-alias",
                "a",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit",
                "-file",
                data.resolve("security").resolve(name).toString());
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
