package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.avocet.dist.Administered;
import dev.avocet.dist.Distribution;
import dev.avocet.dist.Footprint;
import dev.avocet.dist.Launched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Consoles that are open for an hour, or {@code -Davocet.console.soak.minutes}, while clients come and go and messages
 * flow: two dashboards, which are drawn again each second, and the page that is an MQTT client. Neither the browser nor
 * the broker holds more in the last quarter than in the second one. {@code target/console-soak.csv} has every sample.
 * ConsoleCostTest looks at a page in the same way for some seconds.
 */
class ConsoleSoakTest {
    private static final int MINUTES = Integer.getInteger("avocet.console.soak.minutes", 60);
    private static final int SAMPLES = 60;
    private static final int WARM_SAMPLES = SAMPLES / 4;
    private static final long INTERVAL_MS = MINUTES * 60_000L / SAMPLES;
    private static final Path SEEN = Path.of("target", "console-soak.csv");

    private static final Map<String, String> AS_SHIPPED =
            Map.of("JAVA_HOME", System.getProperty("java.home"), "BROKER_HEAP", "256m", "JAVA_OPTS", "");

    /** How much more of each may be there; a page alone is drawn a thousand times meanwhile. */
    private static final Map<String, Long> MOST_MORE = Map.of(
            "Nodes", 100L,
            "JSEventListeners", 20L,
            "Documents", 1L,
            "JSHeapUsedSize", 1_000_000L,
            "broker heap", 2_000_000L,
            "broker threads", 2L,
            "broker files", 4L);

    @Test
    @Tag("soak")
    void shouldHoldNoMoreAtTheEndOfAnHour(@TempDir Path data) throws Exception {
        try (ConsoleBrowser browser = ConsoleBrowser.start();
                Administered broker = Administered.start(data, AS_SHIPPED);
                Launched load = load(broker)) {
            // given
            assertThat(load.awaitLineWith(" measure ")).isNotEmpty();
            Map<String, Page> pages = new LinkedHashMap<>();
            pages.put("hour", dashboard(browser, broker));
            pages.put("day", dashboard(browser, broker));
            button(pages.get("day"), "Last day").click();
            pages.put("client", client(browser, broker));
            assertThat(tile(pages.get("hour"), "Connections")).containsText("5 sessions");

            // when
            List<Map<String, Long>> samples = new ArrayList<>();
            for (int i = 0; i < SAMPLES; i++) {
                pages.get("hour").waitForTimeout((double) INTERVAL_MS);
                samples.add(sample(pages, broker.process().pid()));
                write(samples);
            }

            // then: they are all alive yet
            button(pages.get("client"), "Disconnect").click();
            assertThat(tile(pages.get("hour"), "Connections")).containsText("4 sessions");
            assertThat(tile(pages.get("day"), "Connections")).containsText("4 sessions");
            assertThat(browser.complaints()).isEmpty();

            // and
            List<String> grown = new ArrayList<>();
            for (String what : samples.get(0).keySet()) {
                long had = median(samples.subList(WARM_SAMPLES, SAMPLES / 2), what);
                long has = median(samples.subList(SAMPLES - WARM_SAMPLES, SAMPLES), what);
                System.out.printf(Locale.ROOT, "%s: %,d, and %,d at the end of %d minutes%n", what, had, has, MINUTES);
                if (has - had > MOST_MORE.get(what.substring(what.indexOf(':') + 1))) {
                    grown.add(what + " from " + had + " to " + has);
                }
            }
            assertThat(grown).isEmpty();
        }
    }

    private static Map<String, Long> sample(Map<String, Page> pages, long pid) throws IOException {
        Map<String, Long> sample = new LinkedHashMap<>();
        for (Map.Entry<String, Page> page : pages.entrySet()) {
            Map<String, Long> metrics = Footprint.ofPage(page.getValue());
            for (String name : List.of("Nodes", "JSEventListeners", "Documents", "JSHeapUsedSize")) {
                sample.put(page.getKey() + ":" + name, metrics.get(name));
            }
        }
        sample.put("broker heap", Footprint.liveBytes(pid));
        sample.put("broker threads", Footprint.threads(pid));
        sample.put("broker files", Footprint.openFiles(pid));
        return sample;
    }

    private static void write(List<Map<String, Long>> samples) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("minute," + String.join(",", samples.get(0).keySet()));
        for (int i = 0; i < samples.size(); i++) {
            lines.add(String.format(Locale.ROOT, "%.1f,", (i + 1) * INTERVAL_MS / 60_000.0)
                    + String.join(
                            ",",
                            samples.get(i).values().stream()
                                    .map(String::valueOf)
                                    .toList()));
        }
        Files.createDirectories(SEEN.getParent());
        Files.write(SEEN, lines);
    }

    private static long median(List<Map<String, Long>> samples, String what) {
        List<Long> sorted =
                samples.stream().map(sample -> sample.get(what)).sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    private static Page dashboard(ConsoleBrowser browser, Administered broker) {
        Page page = browser.open(broker.url(), 1280, 860);
        assertThat(page.locator(".plot canvas")).hasCount(4);
        return page;
    }

    private static Page client(ConsoleBrowser browser, Administered broker) {
        Page page = browser.open(broker.url() + "/#/try", 1280, 860);
        button(page, "Connect").click();
        assertThat(page.getByText("Connected as console-")).isVisible();
        page.getByLabel("Topic filter", new Page.GetByLabelOptions().setExact(true))
                .fill("#");
        button(page, "Subscribe").click();
        assertThat(page.getByLabel("Subscriptions of this page")).containsText("#");
        return page;
    }

    private static Launched load(Administered broker) throws IOException {
        return Distribution.launchMqttBench(
                AS_SHIPPED,
                "run",
                "--target",
                "127.0.0.1:" + broker.process().port(),
                "--producers",
                "2",
                "--consumers",
                "2",
                "--rate",
                "50",
                "--duration",
                String.valueOf(MINUTES * 90 + 120));
    }

    private static Locator tile(Page page, String title) {
        return page.locator(".tile").filter(new Locator.FilterOptions().setHasText(title));
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }
}
