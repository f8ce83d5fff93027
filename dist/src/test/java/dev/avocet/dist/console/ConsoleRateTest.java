package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.avocet.dist.Administered;
import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * By how much three open dashboards lower the rate of a broker that forwards as much at QoS 0 as it can. One warm
 * broker is under load all the time, and spans without and with dashboards take turns, so that what else the machine
 * does strikes both alike. The dashboards are what a real page has asked for, asked again by this test: what a browser
 * takes to draw is no cost of the broker. {@code -Davocet.console.rate.pairs=100} measures more pairs than 40, of spans
 * of five seconds.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class ConsoleRateTest {
    private static final int PAIRS = Integer.getInteger("avocet.console.rate.pairs", 40);
    private static final int DASHBOARDS = 3;
    private static final double LEAST_SHARE = 0.99;
    private static final long SPAN_NS = TimeUnit.SECONDS.toNanos(5);
    /** Until a stream that was closed has had its last event. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1_200);

    private static final long WARM_NS = TimeUnit.SECONDS.toNanos(20);
    private static final double OBSERVED_MS = 11_000;
    private static final long ASKS_EVERY_S = 5;
    private static final Pattern WRITTEN = Pattern.compile("\"MsgWrite\" ?: ?(\\d+)");

    private static final Map<String, String> AS_SHIPPED =
            Map.of("JAVA_HOME", System.getProperty("java.home"), "BROKER_HEAP", "256m", "JAVA_OPTS", "");

    private final HttpClient client = HttpClient.newHttpClient();
    private String url;

    @Test
    @Tag("nightly")
    void shouldLowerTheRateByLessThanAHundredth(@TempDir Path data) throws Exception {
        try (Administered broker = Administered.start(data, AS_SHIPPED)) {
            // given
            url = broker.url();
            List<String> polled = whatADashboardAsksAgain();
            try (Launched load = load(broker)) {
                assertThat(load.awaitLineWith(" measure ")).isNotEmpty();
                LockSupport.parkNanos(WARM_NS);

                // when
                List<Double> shares = new ArrayList<>();
                for (int i = 0; i < PAIRS; i++) {
                    boolean isFirst = i % 2 == 0;
                    double one = rate(isFirst ? List.of() : polled);
                    double other = rate(isFirst ? polled : List.of());
                    shares.add(isFirst ? other / one : one / other);
                }

                // then: it is not shown, with 95 % of certainty, that they take more
                Collections.sort(shares);
                int rank = (int) Math.floor((PAIRS - 1.96 * Math.sqrt(PAIRS)) / 2);
                double upper = shares.get(Math.min(PAIRS - 1, PAIRS - 1 - rank));
                System.out.printf(
                        Locale.ROOT,
                        "with %d dashboards the rate is %.4f of that without: median of %d pairs,"
                                + " between %.4f and %.4f with 95 %% of certainty, quartiles %.4f and %.4f%n",
                        DASHBOARDS,
                        shares.get(PAIRS / 2),
                        PAIRS,
                        shares.get(Math.max(0, rank)),
                        upper,
                        shares.get(PAIRS / 4),
                        shares.get(PAIRS * 3 / 4));
                assertThat(upper).isGreaterThan(LEAST_SHARE);
            }
        }
    }

    /** Messages that the broker has sent a second, with dashboards that poll these addresses or without any. */
    private double rate(List<String> polled) throws Exception {
        try (Dashboards open = polled.isEmpty() ? null : new Dashboards(polled)) {
            LockSupport.parkNanos(PAUSE_NS);
            long eventsBefore = open == null ? 0 : open.events();
            long begunNs = System.nanoTime();
            long before = written();
            while (System.nanoTime() - begunNs < SPAN_NS) {
                LockSupport.parkNanos(SPAN_NS - (System.nanoTime() - begunNs));
            }
            long elapsedNs = System.nanoTime() - begunNs;
            long after = written();
            if (open != null) {
                assertThat(open.events() - eventsBefore).as("bytes of events").isPositive();
            }
            return (after - before) * 1e9 / elapsedNs;
        }
    }

    private long written() throws IOException, InterruptedException {
        Matcher told = WRITTEN.matcher(client.send(get("/api/v1/monitor/Server"), BodyHandlers.ofString())
                .body());
        assertThat(told.find()).isTrue();
        return Long.parseLong(told.group(1));
    }

    private HttpRequest get(String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .header("X-Avocet-Console", "background")
                .build();
    }

    /** What an open page has asked for more than once while it was looked at, but for the stream of events. */
    private List<String> whatADashboardAsksAgain() {
        ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
        try (ConsoleBrowser browser = ConsoleBrowser.start()) {
            Page page = browser.prepare(url, 1280, 860);
            page.onRequest(request -> asked.add(request.url().substring(url.length())));
            page.navigate(url);
            assertThat(page.locator(".plot canvas")).hasCount(4);
            page.waitForTimeout(OBSERVED_MS);
        }
        List<String> again = asked.stream()
                .filter(path -> path.startsWith("/api/v1/monitor/") && Collections.frequency(asked, path) > 1)
                .distinct()
                .toList();
        assertThat(asked).contains("/api/v1/service/live");
        assertThat(again).isNotEmpty();
        return again;
    }

    private static Launched load(Administered broker) throws IOException {
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
                "max",
                "--duration",
                String.valueOf(120 + PAIRS * 15));
    }

    /** Streams of events that are read, and what each page asks for every five seconds, at times of its own. */
    private final class Dashboards implements AutoCloseable {
        private final AtomicLong read = new AtomicLong();
        private final List<InputStream> streams = new ArrayList<>();
        private final List<Thread> readers = new ArrayList<>();
        private final List<Future<?>> polls = new ArrayList<>();
        private final Queue<Future<?>> answers = new ConcurrentLinkedQueue<>();
        private final ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor();

        Dashboards(List<String> polled) throws IOException, InterruptedException {
            HttpRequest live = HttpRequest.newBuilder(URI.create(url + "/api/v1/service/live"))
                    .headers("X-Avocet-Console", "background", "Accept", "text/event-stream")
                    .build();
            for (int i = 0; i < DASHBOARDS; i++) {
                HttpResponse<InputStream> answer = client.send(live, BodyHandlers.ofInputStream());
                assertThat(answer.statusCode()).isEqualTo(200);
                streams.add(answer.body());
                Thread reader = new Thread(() -> readOn(answer.body()), "dashboard " + i);
                reader.setDaemon(true);
                reader.start();
                readers.add(reader);
                polls.add(poller.scheduleAtFixedRate(
                        () -> polled.forEach(this::ask),
                        i * ASKS_EVERY_S * 1_000 / DASHBOARDS,
                        ASKS_EVERY_S * 1_000,
                        TimeUnit.MILLISECONDS));
            }
        }

        /** The next is asked for before this is answered, as a page does. */
        private void ask(String path) {
            answers.add(client.sendAsync(get(path), BodyHandlers.discarding()));
        }

        long events() {
            return read.get();
        }

        private void readOn(InputStream stream) {
            byte[] part = new byte[8192];
            try {
                for (int count = stream.read(part); count >= 0; count = stream.read(part)) {
                    read.addAndGet(count);
                }
            } catch (IOException e) {
                // closed below
            }
        }

        @Override
        public void close() throws IOException {
            poller.shutdownNow();
            polls.forEach(poll -> poll.cancel(true));
            for (InputStream stream : streams) {
                stream.close();
            }
            for (Thread reader : readers) {
                reader.interrupt();
            }
        }
    }
}
