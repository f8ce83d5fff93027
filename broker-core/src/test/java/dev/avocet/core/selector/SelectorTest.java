package dev.avocet.core.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.message.UserProperty;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The selector language of Jakarta Messaging 3.1, section 3.8.1. */
final class SelectorTest {
    private static final Message MESSAGE = message(Map.of(
            "country", "UK", "size", 57L, "small", 3, "weight", 2.5, "ratio", 0.5f, "hot", true, "quote", "it's",
            "wild", "a_b%c"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "country = 'UK'",
                "country <> 'US'",
                "'UK' = country",
                "COUNTRY IS NULL",
                "country is not null",
                "size = 57",
                "size = 57L",
                "size = 0x39",
                "size = 071",
                "size > 56.9 and size < 5.71e1",
                "size >= 57 AND size <= 57",
                "small * 2 + 1 = 7",
                "1 + small * 2 = 7",
                "(1 + small) * 2 = 8",
                "-small = 0 - 3",
                "- - small = 3",
                "10 / 4 = 2",
                "10 / 4.0 = weight",
                "weight = 2.5d",
                "ratio = .5",
                "hot",
                "hot = TRUE",
                "NOT (hot = FALSE)",
                "hot <> false",
                "not not hot",
                "country IN ('US', 'UK')",
                "country NOT IN ('US')",
                "size BETWEEN 50 AND 60",
                "size NOT BETWEEN 1 AND 2",
                "country LIKE 'U_'",
                "country LIKE '%K'",
                "country LIKE '%'",
                "country NOT LIKE 'U'",
                "wild LIKE 'a\\_b\\%c' ESCAPE '\\'",
                "quote = 'it''s'",
                "missing IS NULL OR missing = 'x'",
                "country = 'UK' OR missing = 'x'",
                "missing = 'x' OR country = 'UK'",
                "size = 1 OR size = 2 AND size = 3 OR size = 57",
                "JMSPriority = 4",
                "JMSDeliveryMode = 'PERSISTENT'",
                "TRUE"
            })
    void shouldMatch(String text) throws Exception {
        assertThat(matches(text)).as(text).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "country = 'US'",
                "missing = 'x'",
                "missing <> 'x'",
                "NOT (missing = 'x')",
                "missing IN ('x')",
                "missing NOT IN ('x')",
                "missing LIKE '%'",
                "missing NOT LIKE '%'",
                "missing BETWEEN 1 AND 2",
                "missing NOT BETWEEN 1 AND 2",
                "missing + 1 = 1",
                "NOT missing",
                "missing",
                "country = 57",
                "country <> 57",
                "hot = 'true'",
                "country > size",
                "size LIKE '57'",
                "size / 0 = 0",
                "country LIKE 'u_'",
                "missing = 'x' AND country = 'UK'",
                "country = 'UK' AND missing = 'x'",
                "country",
                "NOT country",
                "FALSE"
            })
    void shouldNotMatch(String text) throws Exception {
        assertThat(matches(text)).as(text).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "country =|9",
                "country 'UK'|8",
                "country = 'UK|10",
                "size > 'x'|7",
                "(size = 1|9",
                "size = 1)|8",
                "size IN (1)|9",
                "size IN ()|9",
                "size BETWEEN 1|14",
                "country LIKE size|13",
                "country LIKE 'x' ESCAPE 'ab'|24",
                "country LIKE 'x#' ESCAPE '#'|13",
                "country NOT 'x'|12",
                "size IS 5|8",
                "size = 5x|7",
                "size = 99999999999999999999|7",
                "size ? 5|5",
                "5|0",
                "size + 1|0",
                "'x' AND hot|0",
                "AND|0",
                "NOT|3",
            })
    void shouldSayWhereATextIsNoSelector(String text, int position) {
        InvalidSelectorException refused =
                catchThrowableOfType(InvalidSelectorException.class, () -> Selector.compile(text));

        assertThat(refused).as(text).isNotNull();
        assertThat(refused.position()).as(refused.getMessage()).isEqualTo(position);
        assertThat(refused.getStackTrace()).isEmpty();
    }

    @Test
    void shouldRefuseWhatWouldTakeTooMuch() {
        for (String text : List.of(
                "(".repeat(10_000),
                "NOT ".repeat(4_000) + "hot",
                "-".repeat(10_000) + "1=1",
                "hot" + " OR hot".repeat(2_000),
                "x".repeat(Selector.MAX_LENGTH + 1))) {
            assertThat(catchThrowableOfType(InvalidSelectorException.class, () -> Selector.compile(text)))
                    .isNotNull();
        }
    }

    @Test
    @Timeout(60)
    void shouldNotBeSlowedDownByAPattern() throws Exception {
        Message message = message(Map.of("text", "a".repeat(20_000)));
        Selector selector = Objects.requireNonNull(Selector.compile("text LIKE '" + "%a".repeat(50) + "%b'"));

        assertThat(selector.matches(message)).isFalse();
    }

    @Test
    void shouldKnowWhatAMessageMustHave() throws Exception {
        assertThat(equality("JMSCorrelationID = 'x1'")).isEqualTo(new Equality("JMSCorrelationID", "x1"));
        assertThat(equality("size > 5 AND 'x1' = id AND hot")).isEqualTo(new Equality("id", "x1"));
        assertThat(equality("id = 'x' OR id = 'y'")).isNull();
        assertThat(equality("id <> 'x'")).isNull();
        assertThat(equality("id = 5")).isNull();
        assertThat(equality("NOT id = 'x'")).isNull();
    }

    private static @Nullable Equality equality(String text) throws InvalidSelectorException {
        return Objects.requireNonNull(Selector.compile(text)).equality();
    }

    @Test
    void shouldTakeBlankTextForEverything() throws Exception {
        assertThat(Selector.compile("  ")).isNull();
    }

    private static boolean matches(String text) throws InvalidSelectorException {
        return Objects.requireNonNull(Selector.compile(text)).matches(MESSAGE);
    }

    private static Message message(Map<String, Object> properties) {
        return new Message(
                TopicName.of("q"),
                QualityOfService.AT_LEAST_ONCE,
                false,
                new byte[0],
                new Mapped(new HashMap<>(properties)),
                Message.NEVER,
                "me");
    }

    private record Mapped(Map<String, Object> values) implements MessageProperties {
        @Override
        public @Nullable Object property(String name) {
            Object own = values.get(name);
            return own == null ? MessageProperties.NONE.property(name) : own;
        }

        @Override
        public boolean isEmpty() {
            return false;
        }

        @Override
        public boolean isPayloadText() {
            return false;
        }

        @Override
        public @Nullable String contentType() {
            return null;
        }

        @Override
        public @Nullable String responseTopic() {
            return null;
        }

        @Override
        public byte @Nullable [] correlationData() {
            return null;
        }

        @Override
        public List<UserProperty> userProperties() {
            return List.of();
        }

        @Override
        public int format() {
            return 0;
        }

        @Override
        public byte[] encoded() {
            return new byte[0];
        }

        @Override
        public int sizeBytes() {
            return 0;
        }
    }
}
