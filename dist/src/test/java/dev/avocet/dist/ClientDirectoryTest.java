package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application outside of the tree, built and run with nothing but what client/ of the distribution holds; prints
 * nothing else.
 */
@InTurn
class ClientDirectoryTest {
    private static final Path CLIENT = Distribution.HOME.resolve("client");
    private static final int LONGEST_RUN_SECONDS = 60;

    @TempDir
    private Path folder;

    @Test
    void shouldHoldAllThatAnApplicationOfEitherEditionNeeds() throws IOException, InterruptedException {
        // given
        String example = Files.readString(CLIENT.resolve("Hello.java"));

        try (Launched broker = Distribution.launch(
                Distribution.SHORT_LIVED,
                "--data",
                folder.resolve("data").toString(),
                "--endpoint",
                "127.0.0.1:0",
                "--admin",
                "off")) {
            broker.awaitLine("ready");

            // then
            String url = "avocet://localhost:" + broker.port();
            assertThat(run("new", CLIENT, example, url)).isEqualTo("hello\n");
            assertThat(run("old", CLIENT.resolve("javax"), example.replace("jakarta.jms", "javax.jms"), url))
                    .isEqualTo("hello\n");
        }
    }

    @Test
    void shouldHoldOneEditionOnlyOnEachClassPath() throws IOException {
        assertThat(jars(CLIENT)).noneMatch(name -> name.contains("javax"));
        assertThat(jars(CLIENT.resolve("javax")))
                .doesNotHaveDuplicates()
                .noneMatch(name -> name.startsWith("jakarta.jms-api-3")
                        || name.startsWith("broker-jms-client") && !name.contains("javax"));
        assertThat(jars(Distribution.HOME.resolve("lib")))
                .noneMatch(name -> name.startsWith("jakarta.jms-api") || name.startsWith("broker-jms-client"));
    }

    /** Compiles it and has it send and receive; returns what it printed. */
    private String run(String name, Path libraries, String source, String url)
            throws IOException, InterruptedException {
        Path application = Files.createDirectory(folder.resolve(name));
        Files.writeString(application.resolve("Hello.java"), source);
        String classPath = libraries + "/*:" + application;
        assertThat(command(
                        "javac",
                        "-Werror",
                        "-cp",
                        classPath,
                        "-d",
                        application.toString(),
                        application + "/Hello.java"))
                .isEmpty();
        return command("java", "-cp", classPath + ":" + CLIENT.resolve("logging") + "/*", "Hello", url, name);
    }

    private String command(String program, String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", program)
                                .toString()),
                        Arrays.stream(arguments))
                .toList());
        Process process = builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(LONGEST_RUN_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String printed = Files.readString(output, UTF_8);
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    private static List<String> jars(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar"))
                    .toList();
        }
    }
}
