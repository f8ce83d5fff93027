package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a page holds in the browser, and what a process of the broker holds, after a collection of everything. */
public final class Footprint {
    private Footprint() {}

    /** By the names that Chromium has for it: Nodes, JSEventListeners, JSHeapUsedSize and others. */
    public static Map<String, Long> ofPage(Page page) {
        CDPSession session = page.context().newCDPSession(page);
        session.send("HeapProfiler.collectGarbage");
        session.send("Performance.enable");
        Map<String, Long> metrics = new HashMap<>();
        session.send("Performance.getMetrics")
                .getAsJsonArray("metrics")
                .forEach(metric -> metrics.put(
                        metric.getAsJsonObject().get("name").getAsString(),
                        metric.getAsJsonObject().get("value").getAsLong()));
        session.detach();
        return metrics;
    }

    /** Of the heap of a JVM. */
    public static long liveBytes(long pid) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(jcmd.toString(), String.valueOf(pid), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String histogram = new String(process.getInputStream().readAllBytes(), UTF_8);
        String total = histogram
                .lines()
                .filter(line -> line.startsWith("Total"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(histogram));
        return Long.parseLong(total.strip().split(" +", -1)[2]);
    }

    public static long threads(long pid) throws IOException {
        return entries(pid, "task");
    }

    /** Its sockets are among them, so an answer that does not end as well. */
    public static long openFiles(long pid) throws IOException {
        return entries(pid, "fd");
    }

    private static long entries(long pid, String folder) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc", String.valueOf(pid), folder))) {
            return entries.count();
        }
    }
}
