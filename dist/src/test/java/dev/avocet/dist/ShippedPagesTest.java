package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manual and the licences in the distribution. */
class ShippedPagesTest {
    private static final Path DOCS = Distribution.HOME.resolve("docs");
    private static final Path LICENSES = Distribution.HOME.resolve("licenses");
    /**
     * The target of a Markdown link to another page, without the place in it. What changes the broker needs the
     * sources, which are not there.
     */
    private static final Pattern LINK =
            Pattern.compile("]\\((?!https?:|#|(?:\\.\\./)+(?:broker-|bench))([^)#\\s]+)[^)]*\\)");

    @Test
    void shouldShipTheManual() {
        for (String page : List.of("operations", "configuration", "objects", "mqtt", "amqp", "jms", "performance")) {
            assertThat(DOCS.resolve(page + ".md")).isNotEmptyFile();
        }
    }

    @Test
    void shouldShipEveryPageThatAShippedPageLinksTo() throws IOException {
        List<String> dangling = new ArrayList<>();
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                if (!Files.exists(page.resolveSibling(link.group(1)))) {
                    dangling.add(DOCS.relativize(page) + " -> " + link.group(1));
                }
            }
        }
        assertThat(dangling).isEmpty();
    }

    @Test
    void shouldShipTheLicence() {
        assertThat(LICENSES.resolve("LICENSE")).content().contains("Apache License", "Version 2.0");
        assertThat(LICENSES.resolve("NOTICE")).content().contains("Avocet");
    }

    @Test
    void shouldShipTheTextsThatLibrariesBringAlong() throws IOException {
        try (Stream<Path> folders = Files.list(LICENSES.resolve("texts"))) {
            List<String> libraries =
                    folders.map(folder -> folder.getFileName().toString()).toList();
            assertThat(libraries)
                    .hasSizeGreaterThan(20)
                    .anyMatch(name -> name.startsWith("jackson-core-"))
                    .anyMatch(name -> name.startsWith("jetty-server-"));
        }
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(DOCS)) {
            return files.filter(file -> file.toString().endsWith(".md")).toList();
        }
    }
}
