package dev.avocet.ha;

import static dev.avocet.ha.PairRig.A;
import static dev.avocet.ha.PairRig.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.ha.PairRig.Kind;
import dev.avocet.ha.role.Role;
import dev.avocet.testkit.turn.InTurn;
import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A pair that loses a node or a link, or hands over: two real stores, a real link and register, no endpoints. */
@Timeout(120)
final class PairTakeoverTest {
    @TempDir
    private Path disk;

    static Stream<Arguments> pairings() {
        return Stream.of(Kind.values()).flatMap(a -> Stream.of(Kind.values()).map(b -> Arguments.of(a, b)));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void shouldLoseNothingWhenTheActiveNodeDies(Kind a, Kind b) throws Exception {
        try (PairRig rig = new PairRig(disk, a, b)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 300, 3_000);
            rig.awaitInSync(A, B); // a busy machine has had the standby out of sync

            // when
            rig.crash(A);

            // then
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
            rig.publish(B, 100, 3_000);

            // and when it comes back, and the other one dies
            rig.start(A);
            rig.awaitInSync(B, A);
            rig.publish(B, 100, 3_000);
            rig.awaitInSync(B, A);
            rig.crash(B);

            // then
            rig.awaitServing(A);
            rig.shouldHaveAll(A);
            rig.start(B);
            rig.awaitInSync(A, B);
        }
    }

