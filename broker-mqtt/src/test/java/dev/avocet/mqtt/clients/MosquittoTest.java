package dev.avocet.mqtt.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.testkit.FaultyNetwork;
import dev.avocet.testkit.InstalledPrograms;
import dev.avocet.testkit.TestBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command-line clients mosquitto_pub and mosquitto_sub, which do one thing each and end. */
class MosquittoTest {
    private static final int PATIENCE_SECONDS = 40;

    private final List<Process> processes = new ArrayList<>();
    private TestBroker broker;

    @BeforeEach
    void startBroker() {
        broker = MqttTestBroker.start();
    }

    @AfterEach
    void closeEverything() {
        processes.forEach(Process::destroyForcibly);
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({"mqttv31,0", "mqttv31,2", "mqttv311,0", "mqttv311,1", "mqttv311,2", "mqttv5,0", "mqttv5,1", "mqttv5,2"})
    void shouldDeliver(String version, int qos) {
        Process subscriber = subscribe(version, "-t", "a/#", "-q", "" + qos, "-C", "2", "-F", "%t %q %p");

        publish(version, "-t", "a/b", "-q", "" + qos, "-m", "one");
        publish(version, "-t", "a/c", "-q", "" + qos, "-m", "two");

        assertThat(output(subscriber)).containsExactly("a/b " + qos + " one", "a/c " + qos + " two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mqttv311", "mqttv5"})
    void shouldGetRetainedMessages(String version) {
        publish(version, "-t", "state", "-q", "1", "-r", "-m", "kept");

        Process subscriber = start("mosquitto_sub", broker.port(), version, "-t", "state", "-C", "1", "-F", "%r %p");

        assertThat(output(subscriber)).containsExactly("1 kept");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mqttv311", "mqttv5"})
    void shouldPublishTheWillOfAClientThatIsCutOff(String version) {
        Process watcher = subscribe(version, "-t", "will", "-C", "1", "-q", "1");
        try (FaultyNetwork network = FaultyNetwork.to(broker.port())) {
            start(
                    "mosquitto_sub",
                    network.port(),
                    version,
                    "-t",
                    "x",
                    "--will-topic",
                    "will",
                    "--will-payload",
                    "gone");
            broker.awaitCount(Counter.SUBSCRIPTIONS, 2);

            network.cut();

            assertThat(output(watcher)).containsExactly("gone");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mqttv311", "mqttv5"})
    void shouldGetWhatCameWhileItWasAway(String version) {
        String[] subscription = {"-c", "-i", "traveller", "-t", "news", "-q", "1"};
        assertThat(end(start("mosquitto_sub", broker.port(), version, with(subscription, "-E"))))
                .isZero();
        publish(version, "-t", "news", "-q", "1", "-m", "missed");

        Process again = start("mosquitto_sub", broker.port(), version, with(subscription, "-C", "1"));

        assertThat(output(again)).containsExactly("missed");
    }

    @Test
    void shouldShareASubscription() {
        Process one = subscribe("mqttv5", "-t", "$share/workers/jobs", "-q", "1", "-C", "10");
        Process other = subscribe("mqttv5", "-t", "$share/workers/jobs", "-q", "1", "-C", "10");

        for (int i = 0; i < 20; i++) {
            publish("mqttv5", "-t", "jobs", "-q", "1", "-m", "job-" + i);
        }

        List<String> all = new ArrayList<>(output(one));
        all.addAll(output(other));
        assertThat(all).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void shouldPassPropertiesOn() {
        Process subscriber = subscribe("mqttv5", "-t", "t", "-C", "1", "-F", "%P %R %D %p");

        publish(
                "mqttv5",
                "-t",
                "t",
                "-m",
                "x",
                "-D",
                "publish",
                "user-property",
                "colour",
                "green",
                "-D",
                "publish",
                "response-topic",
                "answers",
                "-D",
                "publish",
                "correlation-data",
                "c-42");

        assertThat(output(subscriber)).containsExactly("colour:green answers c-42 x");
    }

    /** Starts a subscriber and waits until the broker knows its subscription. */
    private Process subscribe(String version, String... arguments) {
        long before = broker.count(Counter.SUBSCRIPTIONS);
        Process subscriber = start("mosquitto_sub", broker.port(), version, arguments);
        broker.awaitCount(Counter.SUBSCRIPTIONS, before + 1);
        return subscriber;
    }

    private void publish(String version, String... arguments) {
        assertThat(end(start("mosquitto_pub", broker.port(), version, arguments)))
                .isZero();
    }

    private Process start(String program, int port, String version, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(InstalledPrograms.onPath(program), "-h", "127.0.0.1", "-p", "" + port, "-V", version));
        command.addAll(Arrays.asList(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end of a process and returns its lines. */
    private static List<String> output(Process process) {
        assertThat(end(process)).isZero();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            return lines.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int end(Process process) {
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("the end of " + process)
                    .isTrue();
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String[] with(String[] arguments, String... more) {
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return all;
    }
}
