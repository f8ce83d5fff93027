package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.InstalledPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scan of the libraries for known vulnerabilities, and each night the libraries that are shipped. */
@Timeout(240)
class DependencyScanTest {
    private static final Path SCAN = Path.of("..", "scripts", "scan-dependencies.py");
    private static final int VULNERABLE = 1;
    private static final int DID_NOT_RUN = 3;

    @TempDir
    private Path folder;

    private record Outcome(int exitCode, String output) {}

    @BeforeEach
    void requirePython() {
        InstalledPrograms.onPath("python3");
    }

    @Test
    void shouldFindWhatACopyOfTheDatabaseKnows() throws Exception {
        // given
        jar("listed", "1.2");
        jar("ranged", "2.0.0.Final");
        jar("mended", "2.1");
        jar("early", "3.0-rc1");
        Path database = folder.resolve("all.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(database))) {
            put(zip, "A.json", report("GHSA-1", "listed", "\"versions\": [\"1.1\", \"1.2\"]", ""));
            String until =
                    "\"ranges\": [{\"type\": \"ECOSYSTEM\", \"events\": [{\"introduced\": \"1.9\"}, {\"fixed\": \"%s\"}]}]";
            put(zip, "B.json", report("GHSA-2", "ranged", until.formatted("2.0.1"), ""));
            put(zip, "C.json", report("GHSA-3", "mended", until.formatted("2.1.0"), ""));
            put(zip, "D.json", report("GHSA-4", "early", until.formatted("3.0"), ""));
            put(zip, "E.json", report("GHSA-5", "listed", "\"versions\": [\"1.2\"]", ", \"withdrawn\": \"2024\""));
        }

        // when
        Outcome found = scan(Map.of(), "--database", database.toString());

        // then
        assertThat(found.exitCode()).as(found.output()).isEqualTo(VULNERABLE);
        assertThat(found.output())
                .contains(
                        "VULNERABLE: org.example:listed 1.2: https://osv.dev/vulnerability/GHSA-1",
                        "org.example:ranged 2.0.0.Final: https://osv.dev/vulnerability/GHSA-2",
                        "org.example:early 3.0-rc1: https://osv.dev/vulnerability/GHSA-4",
                        "4 libraries, 3 known vulnerabilities")
                .doesNotContain("GHSA-3", "GHSA-5");

        // when
        Path accepted = Files.writeString(
                folder.resolve("accepted.txt"), "# why\nGHSA-1 not called\nGHSA-2 not called\nGHSA-4 not called\n");
        Outcome harmless = scan(Map.of(), "--database", database.toString(), "--accept", accepted.toString());

        // then
        assertThat(harmless.exitCode()).as(harmless.output()).isZero();
        assertThat(harmless.output()).contains("accepted: org.example:listed 1.2: GHSA-1: not called");
    }

    @Test
    void shouldSayThatItDidNotRunWithoutADatabase() throws Exception {
        jar("listed", "1.2");
        Outcome unreachable = scan(Map.of("OSV_SERVER", "http://127.0.0.1:" + FreePort.next()));
        assertThat(unreachable.exitCode()).as(unreachable.output()).isEqualTo(DID_NOT_RUN);
        assertThat(unreachable.output()).contains("the scan did not run: the OSV database cannot be had");
        assertThat(scan(Map.of(), "--database", folder.resolve("none.zip").toString())
                        .exitCode())
                .isEqualTo(DID_NOT_RUN);
    }

    @Test
    @Tag("nightly")
    void shouldKnowOfNoVulnerabilityInWhatIsShipped() throws Exception {
        Outcome outcome = run(Map.of(), List.of("--lib", Distribution.HOME.toString()));
        assumeThat(outcome.exitCode()).as(outcome.output()).isNotEqualTo(DID_NOT_RUN);
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    }

    private Outcome scan(Map<String, String> environment, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--lib", folder.toString()));
        arguments.addAll(List.of(more));
        return run(environment, arguments);
    }

    private static Outcome run(Map<String, String> environment, List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(InstalledPrograms.onPath("python3"), SCAN.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    private void jar(String artifact, String version) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(folder.resolve(artifact + ".jar")))) {
            put(
                    zip,
                    "META-INF/maven/org.example/" + artifact + "/pom.properties",
                    "#made\ngroupId=org.example\nartifactId=" + artifact + "\nversion=" + version + "\n");
        }
    }

    private static String report(String id, String artifact, String affected, String more) {
        return "{\"id\": \"" + id + "\"" + more
                + ", \"affected\": [{\"package\": {\"ecosystem\": \"Maven\", \"name\": \"org.example:" + artifact
                + "\"}, "
                + affected + "}]}";
    }

    private static void put(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content.getBytes(UTF_8));
        zip.closeEntry();
    }
}
