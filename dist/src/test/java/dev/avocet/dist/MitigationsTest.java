package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of threats in docs/security.md and docs/protection.md: each threat names its tests, which are there. */
class MitigationsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAME = Pattern.compile("`(?:([A-Z]\\w+)(?:\\.(should\\w+))?|(should\\w+))`");
    private static final String NO_TEST = "no test: ";

    @ParameterizedTest
    @ValueSource(strings = {"docs/security.md", "docs/protection.md"})
    void shouldNameATestThatIsThereForEachThreat(String page) throws IOException {
        Map<String, String> sources = testSources();
        List<String> rows = rows(Files.readAllLines(ROOT.resolve(page)));

        assertThat(rows).hasSizeGreaterThan(5);
        for (String row : rows) {
            String[] cells = row.split("(?<!\\\\)\\|", -1);
            String tests = cells[cells.length - 2].strip();
            if (!tests.startsWith(NO_TEST)) {
                assertThat(problems(tests, sources)).as(page + ": " + row).isEmpty();
            }
        }
    }

    @Test
    void shouldFindATestThatIsNotThere() throws IOException {
        Map<String, String> sources = testSources();
        assertThat(problems("`MitigationsTest.shouldFindATestThatIsNotThere`", sources))
                .isEmpty();
        assertThat(problems("`MitigationsTest.shouldBeGone`, `GoneTest`", sources))
                .hasSize(2);
        assertThat(problems("", sources)).containsExactly("names no test");
    }

    private static List<String> problems(String tests, Map<String, String> sources) {
        List<String> problems = new ArrayList<>();
        String type = "";
        int named = 0;
        for (Matcher each = NAME.matcher(tests); each.find(); named++) {
            type = each.group(1) == null ? type : each.group(1);
            String method = each.group(2) == null ? each.group(3) : each.group(2);
            String source = sources.get(type);
            if (source == null) {
                problems.add("there is no test class " + type);
            } else if (method != null && !source.contains("void " + method + "(")) {
                problems.add(type + " has no " + method);
            }
        }
        if (named == 0) {
            problems.add("names no test");
        }
        return problems;
    }

    /** Those of tables whose last column is headed "test". */
    private static List<String> rows(List<String> lines) {
        List<String> rows = new ArrayList<>();
        boolean within = false;
        for (String line : lines) {
            boolean isRow = line.startsWith("|");
            if (isRow && within && !line.replaceAll("[|\\s-]", "").isEmpty()) {
                rows.add(line);
            }
            within = isRow && (within || line.strip().endsWith("| test |"));
        }
        return rows;
    }

    /** By the simple name of the class. */
    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path folder = module.resolve("src/test/java");
                if (!Files.isDirectory(folder)) {
                    continue;
                }
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file :
                            files.filter(it -> it.toString().endsWith(".java")).toList()) {
                        String name = file.getFileName().toString().replace(".java", "");
                        sources.merge(name, Files.readString(file), String::concat); // of several modules
                    }
                }
            }
        }
        return sources;
    }
}
