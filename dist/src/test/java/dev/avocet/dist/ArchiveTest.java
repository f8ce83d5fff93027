package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The archive of classes that bin/broker prepares, and the starts that use it. */
class ArchiveTest {
    /** As -Xlog:class+load prints it. */
    private static final Pattern LOADED = Pattern.compile("\\[.*] (\\S+) source: (.*)");

    /** As -Xlog:class+init prints it. */
    private static final Pattern INITIALISED = Pattern.compile(".* Initializing '([^']+)'.*");

    private static final Pattern READY = Pattern.compile("ready after (\\d+) ms.*");

    /** Then the administration starts beside a broker that is not ready. */
    private static final int PATIENCE_MS = 10_000;

    private static final int ATTEMPTS = 5;

    private static final boolean IS_CI = "true".equals(System.getenv("CI"));

    /** What nobody needs before the broker serves its clients. */
    private static final List<String> LATER =
            List.of("io/javalin/", "org/eclipse/jetty/", "org/bouncycastle/", "io/micrometer/prometheus", "kotlin/");

    /**
     * Java 17 loads 5,700 classes until the broker is ready; Java 25 has all 9,000 of the archive from the beginning.
     */
    private static final int CLASSES_UNTIL_READY = 10_500;

    @SuppressWarnings("NonFinalStaticField") // JUnit sets it
    @TempDir
    private static Path caches;

    private static final Map<String, Path> PREPARED = new ConcurrentHashMap<>();

    @TempDir
    private Path data;

    /** The Java that runs the tests, and others that are installed. */
    static List<String> javas() {
        Path others = Path.of("/usr/lib/jvm");
        try (Stream<Path> installed = Files.isDirectory(others) ? Files.list(others) : Stream.empty()) {
            List<String> all = Stream.concat(
                            Stream.of(System.getProperty("java.home")),
                            installed
                                    .filter(home ->
                                            home.getFileName().toString().matches("temurin-25-.*"))
                                    .map(Path::toString))
                    .distinct()
                    .toList();
            if (IS_CI) {
                assertThat(all).as("Temurin 25, in /usr/lib/jvm").anyMatch(home -> home.contains("temurin-25"));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @InTurn
    @ParameterizedTest
    @MethodSource("javas")
    void shouldBeReadyWithClassesOfTheArchiveAndNoneOfTheAdministration(String java) throws IOException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            // when
            List<String> until = linesUntilReady(environment(java, cache(java), "-Xlog:class+load,class+init"));
            if (startMs(until) < PATIENCE_MS) {
                // then
                List<Matcher> loaded = until.stream()
                        .map(LOADED::matcher)
                        .filter(Matcher::matches)
                        .toList();
                long shared = loaded.stream()
                        .filter(line -> line.group(2).startsWith("shared objects file"))
                        .count();
                assertThat(loaded).hasSizeBetween(2_000, CLASSES_UNTIL_READY);
                assertThat(shared * 100 / loaded.size()).isGreaterThan(80);
                assertThat(until.stream().map(INITIALISED::matcher).filter(Matcher::matches))
                        .extracting(line -> line.group(1))
                        .contains("dev/avocet/server/Main")
                        .noneMatch(name -> LATER.stream().anyMatch(name::startsWith));
                return;
            }
        }
        missing("this machine is too slow just now for a broker that is ready within " + PATIENCE_MS + " ms");
    }

    @InTurn
    @ParameterizedTest
    @MethodSource("javas")
    void shouldAnswerAQuestionThatComesBeforeTheAdministrationHasStarted(String java)
            throws IOException, InterruptedException {
        try (Launched broker = launch(environment(java, cache(java), ""))) {
            broker.awaitLine("ready");
            assertThat(broker.httpGet("/ready")).contains("\"ready\"");
            assertThat(broker.httpGet("/metrics")).contains("avocet_");
        }
    }

    @InTurn
    @ParameterizedTest
    @MethodSource("javas")
    void shouldStartWithoutAWordWhenTheArchiveIsDamaged(String java) throws IOException {
        for (String damage : List.of("inside", "half", "other")) {
            // given
            Path damaged =
                    Files.createDirectories(data.resolve(damage + Path.of(java).getFileName()));
            Path whole = archiveIn(cache(java));
            byte[] bytes = Files.readAllBytes(whole);
            switch (damage) {
                case "inside" -> Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 20_000, (byte) 0x5a);
                case "half" -> bytes = Arrays.copyOf(bytes, bytes.length / 2);
                default -> Arrays.fill(bytes, (byte) 0x5a);
            }
            Files.write(damaged.resolve(whole.getFileName()), bytes);

            // then
            assertThat(linesUntilReady(environment(java, damaged, "")))
                    .as(damage)
                    .allMatch(line -> line.matches("(Avocet|listening|ready|\\d{4}-).*"));
        }
    }

