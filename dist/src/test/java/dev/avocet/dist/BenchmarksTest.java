package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The jar with the benchmarks of all modules. */
@InTurn
class BenchmarksTest {
    private static final Path JAR = Path.of(System.getProperty("avocet.benchmarks", "not-built"));

    /** The tests run in the directory of their module. */
    private static final Path TREE = Path.of("").toAbsolutePath().getParent();

    private static final Pattern BENCHMARK =
            Pattern.compile("\n    @Benchmark\n((?:    @.*\n)*)    public [^(=]*?(\\w+)\\(", Pattern.UNIX_LINES);

    /** Methods that run beside each other are listed by the name of their group. */
    private static final Pattern GROUP = Pattern.compile("@Group\\(\"(\\w+)\"\\)");

    @Test
    void shouldListEachBenchmarkOfTheTree() throws IOException, InterruptedException {
        // given
        List<String> written = writtenBenchmarks();

        // when
        List<String> listed =
                jmh("-l").lines().filter(line -> line.startsWith("dev.avocet.")).toList();

        // then
        assertThat(written).hasSizeGreaterThan(20);
        assertThat(listed).containsExactlyInAnyOrderElementsOf(written);
    }

    @Test
    void shouldHoldEachBenchmarkThatItLists() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(writtenBenchmarks())
                    .allSatisfy(benchmark -> assertThat(jar.getEntry(generated(benchmark)))
                            .as(generated(benchmark))
                            .isNotNull());
        }
    }

    /** The class that JMH's annotation processor has made of a method of a class in a package. */
    private static String generated(String benchmark) {
        return benchmark
                        .replaceFirst("^(.*)\\.(\\w+)\\.(\\w+)$", "$1.jmh_generated.$2_$3_jmhTest")
                        .replace('.', '/') + ".class";
    }

    @Test
    void shouldRunABenchmarkWithTheFlagsOfProduction() throws IOException, InterruptedException {
        String output = jmh("PublishCodecBenchmark.decodeRecord", "-f=1", "-wi=0", "-i=1", "-r=20ms");

        assertThat(output)
                .containsPattern("# VM options: .*--add-opens=java.base/java.lang.reflect=ALL-UNNAMED")
                .containsPattern("PublishCodecBenchmark\\.decodeRecord .* ns/op")
                .doesNotContain("Exception");
    }

    private static String jmh(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        try (Launched jmh = new Launched(
                new ProcessBuilder(command).redirectErrorStream(true).start())) {
            int exitCode = jmh.exitCode();
            String output = jmh.output();
            assertThat(exitCode).as(output).isZero();
            return output;
        }
    }

    private static List<String> writtenBenchmarks() throws IOException {
        try (Stream<Path> modules = Files.list(TREE)) {
            return modules.map(module -> module.resolve("src/jmh/java"))
                    .filter(Files::isDirectory)
                    .flatMap(BenchmarksTest::benchmarksBelow)
                    .toList();
        }
    }

    private static Stream<String> benchmarksBelow(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream()
                    .flatMap(file -> benchmarks(sources, file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Stream<String> benchmarks(Path sources, Path file) {
        String name =
                sources.relativize(file).toString().replaceFirst("\\.java$", "").replace('/', '.');
        try {
            return BENCHMARK
                    .matcher(Files.readString(file))
                    .results()
                    .map(method -> name + "." + listedAs(method))
                    .distinct();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String listedAs(MatchResult method) {
        return GROUP.matcher(method.group(1))
                .results()
                .map(group -> group.group(1))
                .findFirst()
                .orElseGet(() -> method.group(2));
    }
}
