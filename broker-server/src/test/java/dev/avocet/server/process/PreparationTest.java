package dev.avocet.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Has a launcher that only pretends prepare the next start. */
final class PreparationTest {
    @TempDir
    private Path home;

    @Test
    void shouldWantNothingWhereTheLauncherDoes() {
        assertThat(Preparation.of(home, Map.<String, String>of()::get)).isNull();
    }

    @Test
    void shouldHaveTheLauncherMakeAnArchiveForThisCollector() throws IOException {
        launcher("echo \"$*\" >\"$0.ran\"; echo 'broker: one line'; echo 'broker: prepared: /a'");

        assertThat(run("avocet.prepare", "large")).isEqualTo("The next start is quicker: broker: prepared: /a");
        assertThat(home.resolve("bin/broker.ran")).hasContent("prepare --gc large");
    }

    @Test
    void shouldSayWhyThereIsNone() throws IOException {
        launcher("echo 'broker: no room' >&2; exit 2");
        assertThat(run("avocet.prepare", "default")).isEqualTo("The next start is no quicker: broker: no room");

        Files.delete(home.resolve("bin/broker"));
        assertThat(run("avocet.prepare", "default")).startsWith("The next start is no quicker: ");
    }

    @Test
    void shouldTellOfAnArchiveThatIsThereOnlyWhenItIsMadeAnew() throws IOException {
        launcher("echo 'broker: nothing to prepare: /a'");
        assertThat(run("avocet.archive", "default")).isEmpty();

        launcher("echo 'broker: prepared: /b'");
        assertThat(run("avocet.archive", "default")).isEqualTo("The next start is quicker: broker: prepared: /b");
    }

    private String run(String property, String value) {
        return Objects.requireNonNull(Preparation.of(home, Map.of(property, value)::get))
                .run();
    }

    private void launcher(String script) throws IOException {
        Path file = Files.createDirectories(home.resolve("bin")).resolve("broker");
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
