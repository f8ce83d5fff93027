package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.bench.mqtt.engine.plan.RunPlan.Tls;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pre-shared keys as OpenSSL has them: a Mosquitto that reads the same file. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MosquittoPskTest {
    private static final String KEYS = "ada:000102030405060708090a0b0c0d0e0f\nbob:ffeeddccbbaa99887766554433221100\n";

    private Path keys;
    private Path folder;
    private Process mosquitto;
    private int port;

    @BeforeAll
    void start(@TempDir Path shared) throws IOException {
        folder = shared;
        keys = Files.writeString(folder.resolve("keys.psk"), KEYS);
        port = FreePort.next();
        Path configuration = Files.writeString(folder.resolve("mosquitto.conf"), """
                listener %d 127.0.0.1
                allow_anonymous true
                psk_hint bench
                psk_file %s
                """.formatted(port, keys));
        // Who is started by root becomes another user, who is to read the file.
        assertThat(folder.toFile().setExecutable(true, false)).isTrue();
        mosquitto = new ProcessBuilder(program(), "-c", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(20)).until(this::isThere);
    }

    @AfterAll
    void stop() {
        if (mosquitto != null) {
            mosquitto.destroyForcibly().onExit().join();
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.3,TLS_AES_128_GCM_SHA256", "TLSv1.2,PSK-AES256-CBC-SHA", "TLSv1.2,ECDHE-PSK-AES256-CBC-SHA384"})
    void shouldConnectAndDeliver(String protocol, String cipher) {
        RunResult result = run(keys, protocol, cipher);

        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(result.tally().received()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.3,TLS_AES_128_GCM_SHA256", "TLSv1.2,PSK-AES256-CBC-SHA"})
    void shouldBeRefusedWithAnotherKey(String protocol, String cipher) throws IOException {
        Path others = Files.writeString(folder.resolve("others.psk"), KEYS.replace("00", "01"));

        RunResult result = run(others, protocol, cipher);

        assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.verdict().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("6 connections were refused", "TLS handshake failed: the server's alert was "));
    }

    private RunResult run(Path file, String protocol, String cipher) {
        Plans run = new Plans(port);
        run.qos = 1;
        run.measureMs = 100;
        run.schedule = RateSchedule.fixed(100);
        run.tls = new Tls(null, List.of(protocol), List.of(cipher), null, null, file.toString());
        return run.run();
    }

    private boolean isThere() throws IOException {
        assertThat(mosquitto.isAlive())
                .as(() -> "mosquitto has ended: " + log())
                .isTrue();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (ConnectException notYet) {
            return false;
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException unreadable) {
            return unreadable.getMessage();
        }
    }

    private static String program() {
        String places = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        return Stream.of(places.split(File.pathSeparator, -1))
                .map(place -> Path.of(place, "mosquitto"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseGet(MosquittoPskTest::missing);
    }

    private static String missing() {
        String message = "mosquitto is missing: run scripts/install-test-clients.sh";
        if (Boolean.getBoolean("avocet.clients.required") || "true".equals(System.getenv("CI"))) {
            Assertions.fail(message);
        }
        Assumptions.abort(message);
        return "";
    }
}
