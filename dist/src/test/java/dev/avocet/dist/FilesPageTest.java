package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.LivingFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lists of files in docs/operations.md against what a broker leaves in its data directory. */
class FilesPageTest {
    private static final Path PAGE = Distribution.HOME.resolve("docs/operations.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static final String STORE = "store/";

    @TempDir
    private Path data;

    @ParameterizedTest
    @ValueSource(strings = {"chronicle", "file"})
    void shouldTellOfEveryFileThatABrokerMakes(String journal) throws IOException {
        // given
        Path configuration = data.resolveSibling(data.getFileName() + "-" + journal + ".json");
        Files.writeString(configuration, "{\"store\": {\"journal\": \"" + journal + "\"}}");

        // when
        try (Launched broker = Distribution.launch(
                Distribution.SHORT_LIVED,
                "--data",
                data.toString(),
                "--config",
                configuration.toString(),
                "--endpoint",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0")) {
            broker.awaitLine("ready");
        } finally {
            Files.delete(configuration);
        }

        // then
        List<Pattern> ofStore = told("\n### Files\n", "");
        List<Pattern> others = told("\n## Files\n", "data/");
        assertThat(LivingFiles.below(data))
                .map(file -> data.relativize(file).toString())
                .contains("lock")
                .allMatch(file -> file.startsWith(STORE)
                        ? isTold(file.substring(STORE.length()), ofStore)
                        : isTold(file, others));
    }

    @Test
    void shouldReadTheListsOfThePage() throws IOException {
        assertThat(told("\n## Files\n", "data/")).hasSizeGreaterThan(8);
        assertThat(told("\n### Files\n", "")).hasSizeGreaterThan(4);
    }

    private static boolean isTold(String file, List<Pattern> told) {
        return told.stream().anyMatch(each -> each.matcher(file).matches());
    }

    /** The first column of the list below a heading, as patterns of names without a beginning; "…" is any text. */
    private static List<Pattern> told(String heading, String beginning) throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(heading);
        assertThat(from).as(heading).isNotNegative();
        List<Pattern> told = new ArrayList<>();
        for (String row : page.substring(from + heading.length(), page.indexOf("\n#", from + heading.length()))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .toList()) {
            Matcher name = CODE.matcher(beginning.isEmpty() ? row : row.split("\\|", -1)[1]);
            while (name.find()) {
                if (name.group(1).startsWith(beginning)) {
                    told.add(pattern(name.group(1).substring(beginning.length())));
                }
            }
        }
        return told;
    }

    /** A folder stands for all that is in it. */
    private static Pattern pattern(String name) {
        String quoted = Pattern.quote(name).replace("…", "\\E[^/]*\\Q");
        return Pattern.compile(name.endsWith("/") ? quoted + ".*" : quoted);
    }
}
