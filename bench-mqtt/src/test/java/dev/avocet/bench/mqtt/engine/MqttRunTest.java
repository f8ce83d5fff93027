package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.mqtt.engine.plan.DeadTargetException;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MqttRunTest {
    private TestBroker broker;

    @BeforeAll
    void start() {
        broker = Brokers.start();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({"3,0", "3,1", "4,0", "4,1", "4,2", "5,0", "5,1", "5,2"})
    void shouldAccountForEveryMessage(int version, int qos) {
        Plans run = new Plans(broker.port());
        run.version = version;
        run.qos = qos;

        RunResult result = run.run();

        assertPassed(result, 1);
        assertThat(result.latencies()).containsKeys("message", "connect");
        assertThat(result.latencies().containsKey("acknowledge")).isEqualTo(qos > 0);
        assertThat(result.connections()).isEqualTo(6);
    }

    @Test
    void shouldSendAsFastAsTheWindowLets() {
        Plans run = new Plans(broker.port());
        run.qos = 1;
        run.schedule = RateSchedule.unpaced();
        run.window = 50;
        run.batch = 8;

        RunResult result = run.run();

        assertPassed(result, 1);
        assertThat(result.snapshots())
                .allSatisfy(snapshot -> assertThat(snapshot.underWay()).isLessThan(50 + 2 * 8));
    }

    @Test
    void shouldExpectACopyForEachSubscriber() {
        Plans run = new Plans(broker.port());
        run.topic = "broadcast";
        run.filter = "broadcast";
        run.consumers = 5;

        assertPassed(run.run(), 5);
    }

    @Test
    void shouldExpectOneCopyForThoseWhoShare() {
        Plans run = new Plans(broker.port());
        run.topic = "shared/{i}/{t}";
        run.topicsPerProducer = 3;
        run.filter = "$share/group/shared/#";
        run.consumers = 3;
        run.qos = 1;

        assertPassed(run.run(), 1);
    }

    @Test
    void shouldLeaveNothingBehindInPersistentSessions() {
        Plans run = new Plans(broker.port());
        run.isPersistent = true;
        run.qos = 1;

        assertPassed(run.run(), 1);
        assertPassed(run.run(), 1);
    }

    @Test
    void shouldSpeakWebSocket() {
        Plans run = new Plans(broker.port());
        run.webSocketPath = "/mqtt";
        run.schedule = RateSchedule.fixed(100);
        run.qos = 1;

        assertPassed(run.run(), 1);
    }

    @Test
    void shouldSendLargeMessages() {
        Plans run = new Plans(broker.port());
        run.maxSizeBytes = 300_000;
        run.schedule = RateSchedule.fixed(30);
        run.qos = 2;

        assertPassed(run.run(), 1);
    }

    @Test
    void shouldCountConnectionsWhenThatIsAll() {
        Plans run = new Plans(broker.port());
        run.producers = 0;
        run.consumers = 0;
        run.idle = 200;
        run.measureMs = 1;

        RunResult result = run.run();

        assertThat(result.verdict().outcome()).isEqualTo(Outcome.PASSED);
        assertThat(result.connections()).isEqualTo(200);
        assertThat(result.latencies().get("connect").samples()).isEqualTo(200);
        assertThat(result.intendedPerSecond()).isZero();
    }

    @Test
    void shouldEndAtOnceWhereNoServerListens() throws IOException {
        Plans plans = new Plans(FreePort.next());

        assertThatThrownBy(plans::run)
                .isInstanceOf(DeadTargetException.class)
                .hasMessageContaining("Connection refused")
                .hasMessageContaining("--target names another");
    }

    @Test
    void shouldGiveUpAServerThatDropsTheFirstConnections() throws IOException {
        // given a server that accepts nothing, and whose queue is full
        InetAddress here = InetAddress.getLoopbackAddress();
        List<Socket> waiting = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 1, here)) {
            while (connects(silent, waiting)) {
                assertThat(waiting).hasSizeLessThan(100);
            }
            Plans plans = new Plans(silent.getLocalPort());

            // then
            assertThatThrownBy(plans::run)
                    .isInstanceOf(DeadTargetException.class)
                    .hasMessageContaining("timed out after 1000 ms");
        } finally {
            for (Socket each : waiting) {
                each.close();
            }
        }
    }

    private static boolean connects(ServerSocket server, List<Socket> sockets) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        try {
            socket.connect(server.getLocalSocketAddress(), 300);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static void assertPassed(RunResult result, int copies) {
        Tally tally = result.tally();
        assertThat(result.verdict().outcome()).as("%s", result.verdict()).isEqualTo(Outcome.PASSED);
        assertThat(tally.sent()).isPositive();
        assertThat(tally).isEqualTo(new Tally(tally.sent(), tally.sent() * copies, tally.sent() * copies, 0, 0, 0));
    }
}
