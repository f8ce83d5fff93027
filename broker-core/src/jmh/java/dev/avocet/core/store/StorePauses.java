package dev.avocet.core.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures for how long the store holds up the message path when a segment is begun or dropped and when a checkpoint is
 * taken.
 *
 * <p>{@code scripts/bench broker-core main=dev.avocet.core.store.StorePauses [journal=chronicle|file] [segmentMiB=16]
 * [rate=50000] [bytes=256] [seconds=30] [checkpointSeconds=1] [checkpointSegments=4] [sessions=20000]
 * [references=50]}; rate 0 is full speed. Works below {@code bench.directory} or else the directory for temporary
 * files, which must be on the disk that is to be measured.
 */
public final class StorePauses {
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private StorePauses() {}

    public static void main(String[] arguments) throws IOException {
        Map<String, String> given = new HashMap<>();
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            given.put(parts[0], parts[1]);
        }
        Path parent = Path.of(System.getProperty("bench.directory", System.getProperty("java.io.tmpdir")));
        List<String> journals =
                given.containsKey("journal") ? List.of(given.get("journal")) : List.of("chronicle", "file");
        for (String journal : journals) {
            Path directory = Files.createTempDirectory(parent, "store-pauses");
            try {
                measure(settings(given, journal.equals("chronicle")), number(given, "seconds", 30), directory);
            } finally {
                delete(directory);
            }
        }
    }

    private static PauseSettings settings(Map<String, String> given, boolean chronicle) {
        return new PauseSettings(
                chronicle,
                number(given, "segmentMiB", 16) << 20,
                number(given, "rate", 50_000),
                number(given, "bytes", 256),
                number(given, "sessions", 20_000),
                number(given, "references", 50),
                PauseSettings.every(
                        Duration.ofSeconds(number(given, "checkpointSeconds", 1)),
                        number(given, "checkpointSegments", 4)));
    }

    private static void measure(PauseSettings settings, int seconds, Path directory) throws IOException {
        try (PauseRun run = new PauseRun(settings, directory)) {
            run.prepare();
            PauseReport report = run.run(WARM_UP, Duration.ofSeconds(seconds));
            System.out.println(run.summary());
            System.out.println(report);
        }
    }

    private static int number(Map<String, String> given, String name, int usual) {
        return Integer.parseInt(given.getOrDefault(name, Integer.toString(usual)));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
