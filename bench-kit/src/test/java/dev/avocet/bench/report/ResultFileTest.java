package dev.avocet.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.latency.Percentile;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.Pause;
import dev.avocet.bench.run.Verdict;
import dev.avocet.bench.run.Verdict.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFileTest {
    private static final LatencySummary LATENCY =
            new LatencySummary(10, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000, 11_000);
    private static final Snapshot SNAPSHOT = new Snapshot("measure", 1.5, 10, 100, 99.5, 3, LATENCY);

    @TempDir
    Path folder;

    @Test
    void shouldReadWhatItWrote() throws IOException {
        ResultFile.write(result(), folder.resolve("a.json"));

        assertThat(ResultFile.read(folder.resolve("a.json"))).isEqualTo(result());
    }

    @Test
    void shouldWriteARowPerSnapshot() throws IOException {
        Path file = folder.resolve("a.csv");
        try (SnapshotCsv csv = new SnapshotCsv(file)) {
            csv.add(SNAPSHOT);
        }

        assertThat(Files.readAllLines(file))
                .containsExactly(
                        SnapshotCsv.HEADER, "measure,1.500,10,100.0,99.5,3,10,1.0,2.0,4.0,6.0,7.0,8.0,9.0,11.0");
    }

    @Test
    void shouldShowTheVerdictWithItsReasons() {
        StringWriter text = new StringWriter();

        new TerminalReport(new PrintWriter(text)).result(result());

        assertThat(text.toString())
                .contains("FAILED  FANIN", "  - lost: 1 of 100", "1 lost, 0 doubled", "message              10");
    }

    static RunResult result() {
        return result(Map.of());
    }

    static RunResult result(Map<String, Map<String, Long>> counts) {
        return new RunResult(
                "mqttbench",
                "FANIN",
                "2026-01-01T00:00:00Z",
                new Verdict(Outcome.FAILED, List.of("lost: 1 of 100")),
                Map.of("rate", "100"),
                10,
                100,
                100,
                99.9,
                5,
                10,
                new Tally(100, 100, 99, 0, 0, 0),
                Map.of("message", LATENCY),
                List.of(new Percentile(50, 4_000)),
                List.of(SNAPSHOT),
                new HarnessLoad(
                        0.5, 0.7, 2_000_000, 3_000_000, List.of(new Pause(Pause.COLLECTOR, "G1New", 0.7, 2_000_000))),
                Map.of("kernel", "Linux"),
                counts,
                List.of());
    }
}
