package dev.avocet.core.selector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.SelectorsPage;
import dev.avocet.testkit.SelectorsPage.Example;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of the page about selectors: every example has the answer that the page says. */
class SelectorsPageTest {
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

    static List<Example> examples() {
        return SelectorsPage.examples();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void shouldAnswerAsThePageSays(Example example) {
        assertThat(answer(example.selector())).isEqualTo(example.answer());
    }

    @Test
    void shouldHaveEverySectionAndEveryAnswer() {
        assertThat(examples()).hasSizeGreaterThan(150);
        for (String word : new String[] {"3.8.1.1", "3.8.1.2", "3.8.1.3", "match |", "no match |", "refused |"}) {
            assertThat(examples()).as(word).anyMatch(example -> example.row().contains(word));
        }
    }

    /** What was accepted once may be in a store: the broker has to start with it. */
    @ParameterizedTest
    @MethodSource("examples")
    void shouldGoOnWithWhatWasAcceptedBefore(Example example) throws InvalidSelectorException {
        if (!example.answer().equals("refused")) {
            Selector strict = Selector.compile(example.selector());

            assertThat(Selector.compileAccepted(example.selector())).isEqualTo(strict);
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
