package dev.avocet.core.journal.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.avocet.core.journal.JournalException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said when the JVM was started without the flags of Chronicle. */
class ChronicleFlagsTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @Test
    void shouldMissNothingInTests() {
        assertThat(ChronicleFlags.missing()).isEmpty();
        assertThatCode(ChronicleFlags::check).doesNotThrowAnyException();
    }

    @Test
    void shouldNameEachFlagThatIsMissingAndSayWhereItBelongs() throws IOException, InterruptedException {
        assertThat(checkedWith())
                .contains(
                        ChronicleFlags.EXPORT_CHANNELS,
                        ChronicleFlags.EXPORT_REFERENCES,
                        ChronicleFlags.OPEN_REFLECTION,
                        "bin/broker",
                        "JDK_JAVA_OPTIONS");
    }

    @Test
    void shouldNotNameTheFlagsThatAreThere() throws IOException, InterruptedException {
        assertThat(checkedWith(ChronicleFlags.EXPORT_CHANNELS, ChronicleFlags.OPEN_REFLECTION))
                .contains(ChronicleFlags.EXPORT_REFERENCES)
                .doesNotContain(ChronicleFlags.EXPORT_CHANNELS, ChronicleFlags.OPEN_REFLECTION);
    }

    @Test
    void shouldBeContentWithTheFlagsThatItNames() throws IOException, InterruptedException {
        assertThat(checkedWith(
                        ChronicleFlags.EXPORT_CHANNELS,
                        ChronicleFlags.EXPORT_REFERENCES,
                        ChronicleFlags.OPEN_REFLECTION))
                .isEqualTo("content");
    }

    /** What a JVM with these flags says to the check. */
    private static String checkedWith(String... flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(JAVA, "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(flags));
        command.add(Check.class.getName());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JDK_JAVA_OPTIONS");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }

    /** The program that is started. */
    static final class Check {
        private Check() {}

        public static void main(String[] arguments) {
            try {
                ChronicleFlags.check();
                System.out.println("content");
            } catch (JournalException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
