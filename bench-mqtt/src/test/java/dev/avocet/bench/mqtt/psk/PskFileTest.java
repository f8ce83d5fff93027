package dev.avocet.bench.mqtt.psk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of identities and keys. */
final class PskFileTest {
    @TempDir
    Path folder;

    @Test
    void shouldReadBothSeparators() throws IOException {
        List<PreSharedKey> keys =
                PskFile.read(file("ada,00ff\n\n# two of the other kind\nurn:a,b:DEADbeef\nc:d, 01 \n"));

        assertThat(keys).extracting(key -> new String(key.identity(), UTF_8)).containsExactly("ada", "urn:a,b", "c:d");
        assertThat(keys.get(0).key()).containsExactly(0, 0xFF);
        assertThat(keys.get(1).key()).containsExactly(0xDE, 0xAD, 0xBE, 0xEF);
        assertThat(keys.get(2).key()).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ada", ",00ff", "ada,", "ada,5ecret", "ada,5ec"})
    void shouldSayWhereAndNotWhatTheKeyIs(String line) throws IOException {
        Path file = file("eve,00\n" + line + "\n");

        assertThatThrownBy(() -> PskFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2")
                .hasMessageNotContaining("5ec")
                .hasNoCause();
    }

    @Test
    void shouldRefuseWhatHasNoKeys() throws IOException {
        Path empty = file("# nothing\n");

        assertThatThrownBy(() -> PskFile.read(empty)).hasMessageContaining("has no keys");
        assertThatThrownBy(() -> PskFile.read(folder.resolve("nowhere"))).hasMessageContaining("cannot be read");
    }

    @Test
    void shouldKnowSuitesByBothNames() {
        assertThat(PskSuite.of("TLS_PSK_WITH_AES_256_CBC_SHA")).isEqualTo(PskSuite.TLS_PSK_WITH_AES_256_CBC_SHA);
        assertThat(PskSuite.of("PSK-AES256-CBC-SHA")).isEqualTo(PskSuite.TLS_PSK_WITH_AES_256_CBC_SHA);
        assertThat(PskSuite.of("ECDHE-PSK-AES128-CBC-SHA256"))
                .isEqualTo(PskSuite.TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256);
        assertThatThrownBy(() -> PskSuite.of("TLS_RSA_WITH_AES_256_CBC_SHA"))
                .hasMessageContaining("is not a suite for");
    }

    @Test
    void shouldRefuseProtocolsAndSuitesThatDoNotFit() throws IOException {
        Path file = file("ada,00ff\n");

        assertThatThrownBy(() -> PreSharedKeys.read(file, List.of("TLSv1.1"), List.of()))
                .hasMessageContaining("TLSv1.2 or TLSv1.3");
        assertThatThrownBy(() -> PreSharedKeys.read(file, List.of("TLSv1.3"), List.of("PSK-AES256-CBC-SHA")))
                .hasMessageContaining("belongs to");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("keys.csv"), text);
    }
}
