package dev.avocet.dist;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import dev.avocet.dist.console.Axe;
import dev.avocet.dist.console.ConsoleBrowser;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pages that the packaged mqttbench writes of its results, in a browser and out of a file. */
@InTurn
@Timeout(240)
class ResultPageTest {
    private static final Map<String, String> THIS_JAVA = Distribution.shortLived("64m");
    private static final int WIDE = 1280;
    private static final int PHONE = 390;
    private static final Pattern A_TIME = Pattern.compile("[0-9.]+ (µs|ms|s)");

    private static Path folder;
    private static ConsoleBrowser browser;
    private static Axe axe;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException, InterruptedException {
        folder = data;
        browser = ConsoleBrowser.start();
        axe = new Axe();
        try (Launched broker = Distribution.launch(
                Distribution.SHORT_LIVED,
                "--data",
                folder.resolve("data").toString(),
                "--endpoint",
                "127.0.0.1:0",
                "--admin",
                "off",
                "--store",
                "os")) {
            broker.awaitLine("ready");
            run(broker.port(), "a", "50");
            run(broker.port(), "b", "100");
        }
        bench(
                "compare",
                folder.resolve("a.json").toString(),
                folder.resolve("b.json").toString(),
                "--html",
                folder.resolve("compared.html").toString());
    }

    private static void run(int port, String name, String rate) throws IOException, InterruptedException {
        bench(
                "run",
                "--target",
                "127.0.0.1:" + port,
                "--producers",
                "2",
                "--consumers",
                "1",
                "--qos",
                "1",
                "--rate",
                rate,
                "--duration",
                "3",
                "--max-own-pause-ms",
                "0",
                "--json",
                folder.resolve(name + ".json").toString(),
                "--html",
                folder.resolve(name + ".html").toString());
    }

    private static void bench(String... arguments) throws IOException, InterruptedException {
        try (Launched bench = Distribution.launchMqttBench(THIS_JAVA, arguments)) {
            assertThat(bench.exitCode()).as(bench.output()).isZero();
        }
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void requireThatItComplainsOfNothingAndAsksForNothing() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldShowAtOneGlanceWhatWasAskedAndWhatCame() {
        // when
        Page page = browser.openFile(folder.resolve("a.html"), WIDE, 900);

        // then
        assertThat(page.locator("h1")).containsText("PASSED");
        assertThat(page.locator("h1")).isInViewport();
        Locator asked = page.getByLabel("What was asked, and what came").locator("tr");
        assertThat(asked.nth(1)).containsText("50/s, 99 % of it at least");
        assertThat(asked.nth(1)).containsText("yes");
        assertThat(asked.nth(1)).isInViewport();
        assertThat(page.getByLabel("Latency by kind and percentile")
                        .locator("tbody tr")
                        .first())
                .containsText("Message");
    }

    @Test
    void shouldShowTheValuesWhereAPlotIsPointedAt() {
        // given
        Page page = browser.openFile(folder.resolve("a.html"), WIDE, 900);
        Locator plot = page.locator(".plot").filter(new Locator.FilterOptions().setHasText("Latency over time"));
        assertThat(plot.locator("canvas")).hasCount(1);
        assertThat(plot.locator(".u-value").nth(1)).hasText("–");

        // when
        plot.locator(".u-over").hover();

        // then
        assertThat(plot.locator(".u-value").nth(1)).hasText(A_TIME);
        assertThat(plot.locator(".u-value").nth(2)).hasText(A_TIME);
    }

    @Test
    void shouldShowAPartOfTheTimeThatIsDraggedOverAndAllAfterADoubleClick() {
        // given
        Page page = browser.openFile(folder.resolve("a.html"), WIDE, 900);
        Locator plot = page.locator(".plot").filter(new Locator.FilterOptions().setHasText("Messages per second"));
        plot.scrollIntoViewIfNeeded();
        BoundingBox over = plot.locator(".u-over").boundingBox();
        byte[] all = plot.locator("canvas").screenshot();

        // when
        page.mouse().move(over.x + over.width / 3, over.y + over.height / 2);
        page.mouse().down();
        page.mouse().move(over.x + over.width / 2, over.y + over.height / 2);
        page.mouse().up();
        page.mouse().move(5, 5);

        // then
        page.waitForCondition(() -> !Arrays.equals(plot.locator("canvas").screenshot(), all));

        // when
        plot.locator(".u-over").dblclick();
        page.mouse().move(5, 5);

        // then
        page.waitForCondition(() -> Arrays.equals(plot.locator("canvas").screenshot(), all));
    }

    @Test
    void shouldShowFirstWhatDiffersBetweenTwo() {
        // when
        Page page = browser.openFile(folder.resolve("compared.html"), WIDE, 900);

        // then
        Locator differing = page.getByLabel("What differs").locator("tbody tr");
        assertThat(differing.first()).containsText("Sent per second");
        assertThat(differing.first()).containsText(Pattern.compile("(1\\.9|2\\.0)[0-9]"));
        assertThat(differing.first()).isInViewport();
        assertThat(page.getByLabel("What was asked differently, or elsewhere")).containsText("--rate");
        assertThat(page.getByLabel("What was asked differently, or elsewhere"))
                .not()
                .containsText("--json");
    }

    @Test
    void shouldBeReadableOnAPhoneAndInTheDark() {
        for (String name : new String[] {"a.html", "compared.html"}) {
            Page page = browser.openFile(folder.resolve(name), WIDE, 900);
            for (ColorScheme scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
                page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
                for (int width : new int[] {WIDE, PHONE}) {
                    page.setViewportSize(width, 844);

                    assertThat(page.evaluate("document.documentElement.scrollWidth"))
                            .as(name + " at " + width)
                            .isEqualTo(width);
                    assertThat(axe.seriousFindings(page))
                            .as(name + " at " + width + " " + scheme)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void shouldChangeItsTheme() {
        // given
        Page page = browser.openFile(folder.resolve("a.html"), WIDE, 900);
        Object light = background(page);

        // when: to light, and to dark
        page.locator("#theme").click();
        assertThat(background(page)).isEqualTo(light);
        page.locator("#theme").click();

        // then
        assertThat(background(page)).isNotEqualTo(light);
        assertThat(page.locator("#theme")).hasText("Theme: dark");
    }

    private static Object background(Page page) {
        return page.evaluate("getComputedStyle(document.body).backgroundColor");
    }
}
