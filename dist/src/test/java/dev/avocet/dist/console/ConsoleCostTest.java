package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.avocet.dist.Administered;
import dev.avocet.dist.Distribution;
import dev.avocet.dist.Footprint;
import dev.avocet.dist.Launched;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What three open dashboards take of a broker that forwards as much at QoS 0 as it can: less than a hundredth of the
 * machine's processors, which is what they can lower its rate by, and less than 20 MB of memory. Rates themselves are
 * no measure on a machine that does other things too, so the threads that serve the console are asked what they took.
 * And a page that is open holds no more after a while than at first.
 */
@InTurn
@Timeout(240)
class ConsoleCostTest {
    private static final int DASHBOARDS = 3;
    private static final double MOST_SHARE = 0.01;
    private static final long MOST_BYTES = 20_000_000;
    /** Long enough for three times all that a dashboard asks for. */
    private static final long MEASURED_MS = 15_000;
    /** The least of so many counts: at first the code is cold, and other processes have the processors' caches. */
    private static final int MOST_SPANS = 4;

    /** A page is drawn again each second; what grows with that grows beyond these soon. */
    private static final long MOST_MORE_NODES = 100;

    private static final long MOST_MORE_LISTENERS = 20;
    private static final long MOST_MORE_IN_BROWSER = 1_000_000;

    /** With the flags that are shipped, as the quick compiler's code is not what serves. */
    private static final Map<String, String> AS_SHIPPED =
            Map.of("JAVA_HOME", System.getProperty("java.home"), "BROKER_HEAP", "256m", "JAVA_OPTS", "");

    @Test
    @Tag("nightly")
    void shouldTakeLittleOfABrokerAtFullLoad(@TempDir Path data) throws Exception {
        shouldTakeLittle(data, "max");
    }

    /** What a dashboard takes does not depend on the load, and both processors for half a minute are dear. */
    @Test
    void shouldTakeLittleOfABusyBroker(@TempDir Path data) throws Exception {
        shouldTakeLittle(data, "5000");
    }

    private static void shouldTakeLittle(Path data, String messagesPerSecond) throws Exception {
        try (ConsoleBrowser browser = ConsoleBrowser.start();
                Administered broker = Administered.start(data, AS_SHIPPED)) {
            // given
            long pid = broker.process().pid();
            long before = Footprint.liveBytes(pid);

            try (Launched load = load(broker, messagesPerSecond)) {
                assertThat(load.awaitLineWith(" measure ")).isNotEmpty();

                // when
                List<Page> pages = new ArrayList<>();
                for (int i = 0; i < DASHBOARDS; i++) {
                    Page page = browser.open(broker.url(), 1280, 860);
                    assertThat(tile(page, "Connections")).containsText("6 sessions");
                    assertThat(page.locator(".plot canvas")).hasCount(4);
                    pages.add(page);
                }
                Map<String, Long> had = Footprint.ofPage(pages.get(0));
                double share = Double.MAX_VALUE;
                for (int span = 0; span < MOST_SPANS && share >= MOST_SHARE; span++) {
                    share = Math.min(share, share(pid, pages.get(0)));
                }
                Map<String, Long> left = Footprint.ofPage(pages.get(0));

                // then
                assertThat(share).isBetween(Double.MIN_VALUE, MOST_SHARE);
                System.out.printf(
                        Locale.ROOT,
                        "the page grew by %d nodes, %d listeners and %,d bytes%n",
                        left.get("Nodes") - had.get("Nodes"),
                        left.get("JSEventListeners") - had.get("JSEventListeners"),
                        left.get("JSHeapUsedSize") - had.get("JSHeapUsedSize"));
                assertThat(left.get("Nodes")).isLessThan(had.get("Nodes") + MOST_MORE_NODES);
                assertThat(left.get("JSEventListeners")).isLessThan(had.get("JSEventListeners") + MOST_MORE_LISTENERS);
                assertThat(left.get("JSHeapUsedSize")).isLessThan(had.get("JSHeapUsedSize") + MOST_MORE_IN_BROWSER);
            }

            // and
            long more = Footprint.liveBytes(pid) - before;
            System.out.printf(
                    Locale.ROOT, "%d dashboards and the load added %,d bytes that are alive%n", DASHBOARDS, more);
            assertThat(more).isLessThan(MOST_BYTES);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Of all processors, for as long as is measured. */
    private static double share(long pid, Page page) throws IOException {
        long begunNs = System.nanoTime();
        Map<String, Long> begun = taken(pid);
        page.waitForTimeout(MEASURED_MS);
        Map<String, Long> taken = taken(pid);
        double elapsedNs = System.nanoTime() - begunNs;
        begun.forEach((name, ns) -> taken.merge(name, -ns, Long::sum));
        long console = taken.getOrDefault("console", 0L) + taken.getOrDefault("admin", 0L);
        double share = console / elapsedNs / Runtime.getRuntime().availableProcessors();
        System.out.printf(
                Locale.ROOT,
                "%d dashboards took %.1f ms of processor time a second, %.2f %% of all; the broker %.0f ms: %s%n",
                DASHBOARDS,
                console / elapsedNs * 1000,
                share * 100,
                taken.values().stream().mapToLong(Long::longValue).sum() / elapsedNs * 1000,
                taken);
        return share;
    }

    private static Locator tile(Page page, String title) {
        return page.locator(".tile").filter(new Locator.FilterOptions().setHasText(title));
    }

    private static Launched load(Administered broker, String messagesPerSecond) throws IOException {
        return Distribution.launchMqttBench(
                AS_SHIPPED,
                "run",
                "--target",
                "127.0.0.1:" + broker.process().port(),
                "--producers",
                "4",
                "--consumers",
                "2",
                "--rate",
                messagesPerSecond,
                "--duration",
                "120");
    }

    /** What the threads have taken of the processors, in ns, by what their names begin with. */
    private static Map<String, Long> taken(long pid) throws IOException {
        Map<String, Long> taken = new HashMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
            for (Path thread : threads.toList()) {
                String times = read(thread.resolve("schedstat"));
                if (!times.isEmpty()) {
                    String name = read(thread.resolve("comm"))
                            .replaceFirst("(?s)[-#0-9 ].*", "")
                            .strip();
                    taken.merge(name, Long.parseLong(times.substring(0, times.indexOf(' '))), Long::sum);
                }
            }
        }
        return taken;
    }

    /** Empty for a thread that has just ended. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
