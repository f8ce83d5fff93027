package dev.avocet.bench.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandLinesTest {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final StringWriter complaints = new StringWriter();
    private final CommandLines commands = new CommandLines(lines::add, new PrintWriter(complaints, true));

    @TempDir
    private Path folder;

    @Test
    void shouldPassOverLinesThatAreTooLong() throws Exception {
        Path file = folder.resolve("commands");
        Files.writeString(file, " stat \n" + "x".repeat(10_000) + "\n\nquit");

        commands.readFile(file);

        assertThat(next()).isEqualTo("stat");
        assertThat(next()).isEmpty();
        assertThat(next()).isEqualTo("quit");
        assertThat(complaints.toString()).contains("at most 256 characters");
    }

    @Test
    void shouldReadAPipeOfSeveralWriters() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        commands.readFile(pipe);

        Files.writeString(pipe, "rate=5\n");
        assertThat(next()).isEqualTo("rate=5");
        Files.writeString(pipe, "al\n");
        assertThat(next()).isEqualTo("al");
    }

    @Test
    void shouldSayThatThereIsNoFile() {
        assertThatThrownBy(() -> commands.readFile(folder.resolve("none"))).hasMessageContaining("mkfifo");
    }

    @Test
    void shouldKnowWhoIsInTheForeground() throws IOException {
        assertThat(Terminal.isInForeground("12 (a b) c) S 1 12 1 34816 12 4194304"))
                .isTrue();
        assertThat(Terminal.isInForeground("12 (a) S 1 12 1 34816 11 4194304")).isFalse();
        assertThat(Terminal.isInForeground("12 (a) S")).isFalse();
    }

    private String next() throws InterruptedException {
        String line = lines.poll(40, TimeUnit.SECONDS);
        assertThat(line).isNotNull();
        return line;
    }
}
