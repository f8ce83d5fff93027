package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.monitor.DashboardFigure;
import dev.avocet.server.monitor.FigureAdvice;
import dev.avocet.server.monitor.table.Monitored;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/figures.md, and what the console says beside a figure, are what the monitor says. */
class FiguresPageTest {
    private static final Path PAGE = Path.of("..", "docs", "figures.md");
    private static final Set<String> FIGURES = Set.of("integer", "number");
    private static final String HEAD = """
            # Figures

            What the figures of the dashboard, of `GET /api/v1/monitor/OBJECT` and of `broker-admin stat OBJECT` mean, when to worry, and what to do then. The
            [console](console.md) says the same behind the `?` beside a figure. The [metrics](operations.md#metrics) have figures of the whole broker.

            This page is generated: `mvn -B -Dquick -pl broker-server -am test -Dtest=FiguresPageTest -Davocet.writeDocs=true
            -Dsurefire.failIfNoSpecifiedTests=false`.
            """;

    private static final String TABLE = "| figure | what it means | worry when | then |\n| --- | --- | --- | --- |\n";
    private static final Pattern ABOUT = Pattern.compile("about=\"([A-Za-z]+)\"");

    @TempDir
    private Path data;

    private RestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = RestBroker.start(data, "{}");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldBeWhatTheMonitorSays() throws Exception {
        // given
        String rendered = HEAD
                + dashboard()
                + broker.broker().monitor().types().stream()
                        .filter(type -> type.columns().stream().anyMatch(column -> FIGURES.contains(column.type())))
                        .map(FiguresPageTest::section)
                        .collect(Collectors.joining());
        if (Boolean.getBoolean("avocet.writeDocs")) {
            Files.writeString(PAGE, rendered, UTF_8);
        }

        // then
        assertThat(Files.readString(PAGE, UTF_8)).isEqualTo(rendered);
    }

    @Test
    void shouldBeInTheDescriptionOfTheApi() throws Exception {
        // when
        Map<?, ?> paths =
                (Map<?, ?>) RestBroker.json(broker.get("/api/v1/openapi.json")).get("paths");

        // then
        assertThat(paths.get("/monitor/Queue"))
                .asString()
                .contains(
                        "description=Messages that wait or are in flight., x-worry=It grows all the time., x-remedy=");
    }

    @Test
    void shouldTellTheConsoleWhatTheFiguresOfItsDashboardMean() throws Exception {
        // when
        Map<?, ?> figures =
                (Map<?, ?>) RestBroker.json(broker.get("/api/v1/openapi.json")).get("x-dashboard");
        String page = new String(
                getClass()
                        .getResourceAsStream("/dev/avocet/server/console/js/dashboard.js")
                        .readAllBytes(),
                UTF_8);

        // then
        assertThat(ABOUT.matcher(page).results().map(result -> result.group(1)).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        figures.keySet().stream().map(Object::toString).toList());
        assertThat(figures.get("lost")).asString().contains("x-worry=Rejected or discarded messages go up");
    }

    private static String dashboard() {
        return "\n## The dashboard\n\nWhat the first page of the console shows.\n\n" + TABLE
                + DashboardFigure.all().stream()
                        .map(figure -> "| " + figure.title() + " | " + figure.meaning() + " | "
                                + figure.advice().worry() + " | "
                                + figure.advice().remedy() + " |\n")
                        .collect(Collectors.joining());
    }

    private static String section(Monitored type) {
        return "\n## " + type.name() + "\n\n" + type.summary() + "\n\n" + TABLE
                + type.columns().stream()
                        .filter(column -> FIGURES.contains(column.type()))
                        .map(column -> "| `" + column.name() + "` | " + column.description() + " | "
                                + FigureAdvice.of(column.name())
                                        .map(advice -> advice.worry() + " | " + advice.remedy())
                                        .orElse(" | ")
                                + " |\n")
                        .collect(Collectors.joining());
    }
}
