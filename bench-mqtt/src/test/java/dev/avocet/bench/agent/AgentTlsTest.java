package dev.avocet.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.bench.mqtt.engine.Brokers;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RunClock;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A controller and agents that show each other certificates. */
@InTurn
final class AgentTlsTest {
    private final TestAuthority authority = new TestAuthority("ours");
    private final TestAuthority other = new TestAuthority("theirs");
    private final AgentRuns runs = new AgentRuns();

    @TempDir
    private Path folder;

    @AfterEach
    void stopAgents() {
        runs.close();
    }

    @Test
    void shouldDoARunOfThoseWhoTrustEachOther() throws IOException {
        // given
        try (TestBroker broker = Brokers.start()) {
            runs.add(RunClock.system(), ours("agent1"), Patience.USUAL);
            runs.add(RunClock.system(), ours("agent2"), Patience.USUAL);

            // when
            RunResult result = runs.run(
                    ours("controller"),
                    AgentRuns.options(broker.port(), "--producers=3", "--consumers=2", "--partitions=2", "--rate=200"),
                    snapshot -> {});

            // then
            assertThat(result.tally().sent()).as("%s", result.verdict()).isPositive();
            assertThat(result.tally().received()).isEqualTo(result.tally().sent());
            assertThat(result.connections()).isEqualTo(5);
        }
    }

    @Test
    void shouldRefuseAControllerOfAnotherAuthority() throws IOException {
        startAgent();

        assertThatThrownBy(() -> runs.connect(0, of(other.issue("controller"), authority)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("agent machine1 cannot be reached: ");

        // which it does not even show, as the agent says whom it trusts
        awaitLog("127.0.0.1: it shows no certificate of whom --agent-trust names");
        assertServes();
    }

    @Test
    void shouldRefuseAControllerWhoseCertificateHasExpired() throws IOException {
        startAgent();

        assertThatThrownBy(() -> runs.connect(0, of(expired("controller"), authority)))
                .hasMessageStartingWith("agent machine1 cannot be reached: it refuses the certificate of this side (");

        awaitLog("127.0.0.1: its certificate is not one to trust (NotAfter: ");
        assertServes();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldRefuseAControllerWithoutACertificate(String protocol) throws IOException {
        // given
        InetSocketAddress agent = startAgent();
        SSLContext nobody = authority.clientContext(null, protocol);

        // when
        try (Socket socket = Strangers.connect(agent);
                SSLSocket secure = (SSLSocket)
                        nobody.getSocketFactory().createSocket(socket, "127.0.0.2", agent.getPort(), true)) {
            // then it is told nothing: with TLS 1.3 it hears of its refusal when it reads
            assertThatThrownBy(() -> {
                        secure.startHandshake();
                        assertThat(secure.getInputStream().read()).isNegative();
                        throw new SSLException("closed");
                    })
                    .isInstanceOf(IOException.class);
        }
        awaitLog("127.0.0.1: it shows no certificate of whom --agent-trust names");
        assertServes();
    }

    @Test
    void shouldTrustNoAgentOfAnotherAuthority() throws IOException {
        runs.add(RunClock.system(), of(other.issue("agent"), authority), Patience.USUAL);

        assertThatThrownBy(() -> runs.connect(0, ours("controller")))
                .hasMessageStartingWith("agent machine1 cannot be reached: its certificate is not one to trust"
                        + " (unable to find valid certification path");
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(runs.log())
                        .containsAnyOf(
                                "it refuses the certificate of this side",
                                "it does not trust the certificate of this side"));
    }

    @Test
    void shouldTrustNoAgentWhoseCertificateHasExpired() throws IOException {
        runs.add(RunClock.system(), of(expired("agent"), authority), Patience.USUAL);

        assertThatThrownBy(() -> runs.connect(0, ours("controller")))
                .hasMessageStartingWith(
                        "agent machine1 cannot be reached: its certificate is not one to trust (NotAfter: ");
    }

    @Test
    void shouldSayThatAnAgentDoesNotSpeakTls() throws IOException {
        runs.add(RunClock.system());

        assertThatThrownBy(() -> runs.connect(0, ours("controller")))
                .hasMessageStartingWith("agent machine1 cannot be reached: it does not speak TLS (give both sides");
        assertThat(runs.connect(0).name()).isEqualTo("machine1");
    }

    /** Each waits for the other to begin. */
    @Test
    void shouldSayThatAnAgentMayWantTls() throws IOException {
        runs.add(RunClock.system(), ours("agent"), new Patience(10_000, 300, 5_000));

        assertThatThrownBy(() -> runs.connect(0))
                .hasMessageMatching("agent machine1 cannot be reached: (nothing was heard of it for 0\\.3 s"
                        + " \\(if the other side has --agent-cert, this one needs it too\\)"
                        + "|it closed the connection)"); // as the agent does, when it gives up first
    }

    @Test
    void shouldAskForTheSecretToo() throws IOException {
        Credentials agent = of(authority.issue("agent"), authority, Secret.of("a secret of enough bytes"));
        runs.add(RunClock.system(), agent, Patience.USUAL);

        assertThatThrownBy(() -> runs.connect(0, ours("controller"))).hasMessage("agent machine1 wrong secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "\0\0\0\u0002{}", "\u0016\u0003\u0001@\u0000garbage"})
    void shouldCloseTheConnectionOfWhoeverSendsGarbage(String garbage) throws IOException {
        // given
        runs.add(RunClock.system(), ours("agent"), new Patience(1_000, 10_000, 5_000));
        InetSocketAddress agent = runs.address(0);

        // when
        try (Socket socket = Strangers.connect(agent)) {
            socket.getOutputStream().write(garbage.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();

            // then all it gets is an alert, or nothing when its time is over
            assertThat(Strangers.readToTheEnd(socket.getInputStream())).isLessThan(100);
        }
        assertServes();
    }

    @Test
    void shouldCloseTheConnectionOfWhoeverSaysNothing() throws IOException {
        runs.add(RunClock.system(), ours("agent"), new Patience(100, 10_000, 5_000));

        try (Socket socket = Strangers.connect(runs.address(0))) {
            assertThat(Strangers.readToTheEnd(socket.getInputStream())).isZero();
        }
    }

    private InetSocketAddress startAgent() throws IOException {
        return runs.add(RunClock.system(), ours("agent"), Patience.USUAL).address();
    }

    private void assertServes() {
        try (RemoteAgent agent = runs.connect(0, ours("controller"))) {
            assertThat(agent.about().environment()).containsKey("jvm");
        }
    }

    private void awaitLog(String line) {
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(runs.log()).contains(line));
    }

    private Credentials ours(String name) {
        return of(authority.issue(name), authority);
    }

    /** The authority is two days old. */
    private Issued expired(String name) {
        Instant yesterday = authority.certificate().getNotBefore().toInstant().plus(Duration.ofDays(1));
        return authority.issue(name, yesterday);
    }

    private Credentials of(Issued own, TestAuthority trusted) {
        return of(own, trusted, Secret.none());
    }

    private Credentials of(Issued own, TestAuthority trusted, Secret secret) {
        return Credentials.withTls(
                secret,
                own.writeCertificate(folder.resolve("cert.pem")).toFile(),
                own.writeKey(folder.resolve("key.pem")).toFile(),
                trusted.writeTo(folder.resolve("trust.pem")).toFile());
    }
}
