package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.bench.mqtt.engine.plan.RunPlan.Tls;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that prove who they are with a key that the server has too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PskRunTest {
    private static final Map<String, byte[]> KEYS =
            Map.of("ada", new byte[] {1, 2, 3, 4}, "bob", new byte[] {0x11, 0x22, 0x33});

    private Path folder;
    private TestBroker broker;

    @BeforeAll
    void start(@TempDir Path shared) {
        folder = shared;
        broker = Brokers.start();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({
        ",,",
        "TLSv1.3,,/mqtt",
        "TLSv1.2,TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256,",
        "TLSv1.2,PSK-AES256-CBC-SHA,/mqtt"
    })
    void shouldConnectWithKeysInTurn(@Nullable String protocol, @Nullable String cipher, @Nullable String webSocketPath)
            throws IOException {
        try (PskProxy proxy = new PskProxy(broker.port(), KEYS)) {
            // given six clients and two keys
            Plans run = plans(proxy, "ada,01020304\nbob,112233\n", protocol, cipher);
            run.webSocketPath = webSocketPath;
            run.maxSizeBytes = webSocketPath == null ? 40_000 : 64;

            // when
            RunResult result = run.run();

            // then
            assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
            assertThat(result.tally().received()).isPositive();
            assertThat(proxy.identities()).containsExactlyInAnyOrder("ada", "ada", "ada", "bob", "bob", "bob");
            if (webSocketPath == null) {
                // With WebSocket it is the server that ends the connection.
                await().atMost(1, TimeUnit.MINUTES).until(() -> proxy.goodEnds() > 0);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.2,'ada,01020305',bad_record_mac",
        "TLSv1.2,'eve,01020304',unknown_psk_identity",
        "TLSv1.3,'ada,01020305',decrypt_error"
    })
    void shouldSayWhyItWasRefused(String protocol, String key, String alert) throws IOException {
        try (PskProxy proxy = new PskProxy(broker.port(), KEYS)) {
            RunResult result = plans(proxy, key, protocol, null).run();

            assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
            assertThat(result.connections()).isZero();
            assertThat(result.verdict().reasons())
                    .anySatisfy(reason ->
                            assertThat(reason).contains("TLS handshake failed: the server's alert was " + alert));
        }
    }

    @Test
    void shouldSayThatAServerDoesNotSpeakTls() {
        Plans run = new Plans(broker.port());
        run.tls = tls("ada,01", null, null);

        RunResult result = run.run();

        assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.verdict().reasons())
                .anySatisfy(
                        reason -> assertThat(reason).contains("6 connections were refused", "TLS handshake failed"));
    }

    private Plans plans(PskProxy proxy, String keys, @Nullable String protocol, @Nullable String cipher) {
        Plans run = new Plans(proxy.port());
        run.tls = tls(keys, protocol, cipher);
        run.qos = 1;
        run.measureMs = 1_000; // in which something comes on a busy machine, too
        run.schedule = RateSchedule.fixed(100);
        return run;
    }

    private Tls tls(String keys, @Nullable String protocol, @Nullable String cipher) {
        try {
            Path file = Files.writeString(folder.resolve("keys.csv"), keys);
            return new Tls(
                    null,
                    protocol == null ? List.of() : List.of(protocol),
                    cipher == null ? List.of() : List.of(cipher),
                    null,
                    null,
                    file.toString());
        } catch (IOException unwritable) {
            throw new AssertionError(unwritable);
        }
    }
}
