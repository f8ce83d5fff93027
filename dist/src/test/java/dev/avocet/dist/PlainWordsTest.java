package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a person reads names the actor, as CONTRIBUTING.md asks. */
final class PlainWordsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAMELESS =
            Pattern.compile("\\b(whoever|somebody|someone|nobody|anybody)\\b", Pattern.CASE_INSENSITIVE);

    @Test
    void shouldNameTheActor() throws IOException {
        // given
        List<Path> read = new ArrayList<>();
        read.add(ROOT.resolve("README.md"));
        read.add(ROOT.resolve("CHANGELOG.md"));
        addBelow(ROOT.resolve("docs"), ".md", read);
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                addBelow(module.resolve("src/main"), "", read);
                addBelow(module.resolve("src/jmh"), ".java", read);
            }
        }
        assertThat(read).hasSizeGreaterThan(1_000);

        // when, then
        assertThat(read.stream().flatMap(PlainWordsTest::nameless))
                .as("lines that name no actor; CONTRIBUTING.md has examples of what to write")
                .isEmpty();
    }

    private static void addBelow(Path folder, String ending, List<Path> files) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(ending))
                    .filter(PlainWordsTest::isWrittenHere)
                    .forEach(files::add);
        }
    }

    /** Fixtures of policies name a user "nobody"; texts of licences and scripts of others are as they are. */
    private static boolean isWrittenHere(Path file) {
        String name = file.toString().replace('\\', '/');
        return !name.endsWith("/PolicyFixture.java") && !name.contains("/licenses/") && !name.endsWith(".min.js");
    }

    private static Stream<String> nameless(Path file) {
        try {
            List<String> lines = Files.readString(file, ISO_8859_1).lines().toList();
            return Stream.iterate(0, number -> number < lines.size(), number -> number + 1)
                    .filter(number -> NAMELESS.matcher(lines.get(number)).find())
                    .map(number -> ROOT.relativize(file) + ":" + (number + 1) + " "
                            + lines.get(number).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