    @InTurn
    @ParameterizedTest
    @ValueSource(strings = {"/dev/null/no", "/proc/no"})
    void shouldStartWhereNoArchiveCanBe(String place) throws IOException {
        assertThat(linesUntilReady(environment(System.getProperty("java.home"), Path.of(place), "")))
                .allMatch(line -> line.matches("(Avocet|listening|ready|\\d{4}-).*"));
    }

    @InTurn
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-XX:-UseCompressedOops",
                "-XX:+UseSerialGC -XX:-UseG1GC",
                "-Xshare:off",
                "-XX:TieredStopAtLevel=1"
            })
    void shouldStartWithOptionsThatAnArchiveDoesNotFit(String options) throws IOException {
        String java = System.getProperty("java.home");
        assertThat(linesUntilReady(environment(java, cache(java), options)))
                .allMatch(line -> line.matches("(Avocet|listening|ready|\\d{4}-).*"));
    }

    /** Skips the test; where all are wanted it fails. */
    private static void missing(String why) {
        assertThat(IS_CI).as(why).isFalse();
        assumeTrue(false, why);
    }

    private static long startMs(List<String> lines) {
        Matcher ready = READY.matcher(lines.get(lines.size() - 1));
        assertThat(ready.matches()).isTrue();
        return Long.parseLong(ready.group(1));
    }

    private List<String> linesUntilReady(Map<String, String> environment) throws IOException {
        try (Launched broker = launch(environment)) {
            return broker.linesUntil("ready");
        }
    }

    private Launched launch(Map<String, String> environment) throws IOException {
        return Distribution.launch(
                environment,
                "--data",
                data.resolve("of broker").toString(),
                "--endpoint",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0");
    }

    private static Map<String, String> environment(String java, Path cache, String options) {
        Map<String, String> environment = new HashMap<>();
        environment.put("JAVA_HOME", java);
        environment.put("BROKER_HEAP", "64m");
        environment.put("BROKER_CACHE", cache.toString());
        environment.put("BROKER_TRAINING", "none");
        environment.put("JAVA_OPTS", options);
        return environment;
    }

    /** Prepared once for each Java. */
    private static Path cache(String java) {
        return PREPARED.computeIfAbsent(java, home -> {
            Path cache =
                    caches.resolve("of " + PREPARED.size() + " " + Path.of(home).getFileName());
            try (Launched prepare = Distribution.launch(environment(home, cache, ""), "prepare")) {
                assertThat(prepare.exitCode()).as(prepare.output()).isZero();
                assertThat(prepare.output()).contains("broker: prepared: " + archiveIn(cache));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while an archive is made", e);
            }
            return cache;
        });
    }

    /** The one file that preparing leaves. */
    private static Path archiveIn(Path cache) throws IOException {
        try (Stream<Path> files = Files.list(cache)) {
            List<Path> all = files.toList();
            assertThat(all).singleElement().asString().contains("/broker-");
            return all.get(0);
        }
    }
}
