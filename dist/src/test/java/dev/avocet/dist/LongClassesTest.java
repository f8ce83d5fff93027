package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The length of every file of main code against build/long-classes.txt. */
class LongClassesTest {
    private static final Path ROOT = Path.of("..");
    private static final int MOST_LINES = 450;

    private record Defended(String file, int mostLines, String reason) {
        static Defended of(String line) {
            String[] cells = line.split(" \\| ", -1);
            assertThat(cells).as(line).hasSize(3);
            return new Defended(cells[0], Integer.parseInt(cells[1]), cells[2]);
        }
    }

    @Test
    void shouldHaveNoLongClassButThoseThatAreDefended() throws IOException {
        Map<String, Defended> exceptions = exceptions();

        Map<String, Integer> tooLong = new TreeMap<>();
        lengths().forEach((file, lines) -> {
            Defended defended = exceptions.get(file);
            if (lines > (defended == null ? MOST_LINES : defended.mostLines())) {
                tooLong.put(file, lines);
            }
        });

        assertThat(tooLong)
                .as("split each into its ideas: at most %d lines, or what build/long-classes.txt says", MOST_LINES)
                .isEmpty();
    }

    @Test
    void shouldDefendOnlyWhatIsLong() throws IOException {
        Map<String, Integer> lengths = lengths();

        List<String> needless = exceptions().keySet().stream()
                .filter(file -> lengths.getOrDefault(file, 0) <= MOST_LINES)
                .toList();

        assertThat(needless)
                .as("these are short, or gone: take them out of build/long-classes.txt")
                .isEmpty();
    }

    @Test
    void shouldGiveAReasonForEachException() throws IOException {
        assertThat(exceptions().values())
                .isNotEmpty()
                .noneMatch(defended -> defended.reason().isBlank());
    }

    private static Map<String, Defended> exceptions() throws IOException {
        return Files.readAllLines(ROOT.resolve("build/long-classes.txt")).stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(Defended::of)
                .collect(Collectors.toMap(Defended::file, Function.identity()));
    }

    /** By file, from the root of the project. */
    private static Map<String, Integer> lengths() throws IOException {
        Map<String, Integer> lengths = new TreeMap<>();
        for (Path module : modules()) {
            try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .forEach(file ->
                                lengths.put(ROOT.relativize(file).toString().replace('\\', '/'), lines(file)));
            }
        }
        assertThat(lengths).hasSizeGreaterThan(500);
        return lengths;
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .toList();
        }
    }

    private static int lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return (int) lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
