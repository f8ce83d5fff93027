package dev.avocet.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkloadLibraryTest {
    private final WorkloadLibrary library = new WorkloadLibrary(WorkloadLibraryTest.class, "/workloads-for-tests");

    @TempDir
    Path folder;

    @Test
    void shouldFindAWorkloadInWhateverCase() {
        Workload workload = library.find("Small.Fan");

        assertThat(library.names()).containsExactly("SMALL.FAN");
        assertThat(workload.name()).isEqualTo("SMALL.FAN");
        assertThat(workload.origin()).isEqualTo("this test");
    }

    @Test
    void shouldFindAWorkloadByItsOtherName() {
        assertThat(library.find("a.bit.of.all").name()).isEqualTo("SMALL.FAN");
    }

    @Test
    void shouldTellInAListWhatTheFileSays() {
        for (WorkloadLibrary each :
                List.of(library, new WorkloadLibrary(WorkloadLibrary.class, "/dev/avocet/bench/workloads"))) {
            for (String name : each.names()) {
                Workload workload = each.find(name);
                assertThat(each.summary(name)).isEqualTo(new WorkloadSummary(workload.what(), workload.others()));
            }
        }
    }

    @Test
    void shouldLeaveToTheParserWhatIsNotPlain() {
        assertThat(WorkloadSummary.ofPlainLines("what: \"a b.\"\nalso: [A, B-1]\n"))
                .isEqualTo(new WorkloadSummary("a b.", List.of("A", "B-1")));
        assertThat(WorkloadSummary.ofPlainLines("what: a\n  b\n")).isNull();
        assertThat(WorkloadSummary.ofPlainLines("what: >-\n  b\n")).isNull();
        assertThat(WorkloadSummary.ofPlainLines("what: \"a \\\" b\"\n")).isNull();
        assertThat(WorkloadSummary.ofPlainLines("what: a # b\n")).isNull();
        assertThat(WorkloadSummary.ofPlainLines("what: a\nalso:\n- A\n")).isNull();
        assertThat(WorkloadSummary.ofPlainLines("tools: []\n")).isNull();
    }

    @Test
    void shouldNotScaleBelowNothing() {
        for (double scale : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> WorkloadLibrary.arguments(library.find("SMALL.FAN"), scale))
                    .isInstanceOf(WorkloadException.class)
                    .hasMessageContaining("--scale is a number above 0");
        }
    }

    @Test
    void shouldScaleCountsAndRates() {
        assertThat(WorkloadLibrary.arguments(library.find("SMALL.FAN"), 0.01))
                .containsExactly("--producers=10", "--consumers=1", "--rate=0.5", "--qos=1");
    }

    @Test
    void shouldReadAFileOfTheUser() throws IOException {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, "what: mine\norigin: me\ntools: [mqttbench]\noptions: {rate: max}\nscaled: [rate]\n");

        Workload workload = library.find(file.toString());

        assertThat(workload.name()).isEqualTo("mine");
        assertThat(WorkloadLibrary.arguments(workload, 0.5)).containsExactly("--rate=max");
    }

    @Test
    void shouldSayWhatIsWrong() throws IOException {
        Path file = folder.resolve("broken.yaml");
        Files.writeString(file, "what: mine\norigin: me\ntools: []\noptions: {}\nwhence: me\n");

        assertThatThrownBy(() -> library.find("NONE")).hasMessageContaining("there is no workload NONE");
        assertThatThrownBy(() -> library.find(file.toString()))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("whence");
    }
}
