package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The curve of latencies as rows of CSV. */
public final class LatencyCsv {
    private LatencyCsv() {}

    public static void write(RunResult result, Path file) throws IOException {
        List<String> rows = Stream.concat(
                        Stream.of("percent,latency_us"),
                        result.percentiles().stream()
                                .map(point ->
                                        String.format(ROOT, "%.6f,%.1f", point.percent(), point.latencyNs() / 1e3)))
                .toList();
        Files.write(file, rows, StandardCharsets.UTF_8);
    }
}
