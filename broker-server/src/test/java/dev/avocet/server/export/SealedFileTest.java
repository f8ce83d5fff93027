package dev.avocet.server.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.testkit.turn.InTurn;
import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@InTurn
class SealedFileTest {
    private static final String PASSWORD = "päncil";
    private static final byte[] CONTENT = "the content".getBytes(UTF_8);
    private static final int HEAD_BYTES = 78;

    private final SealedFile sealed = new SealedFile(new SecureRandom());

    @Test
    void shouldOpenWithThePasswordAndShowNothingWithoutIt() throws ExportException {
        // when
        byte[] file = sealed.seal(CONTENT, PASSWORD);

        // then
        assertThat(sealed.open(file, PASSWORD)).isEqualTo(CONTENT);
        assertThat(new String(file, UTF_8)).startsWith("AVCTEXP1").doesNotContain("content");
        assertThat(sealed.seal(CONTENT, PASSWORD)).isNotEqualTo(file);
    }

    @Test
    void shouldSayThatThePasswordIsWrong() {
        byte[] file = sealed.seal(CONTENT, PASSWORD);
        assertThatThrownBy(() -> sealed.open(file, "pencil"))
                .isInstanceOf(ExportException.class)
                .hasMessageContaining("the password is wrong");
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 40, HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, HEAD_BYTES + 26})
    void shouldSayThatTheFileIsNotWhole(int length) {
        byte[] file = sealed.seal(CONTENT, PASSWORD);
        assertThatThrownBy(() -> sealed.open(Arrays.copyOf(file, length), PASSWORD))
                .isInstanceOf(ExportException.class)
                .hasMessageContaining("not whole");
    }

    @ParameterizedTest
    @CsvSource({
        "0, not a file that a broker has exported",
        "8, changed after it was made",
        "12, was changed",
        "20, was changed",
        "35, was changed",
        "50, was changed",
        "75, not whole",
        "79, changed after it was made",
        "100, changed after it was made"
    })
    void shouldNoticeEveryChange(int place, String message) {
        byte[] file = sealed.seal(CONTENT, PASSWORD);
        file[place] ^= 4;
        assertThatThrownBy(() -> sealed.open(file, PASSWORD))
                .isInstanceOf(ExportException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldTakeNothingForAnExportThatIsNone() {
        assertThatThrownBy(() -> sealed.open(new byte[0], PASSWORD)).isInstanceOf(ExportException.class);
        assertThatThrownBy(() -> sealed.open("{}".getBytes(UTF_8), PASSWORD)).isInstanceOf(ExportException.class);
    }
}
