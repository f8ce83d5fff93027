package dev.avocet.ha.coordination.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.avocet.core.time.SystemClock;
import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.GroupNames;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.PairSecret;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A group whose members know a secret, and others who would like to change its register. */
@InTurn
final class GroupTlsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final String ARBITER = "arbiter";
    private static final Register FIRST = Register.NONE.foundedBy("a", "store");

    @TempDir
    private Path disk;

    private final Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    private final List<GroupMember> members = new ArrayList<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void startGroup() throws Exception {
        log.start();
        ((Logger) LoggerFactory.getLogger(GroupDoor.class)).addAppender(log);
        for (String member : List.of("a", "b", ARBITER)) {
            addresses.put(member, new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next()));
        }
        for (String member : addresses.keySet()) {
            members.add(GroupMember.start(settings("pair", member, "of all"), member, disk.resolve(member)));
        }
        try (GroupCoordinator coordinator = GroupCoordinator.of(members.get(0))) {
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(write(coordinator, Register.NONE, FIRST))
                            .isEqualTo(new CasResult.Written(FIRST)));
        }
    }

    @AfterEach
    void stopGroup() throws Exception {
        ((Logger) LoggerFactory.getLogger(GroupDoor.class)).detachAppender(log);
        for (GroupMember member : members) {
            member.close();
        }
    }

    @Test
    void shouldLetNobodyChangeTheRegisterWhoDoesNotKnowTheSecret() throws Exception {
        // when a process without TLS asks, and one with another secret does
        assertThatThrownBy(() -> writeAs("pair", null));
        assertThatThrownBy(() -> writeAs("pair", "guessed"));

        // then both are told of, and nothing has changed
        awaitLine("does not speak TLS, and this node does: give all members the same secret file");
        awaitLine("does not take this node for a member of group pair (");
        assertThat(members).allSatisfy(member -> assertThat(member.known()).isEqualTo(FIRST));
    }

    @Test
    void shouldEndConnectionsOfStrangersAndSayWhy() throws Exception {
        assertThat(closesAfter("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .isTrue();
        awaitLine("it has sent bytes that no member sends");
        assertThat(closesAfter(new byte[] {22, 3, 3})).isTrue(); // and then nothing
        awaitLine("it has not proved itself within 5000 ms");
    }

    private CasResult writeAs(String group, @Nullable String secret) throws Exception {
        // a member's client needs a member, which here listens elsewhere
        Map<String, InetSocketAddress> elsewhere = new LinkedHashMap<>(addresses);
        elsewhere.put("b", new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next()));
        GroupSettings settings =
                new GroupSettings(group, elsewhere, ARBITER, TIMEOUT, secret == null ? null : tls(group, "b", secret));
        try (GroupMember stranger = GroupMember.start(settings, "b", disk.resolve("stranger" + secret));
                GroupCoordinator coordinator = GroupCoordinator.of(stranger)) {
            return write(coordinator, FIRST, FIRST.with("b"));
        }
    }

    private static CasResult write(GroupCoordinator coordinator, Register expected, Register next) throws Exception {
        return coordinator
                .compareAndSet(expected, next)
                .toCompletableFuture()
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private void awaitLine(String part) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            synchronized (log) { // the appender's own lock, which its writers hold
                assertThat(log.list).anyMatch(line -> line.getFormattedMessage().contains(part));
            }
        });
    }

    /** Whether the arbiter ends the connection by itself. */
    private boolean closesAfter(byte[] bytes) throws Exception {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), addresses.get(ARBITER).getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException e) {
            return true; // reset, as not all of it was read
        }
    }

    private GroupSettings settings(String group, String member, String secret) throws Exception {
        return new GroupSettings(group, addresses, ARBITER, TIMEOUT, tls(group, member, secret));
    }

    private @Nullable MemberTls tls(String group, String member, String secret) throws Exception {
        Map<String, String> hosts = new LinkedHashMap<>();
        addresses.forEach((id, address) -> hosts.put(id, address.getHostString()));
        return MemberTls.open(
                Credentials.of(PairSecret.of(secret.getBytes(StandardCharsets.US_ASCII))),
                new GroupNames(group, member, hosts),
                new SystemClock());
    }
}
