package dev.avocet.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.testkit.ManualClock;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RecentCommitsTest {
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final ManualClock clock = new ManualClock();
    private final RecentCommits commits = new RecentCommits(clock);
    private final Histogram latencyNs = new Histogram(3);

    @Test
    void shouldTellOfTheLastSecondsAlone() throws IOException {
        // given
        latencyNs.recordValueWithCount(9_000, 1_000);
        assertThat(written()).isEqualTo("{\"Commits\":{\"Count\":0}}");

        // when
        latencyNs.recordValueWithCount(10, 3);

        // then
        assertThat(written()).isEqualTo("{\"Commits\":{\"Count\":3,\"P50Ns\":10,\"P99Ns\":10}}");

        // when
        clock.advance(WINDOW);
        assertThat(written()).contains("\"Count\":3");
        clock.advance(WINDOW);

        // then
        assertThat(written()).isEqualTo("{\"Commits\":{\"Count\":0}}");
    }

    @Test
    void shouldBeginAnewWithAnotherStore() throws IOException {
        // given
        latencyNs.recordValueWithCount(10, 5);
        written();

        // when
        latencyNs.reset();
        latencyNs.recordValue(10);

        // then
        assertThat(written()).contains("\"Count\":0");
    }

    private String written() throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            commits.write(latencyNs, json);
            json.writeEndObject();
        }
        return text.toString();
    }
}
