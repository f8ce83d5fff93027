package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program loads until its first message has come back: it is what its start takes the processor for. */
class FirstMessageTest extends ServerTest {
    /** Beside those of the JVM's own archive. */
    private static final int CLASSES = 2_200;

    @TempDir
    private Path folder;

    @Test
    void shouldLoadFewClassesUntilTheFirstMessageHasComeBack() throws Exception {
        final Path log = folder.resolve("classes");
        final Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:file=" + log,
                        "-cp",
                        classPath(),
                        FirstMessage.class.getName(),
                        server.url(),
                        unique("first"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        final String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(printed.strip()).isEqualTo("hello");
        try (Stream<String> classes = Files.lines(log)) {
            assertThat(classes.filter(line -> !line.contains("shared objects file")))
                    .hasSizeBetween(500, CLASSES);
        }
    }

    /** Without what only tests have that logs. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("logback"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