    @InTurn
    @Test
    void shouldHandOverWithoutLoss() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.CHRONICLE)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 50, 100);

            // when
            assertThat(rig.member(B).switchOver()).isFalse();
            assertThat(rig.member(A).switchOver()).isTrue();

            // then
            rig.awaitInSync(B, A);
            assertThat(rig.host(A).isServing()).isFalse();
            rig.shouldHaveAll(B);
            rig.publish(B, 50, 100);
        }
    }

    @InTurn
    @Test
    void shouldLeaveTheMachineToTheNodeThatTakesOver() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.startInSync();

            // when
            assertThat(rig.member(A).switchOver()).isTrue();
            rig.awaitInSync(B, A);

            // then
            TestHost host = rig.host(A);
            await().atMost(PairRig.PATIENCE).until(() -> roleAfterFenced(host) > 0);
            long awayNs = host.statusesNs.get(roleAfterFenced(host))
                    - host.statusesNs.get(roles(host).indexOf(Role.FENCED));
            assertThat(awayNs)
                    .as("%s", roles(host))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
        }
    }

    private static List<Role> roles(TestHost host) {
        return host.statuses.stream().map(PairStatus::role).toList();
    }

    /** Index of the first status of a node that takes part again after it was fenced; -1 where there is none. */
    private static int roleAfterFenced(TestHost host) {
        List<Role> roles = roles(host);
        int fenced = roles.indexOf(Role.FENCED);
        return IntStream.range(Math.max(0, fenced), fenced < 0 ? 0 : roles.size())
                .filter(at -> roles.get(at) != Role.FENCED)
                .findFirst()
                .orElse(-1);
    }

    @InTurn
    @Test
    void shouldTakeOverAtOnceWhenTheActiveNodeIsStopped() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 50, 100);

            // when
            rig.stop(A);

            // then
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    @InTurn
    @Test
    void shouldFenceTheActiveNodeThatIsCutOff() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.CHRONICLE, Kind.FILE)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 50, 100);

            // when
            rig.network.halfOpen();
            CompletableFuture<@Nullable PublishOutcome> lost = rig.attempt(A, "never/acknowledged");

            // then one of the two leads, and what was attempted is acknowledged only by it
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.member(A).status().role() == Role.ALONE
                            || rig.member(B).status().role() == Role.ALONE);
            String leader = rig.member(A).status().role() == Role.ALONE ? A : B;
            String other = leader.equals(A) ? B : A;
            rig.awaitServing(leader);
            rig.shouldHaveAll(leader);
            if (leader.equals(B)) {
                await().atMost(PairRig.PATIENCE).until(() -> !rig.host(A).isServing());
                assertThat(lost).isNotDone();
            }
            rig.publish(leader, 50, 100);

            // and when the network is there again
            rig.network.heal();
            rig.awaitInSync(leader, other);
            rig.publish(leader, 50, 100);
            rig.awaitInSync(leader, other);
            rig.crash(leader);
            rig.awaitServing(other);
            rig.shouldHaveAll(other);
        }
    }

    @InTurn
    @Test
    void shouldDropAStandbyThatDoesNotForceBeforeItAcknowledgesAlone() throws Exception {
        HeldDisk disks = new HeldDisk();
        try (PairRig rig = new PairRig(disk, Kind.CHRONICLE, Kind.FILE);
                Closeable beforeTheRig = disks::release) {
            // given
            assertThat(beforeTheRig).isNotNull();
            rig.storage(B, disks.storage());
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);

            // when
            disks.hold();
            rig.publish(A, 10, 100);

            // then
            assertThat(rig.register().inSync()).containsExactly(A);
            await().atMost(PairRig.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(rig.member(A).status().inSync()).containsExactly(A));
            // a link that a busy machine has lost is soon there again, and so is what is known of the other node
            await().atMost(PairRig.PATIENCE).untilAsserted(() -> {
                PairStatus behind = rig.member(A).status();
                assertThat(behind.lag().bytes()).isPositive();
                assertThat(behind.lag().records()).isPositive();
                assertThat(behind.lag().ms()).isGreaterThanOrEqualTo(5_000); // the sync timeout
                assertThat(behind.whyNotInSync()).contains("b has confirmed nothing for 5000 ms", "disk");
            });

            // and when its disk answers again
            disks.release();
            rig.awaitInSync(A, B);
            await().atMost(PairRig.PATIENCE).until(() -> rig.member(A).status().lag(), new Lag(0, 0, 0)::equals);
            await().atMost(PairRig.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(rig.member(A).status().whyNotInSync()).isEmpty());
            assertThat(rig.times(A).confirmNs().getTotalCount()).isPositive();
            assertThat(rig.times(A).waitNs().getTotalCount())
                    .isGreaterThan(rig.times(A).confirmNs().getTotalCount());
        }
    }

    @InTurn
    @Test
    void shouldNotLeadInANewLifeThatMayHaveLostWhatItHasConfirmed() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.times = PairRig::inMemory;
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);

            // when both die, and the one that followed is there first
            rig.crash(A);
            rig.crash(B);
            rig.start(B);

            // then it waits for the one that led, which has everything
            await().during(Duration.ofSeconds(6))
                    .atMost(PairRig.PATIENCE)
                    .until(() -> !rig.member(B).status().role().leads());
            assertThat(rig.member(B).status().whyNotInSync()).contains("a is not connected");
            rig.start(A);
            rig.awaitInSync(A, B);
            rig.shouldHaveAll(A);
        }
    }

    @InTurn
    @Test
    void shouldLeadByForceWithWhatItHasAndCutTheFormerLeaderBack() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given an active node that alone has what it acknowledged last
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 50, 100);
            assertThat(rig.member(B).order(StandbyOrder.PAUSE)).isEmpty();
            rig.awaitRole(A, Role.ALONE);
            assertThat(rig.attempt(A, "only/here").get(PairRig.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(PublishOutcome.ACCEPTED);
            assertThat(rig.member(A).order(StandbyOrder.PROMOTE)).contains("is the active one already");
            assertThat(rig.member(B).order(StandbyOrder.PROMOTE)).contains("resume it first");
            rig.crash(A);

            // when
            assertThat(rig.member(B).order(StandbyOrder.RESUME)).isEmpty();
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.member(B).order(StandbyOrder.PROMOTE).isEmpty());

            // then it has what it had, and an epoch is left out
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
            assertThat(rig.host(B).has("only/here")).isFalse();
            assertThat(rig.register().epoch()).isEqualTo(3);
            rig.publish(B, 50, 100);

            // and when the former leader comes back, it has no more than that
            rig.start(A);
            rig.awaitInSync(B, A);
            rig.crash(B);
            rig.awaitServing(A);
            rig.shouldHaveAll(A);
            assertThat(rig.host(A).has("only/here")).isFalse();
        }
    }

    @InTurn
    @Test
    void shouldCutBackWhatTheOtherNodeNeverConfirmed() throws Exception {
        HeldDisk disks = new HeldDisk();
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given a node that has records which the standby had no force for
            rig.storage(B, disks.storage());
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 20, 100);
            rig.network.halfOpen();
            CompletableFuture<@Nullable PublishOutcome> lost = rig.attempt(A, "never/acknowledged");
            rig.crash(A);
            rig.network.heal();

            // when
            rig.awaitServing(B);
            rig.publish(B, 20, 100);
            rig.start(A);

            // then
            rig.awaitInSync(B, A);
            assertThat(lost).isNotDone();
            rig.publish(B, 20, 100);
            rig.crash(B);
            rig.awaitServing(A);
            rig.shouldHaveAll(A);
            assertThat(rig.host(A).has("never/acknowledged")).isFalse();
        }
    }

    @InTurn
    @Test
    void shouldTakeOverWithAGroupThatHasAnArbiter() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.CHRONICLE, Kind.CHRONICLE)) {
            // given
            rig.useGroup();
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 100, 100);

            // when
            rig.crash(A);

            // then
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
            rig.start(A);
            rig.awaitInSync(B, A);
        }
    }
}
