package dev.avocet.ha.coordination.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.CoordinatorContract;
import dev.avocet.ha.coordination.Register;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@InTurn
final class GroupCoordinatorTest extends CoordinatorContract {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ARBITER = "arbiter";
    private static final long SNAPSHOT_EVERY = 10;

    @TempDir
    private Path disk;

    private final Map<String, GroupMember> members = new LinkedHashMap<>();
    private @Nullable GroupSettings settings;

    @Override
    protected List<Coordinator> open() throws Exception {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        for (String member : List.of("a", "b", ARBITER)) {
            addresses.put(member, new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next()));
        }
        settings = new GroupSettings("pair", addresses, ARBITER, TIMEOUT, null, SNAPSHOT_EVERY);
        for (String member : addresses.keySet()) {
            start(member);
        }
        List<Coordinator> clients = new ArrayList<>();
        members.values().forEach(member -> clients.add(GroupCoordinator.of(member)));
        return clients;
    }

    @Override
    protected void cutOff() throws Exception {
        stop("b");
        stop(ARBITER);
    }

    @Override
    protected void bringBack() throws Exception {
        start("b");
        start(ARBITER);
    }

    @Override
    protected void shutDown() throws Exception {
        for (GroupMember member : members.values()) {
            member.close();
        }
    }

    @Test
    void shouldBeLedByTheArbiter() {
        await().atMost(PATIENCE).until(() -> members.get(ARBITER).leadsGroup());
    }

    @Test
    void shouldGiveASnapshotToAMemberThatWasAway() throws Exception {
        // given a member that misses more changes than the log keeps
        Register register = Register.NONE.foundedBy("a", "store");
        write(0, Register.NONE, register);
        stop("b");
        for (int i = 0; i < 5 * SNAPSHOT_EVERY; i++) {
            Register next = register.isInSync("b") ? register.without("b") : register.with("b");
            assertThat(write(0, register, next)).isEqualTo(new CasResult.Written(next));
            register = next;
        }

        // when it comes back
        start("b");

        // then it has what the others have
        Register last = register;
        await().atMost(PATIENCE).until(() -> members.get("b").known().equals(last));
    }

    private void start(String member) throws Exception {
        members.put(member, GroupMember.start(settings, member, disk.resolve(member)));
    }

    private void stop(String member) throws Exception {
        members.get(member).close();
    }
}
