package dev.avocet.core.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of the page about selectors: every example has the answer that the page says. */
class SelectorsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "selectors.md");

    private static final Map<String, Object> MESSAGE = Map.ofEntries(
            Map.entry("i", 5L),
            Map.entry("l", 7L),
            Map.entry("least", Long.MIN_VALUE),
            Map.entry("d", 2.5),
            Map.entry("f", 0.5),
            Map.entry("yes", true),
            Map.entry("no", false),
            Map.entry("s", "abc"),
            Map.entry("under", "a_b"),
            Map.entry("number", "12"),
            Map.entry("quote", "it's"),
            Map.entry("empty", ""),
            Map.entry("JMSType", "car"),
            Map.entry("JMSCorrelationID", "cid"),
            Map.entry("JMSPriority", 7L),
            Map.entry("JMSDeliveryMode", "PERSISTENT"),
            Map.entry("JMSTimestamp", 1_800_000_000_000L),
            Map.entry("JMSMessageID", "ID:1"));

    static Stream<String> rows() throws IOException {
        return Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| 3.8.1"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void shouldAnswerAsThePageSays(String row) {
        String[] cells = row.split(" *\\| *", -1);

        assertThat(answer(selector(cells[3]))).as(row).isEqualTo(cells[4]);
    }

    @Test
    void shouldHaveEverySectionAndEveryAnswer() throws IOException {
        assertThat(rows()).hasSizeGreaterThan(150);
        for (String word : new String[] {"3.8.1.1", "3.8.1.2", "3.8.1.3", "match |", "no match |", "refused |"}) {
            assertThat(rows()).as(word).anyMatch(row -> row.contains(word));
        }
    }

    /** What was accepted once may be in a store: the broker has to start with it. */
    @ParameterizedTest
    @MethodSource("rows")
    void shouldGoOnWithWhatWasAcceptedBefore(String row) throws InvalidSelectorException {
        String[] cells = row.split(" *\\| *", -1);
        if (!cells[4].equals("refused")) {
            Selector strict = Selector.compile(selector(cells[3]));

            assertThat(Selector.compileAccepted(selector(cells[3]))).isEqualTo(strict);
        }
    }

    @Test
    void shouldNeverMatchWhatIsRefusedTodayAndWasAccepted() throws InvalidSelectorException {
        for (String former :
                new String[] {"TRUE = 0", "i BETWEEN 'foo' AND 'test'", "7 IN ('a')", "'a' + 1 = 2", "'5' = 5"}) {
            assertThat(new SelectorParser(former, false).parse().value(MESSAGE::get))
                    .as(former)
                    .isNotEqualTo(true);
        }
    }

    private static String selector(String cell) {
        return cell.startsWith("(")
                ? ""
                : cell.substring(1, cell.length() - 1).replace("\\t", "\t").replace("\\f", "\f");
    }

    private static String answer(String selector) {
        try {
            boolean matches = selector.isEmpty()
                    ? Selector.compile(selector) == null
                    : Boolean.TRUE.equals(
                            new SelectorParser(selector, true).parse().value(MESSAGE::get));
            return matches ? "match" : "no match";
        } catch (InvalidSelectorException e) {
            return "refused";
        }
    }
}
