package dev.avocet.ha.coordination.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.Register;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three processes, of which this is one; the others are killed with SIGKILL. */
@InTurn
final class GroupProcessesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(150);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @TempDir
    private Path disk;

    private final Map<String, Process> processes = new LinkedHashMap<>();

    @AfterEach
    void killAll() {
        processes.values().forEach(Process::destroyForcibly);
    }

    @Test
    @Timeout(600) // elections take long where three processes share a processor with other work
    void shouldKeepTheRegisterWhileAnyTwoOfThreeLive() throws Exception {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        for (String member : List.of("a", "b", "arbiter")) {
            addresses.put(member, new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next()));
        }
        GroupSettings settings = new GroupSettings("pair", addresses, "arbiter", TIMEOUT, null);
        start(settings, "b");
        start(settings, "arbiter");
        try (GroupMember member = GroupMember.start(settings, "a", disk.resolve("a"));
                GroupCoordinator coordinator = GroupCoordinator.of(member)) {
            Register first = Register.NONE.foundedBy("a", "store");
            write(coordinator, Register.NONE, first);

            // when the other broker is lost
            kill("b");
            Register alone = first.with("b");
            write(coordinator, first, alone);

            // when it is back and the arbiter is lost, which led the group
            start(settings, "b");
            kill("arbiter");
            Register withB = alone.without("b");
            write(coordinator, alone, withB);

            // when all are back
            start(settings, "arbiter");
            Register again = withB.with("b");
            write(coordinator, withB, again);
            assertThat(member.known()).isEqualTo(again);
        }
    }

    /** Attempts the same until it is answered, as a node does. */
    private static void write(GroupCoordinator coordinator, Register expected, Register next) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(coordinator
                                .compareAndSet(expected, next)
                                .toCompletableFuture()
                                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isEqualTo(new CasResult.Written(next)));
    }

    /** Returns when the member takes part. */
    private void start(GroupSettings settings, String member) throws Exception {
        Path directory = disk.resolve(member);
        long before = started(directory);
        Process process = MemberProcess.start(settings, member, directory);
        processes.put(member, process);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(process.isAlive()).as(() -> output(member)).isTrue();
            assertThat(started(directory)).as(() -> output(member)).isGreaterThan(before);
        });
    }

    private static long started(Path directory) throws IOException {
        Path output = MemberProcess.output(directory);
        if (!Files.exists(output)) {
            return 0;
        }
        return Files.readAllLines(output).stream()
                .filter(MemberProcess.STARTED::equals)
                .count();
    }

    private String output(String member) {
        try {
            return member + " has printed: " + Files.readString(MemberProcess.output(disk.resolve(member)));
        } catch (IOException e) {
            return member + " has printed nothing: " + e;
        }
    }

    private void kill(String member) throws Exception {
        Process process = processes.get(member);
        process.destroyForcibly();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
}
