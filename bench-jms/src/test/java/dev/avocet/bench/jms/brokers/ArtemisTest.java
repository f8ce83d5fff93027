package dev.avocet.bench.jms.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.jms.command.JmsBench;
import dev.avocet.testkit.turn.InTurn;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody else's client and broker, with the options alone: nothing of the harness knows them. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ArtemisTest {
    private EmbeddedArtemis artemis;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        artemis = new EmbeddedArtemis(directory);
    }

    @AfterAll
    void stop() throws Exception {
        artemis.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--name=a --producers=2 --consumers=4 --destinations=2",
                "--name=b --persistent --producer-commit=10 --consumer-commit=10",
                "--name=c --async-sends=20 --persistent --acknowledge=client --acknowledge-every=7",
                "--name=d --kind=topic --producers=2 --consumers=3",
                "--name=e --kind=shared --durable --consumers=3 --anonymous",
                "--name=f --requesters=3 --responders=2 --queue-pairs=2",
                "--name=g --requesters=2 --reply-to=temporary-queue --request-commit --persistent",
            })
    void shouldDriveAForeignClient(String options) {
        // given
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--factory=org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory",
                "--target=" + artemis.url(),
                "--property=consumerWindowSize=65536",
                "--max-own-pause-ms=0",
                "--messages=200",
                "--rate=max",
                "--size=100-3000"));
        arguments.addAll(List.of(options.split(" ", -1)));

        // when
        StringWriter out = new StringWriter();
        int exitCode = JmsBench.execute(
                new PrintWriter(out, true), new PrintWriter(out, true), arguments.toArray(String[]::new));

        // then
        assertThat(out.toString())
                .contains("PASSED  options")
                .contains(" 0 lost, 0 doubled, 0 out of order, 0 corrupt");
        assertThat(exitCode).isZero();
    }
}
