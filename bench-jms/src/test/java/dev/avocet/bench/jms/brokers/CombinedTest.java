package dev.avocet.bench.jms.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.connection.AmqpConnections;
import dev.avocet.amqp.frontend.AmqpFrontEnd;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.amqp.peer.ContainerIds;
import dev.avocet.bench.jms.command.JmsBench;
import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunResult;
import dev.avocet.core.security.admission.AnonymousAdmission;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.connection.MqttConnections;
import dev.avocet.mqtt.frontend.MqttFrontEnd;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workloads whose producers speak MQTT and whose consumers are JMS clients, from one command. */
@InTurn
final class CombinedTest {
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    private static TestBroker broker() {
        return TestBroker.with(core -> new AmqpFrontEnd(new AmqpConnections(
                        core,
                        AmqpOptions.DEFAULT,
                        new AnonymousAdmission(new AnonymousAuthenticator()),
                        new ContainerIds())))
                .and(core ->
                        new MqttFrontEnd(new MqttConnections(core, MqttOptions.DEFAULT, new AnonymousAuthenticator())))
                .start();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FANIN.Q0.JMS.SINGLE",
                "FANIN.Q0.JMS.PARTITIONS",
                "FANIN.Q0.JMS.SHARED",
                "FANIN.Q1.PERSISTENT.JMS.PARTITIONS",
                "FANIN.Q1.HA.PERSISTENT.JMS.SHARED",
                "FANIN.Q2.PERSISTENT.JMS.SHARED"
            })
    void shouldAccountForMessagesFromOneProtocolToTheOther(String name) throws IOException {
        // given
        try (TestBroker broker = broker()) {
            Path json = folder.resolve("result.json");

            // when
            run(
                    name,
                    "--scale=0.2",
                    "--target=127.0.0.1:" + broker.port(),
                    "--rate=2000",
                    "--warm-up=0",
                    "--duration=0.25",
                    "--min-rate-percent=0",
                    "--max-busy-percent=100000",
                    "--max-own-pause-ms=0",
                    "--json",
                    json.toString());

            // then
            RunResult result = ResultFile.read(json);
            long sent = result.tally().sent();
            assertThat(sent).as("%s", out).isPositive();
            assertThat(result.tally().expected()).isEqualTo(sent);
            assertThat(result.tally().received()).isEqualTo(sent);
            assertThat(result.tally().corrupt()).isZero();
            assertThat(result.tally().outOfOrder()).isZero();
            assertThat(result.latencies().get("message").samples()).isEqualTo(sent);
            assertThat(result.name()).isEqualTo(name);
            assertThat(result.tool()).isEqualTo("mqttbench and jmsbench");
            assertThat(result.connections()).isEqualTo(20 + (name.contains("SINGLE") ? 1 : 10));
        }
    }

    @Test
    void shouldRunAFileOfTheUser() throws IOException {
        // given
        Path own = Files.writeString(folder.resolve("greenhouse.yaml"), """
                what: Two sensors and an application that listens to both.
                origin: our greenhouse
                tools: [mqttbench, jmsbench]
                options:
                  producers: 2
                  topic: 'greenhouse/{i}'
                  qos: 1
                  elsewhere: 'greenhouse/#'
                  rate: 100
                consumer-options:
                  kind: topic
                  consumer-name: 'greenhouse/#'
                  consumers: 1
                """);
        Path json = folder.resolve("result.json");
        try (TestBroker broker = broker()) {

            // when
            run(
                    own.toString(),
                    "--target=127.0.0.1:" + broker.port(),
                    "--warm-up=0",
                    "--duration=1",
                    "--json",
                    json.toString());
        }

        // then
        RunResult result = ResultFile.read(json);
        assertThat(result.name()).isEqualTo("greenhouse");
        assertThat(result.tally().sent()).as("%s", out).isPositive();
        assertThat(result.tally().received()).isEqualTo(result.tally().sent());
    }

    @Test
    void shouldSayThatAFileCannotBeRead() {
        assertThat(run("nowhere.yaml")).isEqualTo(2);
        assertThat(out.toString()).contains("workload file nowhere.yaml cannot be read");
    }

    @Test
    void shouldSayWhichOptionNobodyKnows() {
        assertThat(run("FANIN.Q0.JMS.SINGLE", "--colour=red")).isEqualTo(2);
        assertThat(out.toString()).contains("neither mqttbench nor jmsbench has an option --colour");
    }

    private int run(String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = "run";
        System.arraycopy(options, 0, arguments, 1, options.length);
        PrintWriter writer = new PrintWriter(out, true);
        return JmsBench.execute(writer, writer, arguments);
    }
}
