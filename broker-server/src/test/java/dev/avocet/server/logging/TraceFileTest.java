package dev.avocet.server.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.time.SystemClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
    private static final String LINE = "x".repeat(1_000);

    @TempDir
    private Path folder;

    private Path directory;
    private TraceFile file;

    @BeforeEach
    void open() {
        directory = folder.resolve("trace");
        file = new TraceFile(directory, new SystemClock());
    }

    @AfterEach
    void close() {
        file.close();
    }

    @Test
    void shouldWriteLinesWithTheirTimeAndThread() throws Exception {
        // when
        file.write("something");
        file.flush();

        // then
        assertThat(lines("trace.log"))
                .singleElement()
                .asString()
                .matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z "
                        + Thread.currentThread().getName() + " something");
    }

    @Test
    void shouldMakeNoFileBeforeThereIsALine() throws Exception {
        file.flush();

        assertThat(directory).doesNotExist();
    }

    @Test
    void shouldKeepAFewFullFilesCompressed() throws Exception {
        // given
        file.limits(new TraceFile.Limits(2_500, 2));

        // when
        for (int i = 0; i < 9; i++) {
            file.write(i + LINE);
        }
        file.flush();

        // then: two lines a file
        assertThat(names()).containsExactly("trace-1.log.gz", "trace-2.log.gz", "trace.log");
        assertThat(lines("trace.log")).singleElement().asString().contains(" 8x");
        assertThat(unpacked("trace-1.log.gz")).contains(" 6x", " 7x");
        assertThat(unpacked("trace-2.log.gz")).contains(" 4x", " 5x");
    }

    @Test
    void shouldKeepFewerWhenItIsToldSo() throws Exception {
        // given
        file.limits(new TraceFile.Limits(1_500, 5));
        for (int i = 0; i < 6; i++) {
            file.write(i + LINE);
        }
        file.flush();
        assertThat(names()).hasSize(6);

        // when
        file.limits(new TraceFile.Limits(1_500, 1));
        file.write(6 + LINE);
        file.flush();

        // then
        assertThat(names()).containsExactly("trace-1.log.gz", "trace.log");
        assertThat(unpacked("trace-1.log.gz")).contains(" 5x");
    }

    @Test
    void shouldKeepNone() throws Exception {
        file.limits(new TraceFile.Limits(1_500, 0));

        file.write(0 + LINE);
        file.write(1 + LINE);
        file.flush();

        assertThat(names()).containsExactly("trace.log");
        assertThat(lines("trace.log")).singleElement().asString().contains(" 1x");
    }

    @Test
    void shouldSayHowManyLinesAreMissing() throws Exception {
        // when
        for (int i = 0; i < 1_000_000; i++) {
            file.write("quick");
        }
        file.flush();
        file.write("slow");
        file.flush();

        // then
        List<String> lines = lines("trace.log");
        long written = lines.stream().filter(line -> line.endsWith(" quick")).count();
        long missing = lines.stream()
                .filter(line -> line.contains("lines are missing here"))
                .mapToLong(line -> Long.parseLong(line.split(" ", -1)[2]))
                .sum();
        assertThat(written + missing).isEqualTo(1_000_000);
    }

    @Test
    void shouldGoOnWhereAnEarlierLifeStopped() throws Exception {
        file.write("before");
        file.close();

        file = new TraceFile(directory, new SystemClock());
        file.write("after");
        file.flush();

        assertThat(lines("trace.log")).hasSize(2);
    }

    @Test
    void shouldGoOnWhenTheDiskWorksAgain() throws Exception {
        // given
        Files.writeString(directory, "in the way");
        file.write("lost");
        file.flush();

        // when
        Files.delete(directory);
        file.write("kept");
        file.flush();

        // then
        assertThat(lines("trace.log")).singleElement().asString().endsWith("kept");
        assertThatThrownBy(() -> lines("trace-1.log.gz")).isInstanceOf(IOException.class);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(directory.resolve(name));
    }

    private String unpacked(String name) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(directory.resolve(name)))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
