package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Prose of pages written by hand is at most 120 columns wide. Tables, code and what cannot be broken may be wider. */
final class PageWidthTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int COLUMNS = 120;
    private static final Set<String> GENERATED = Set.of("configuration.md", "objects.md", "figures.md");

    private static final Pattern FENCE = Pattern.compile(" *(```|~~~).*");
    private static final Pattern TABLE_OR_CODE = Pattern.compile(" *\\|.*| {4}.*");
    private static final Pattern MARK = Pattern.compile(" *([-*+]|\\d+[.)]) +| +");
    private static final Pattern CODE_SPAN = Pattern.compile("`[^`]*`");

    @Test
    void shouldBreakLinesOfPagesWithinTheColumns() throws IOException {
        // given
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CHANGELOG.md")));
        try (Stream<Path> all = Files.walk(ROOT.resolve("docs"))) {
            all.filter(page -> page.toString().endsWith(".md"))
                    .filter(page -> !GENERATED.contains(page.getFileName().toString()))
                    .forEach(pages::add);
        }
        assertThat(pages).hasSizeGreaterThan(30);

        // when
        List<String> wide = new ArrayList<>();
        for (Path page : pages) {
            addWideLines(page, wide);
        }

        // then
        assertThat(wide).isEmpty();
    }

    private static void addWideLines(Path page, List<String> wide) throws IOException {
        boolean inCode = false;
        List<String> lines = Files.readAllLines(page);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (FENCE.matcher(line).matches()) {
                inCode = !inCode;
            } else if (!inCode && !TABLE_OR_CODE.matcher(line).matches() && isTooWide(line)) {
                wide.add(ROOT.relativize(page) + ":" + (i + 1));
            }
        }
    }

    /** Wider than the columns, with a blank at which it could have been broken before. */
    private static boolean isTooWide(String line) {
        if (line.codePointCount(0, line.length()) <= COLUMNS) {
            return false;
        }
        String words = MARK.matcher(line).replaceFirst("");
        String unbroken = CODE_SPAN
                .matcher(words)
                .replaceAll(span -> "x".repeat(span.group().length()));
        return unbroken.substring(0, Math.min(unbroken.length(), COLUMNS)).contains(" ");
    }
}
