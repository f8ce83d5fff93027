package dev.avocet.bench.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.mqtt.engine.Brokers;
import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunResult;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who presses Ctrl-C gets the report of what was until then. */
@InTurn
final class InterruptedRunTest {
    @TempDir
    Path folder;

    @Test
    void shouldReportTheRunAndBeginNoOther() throws IOException {
        // given the first of three runs of an hour each
        List<RunResult> runs = interrupted("--repeat=3");

        // then it is the only one, and whole
        assertThat(runs).hasSize(1);
        assertThat(runs.get(0).tally().sent()).isPositive();
        assertThat(runs.get(0).tally().corrupt()).isZero();
    }

    @Test
    void shouldReportASearchThatIsNotDone() throws IOException {
        assertThat(interrupted("--find-max")).hasSize(1);
    }

    private List<RunResult> interrupted(String more) throws IOException {
        Path json = folder.resolve("r.json");
        Path html = folder.resolve("r.html");
        try (TestBroker broker = Brokers.start()) {
            List<String> arguments = new ArrayList<>(List.of(
                    "run",
                    "--target=localhost:" + broker.port(),
                    "--producers=1",
                    "--consumers=1",
                    "--rate=100",
                    "--warm-up=0",
                    "--duration=3600",
                    "--interval=0.1",
                    "--json=" + json,
                    "--html=" + html));
            arguments.add(more);
            try (AgentProcess process = AgentProcess.start(arguments)) {
                process.awaitLine(" measure ");
                process.interrupt();
                process.awaitEnd();
            }
        }
        assertThat(html).content().endsWith("</html>\n");
        return ResultFile.readAll(json);
    }
}
