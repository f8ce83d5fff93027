package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.bench.mqtt.engine.plan.DeadTargetException;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Stormers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Storms;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The two nodes of a pair are one server: clients go to the one that takes connections. */
final class PairTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGoToTheNodeThatTakesConnections(boolean activeFirst) throws IOException {
        try (TestBroker active = Brokers.start()) {
            // given: the port of the standby is closed
            Plans run = new Plans(active.port());
            run.ports = activeFirst ? List.of(active.port(), closedPort()) : List.of(closedPort(), active.port());
            run.qos = 1;

            // when
            RunResult result = run.run();

            // then
            assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
            assertThat(result.connections()).isEqualTo(run.producers + run.consumers);
            assertThat(result.tally().lost()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"20020003, 4", "20 03 00 9c 00, 5", "20 09 00 9c 06 1c0003 61 3a 31, 5"})
    void shouldPassByAStandbyThatSendsItsClientsOn(String connack, int version) throws IOException {
        try (TestBroker active = Brokers.start();
                ServerSocket standby = new ServerSocket(0)) {
            // given
            answerAll(standby, HexFormat.of().parseHex(connack.replace(" ", "")));
            Plans run = new Plans(active.port());
            run.ports = List.of(standby.getLocalPort(), active.port());
            run.version = version;
            run.qos = 1;

            // when
            RunResult result = run.run();

            // then
            assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
            assertThat(result.connections()).isEqualTo(run.producers + run.consumers);
            assertThat(result.tally().lost()).isZero();
        }
    }

    @Test
    void shouldComeBackToTheNodeThatTakesConnections() throws IOException {
        try (TestBroker active = Brokers.start()) {
            // given
            Plans run = new Plans(active.port());
            run.ports = List.of(closedPort(), active.port());
            run.qos = 1;
            run.isPersistent = true;
            run.storms = new Storms(TimeUnit.MILLISECONDS.toNanos(100), Stormers.CONSUMERS, 1, false, 0, 0);

            // when
            RunResult result = run.run();

            // then
            assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
            assertThat(result.counts().get("storms").get("returned")).isPositive();
            assertThat(result.tally().lost()).isZero();
        }
    }

    @Test
    void shouldSayThatNeitherNodeTakesConnections() throws IOException {
        Plans run = new Plans(0);
        run.ports = List.of(closedPort(), closedPort());

        assertThatThrownBy(run::run).isInstanceOf(DeadTargetException.class).hasMessageContaining("Connection refused");
    }

    /** Gives everyone who comes the same answer, and ends the connection. */
    private static void answerAll(ServerSocket server, byte[] answer) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    try (Socket socket = server.accept()) {
                        int unused = socket.getInputStream().read();
                        socket.getOutputStream().write(answer);
                        socket.shutdownOutput();
                        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                    }
                }
            } catch (IOException e) {
                // the server is closed
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static int closedPort() throws IOException {
        try (ServerSocket gone = new ServerSocket(0)) {
            return gone.getLocalPort();
        }
    }
}
