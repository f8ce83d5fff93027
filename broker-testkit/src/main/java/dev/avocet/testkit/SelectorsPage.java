package dev.avocet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The examples in the table of {@code docs/selectors.md}. Any thread. */
public final class SelectorsPage {
    private static final Path PAGE = Path.of("..", "docs", "selectors.md");
    private static final String SECTION = "| 3.8.1";
    private static final int SELECTOR = 3;
    private static final int ANSWER = 4;

    private SelectorsPage() {}

    /**
     * An example.
     *
     * @param row of the table, for people
     * @param selector empty where there is none
     * @param answer {@code match}, {@code no match} or {@code refused}
     */
    public record Example(String row, String selector, String answer) {
        @Override
        public String toString() {
            return row;
        }
    }

    /** All of them, in the order of the page. */
    public static List<Example> examples() {
        try {
            return Files.readAllLines(PAGE).stream()
                    .filter(line -> line.startsWith(SECTION))
                    .map(SelectorsPage::example)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Example example(String row) {
        String[] cells = row.split(" *\\| *", -1);
        return new Example(row, selector(cells[SELECTOR]), cells[ANSWER]);
    }

    private static String selector(String cell) {
        return cell.startsWith("(")
                ? ""
                : cell.substring(1, cell.length() - 1).replace("\\t", "\t").replace("\\f", "\f");
    }
}
