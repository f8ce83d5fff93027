package dev.avocet.ha;

import static dev.avocet.ha.PairRig.A;
import static dev.avocet.ha.PairRig.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.ha.PairRig.Kind;
import dev.avocet.ha.link.LinkVersions;
import dev.avocet.ha.role.PairSettings;
import dev.avocet.ha.role.Role;
import dev.avocet.testkit.turn.InTurn;
import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pair at work: two real stores, a real link and a real register; the brokers have no endpoints. */
@Timeout(120)
final class PairTest {
    private static final LinkVersions BEFORE = new LinkVersions(1, LinkVersions.ALL.latest() - 1);

    /** Less than a checkpoint waits for its commit. */
    private static final Duration SOON = Duration.ofSeconds(25);

    @TempDir
    private Path disk;

    @InTurn
    @Test
    void shouldBeUpgradedOneNodeAfterTheOther() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.CHRONICLE)) {
            // given: both speak the version of the link before
            rig.versions.put(A, BEFORE);
            rig.versions.put(B, BEFORE);
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 50, 100);

            // when the standby is upgraded
            rig.stop(B);
            rig.publish(A, 50, 100);
            rig.versions.remove(B);
            rig.start(B);
            rig.awaitInSync(A, B);
            rig.publish(A, 50, 100);

            // and takes the role over, and the other one follows as it is
            assertThat(rig.member(A).switchOver()).isTrue();
            rig.awaitInSync(B, A);
            rig.publish(B, 50, 100);

            // and the other one is upgraded
            rig.stop(A);
            rig.publish(B, 50, 100);
            rig.versions.remove(A);
            rig.start(A);
            rig.awaitInSync(B, A);
            rig.publish(B, 50, 100);

            // then
            rig.crash(B);
            rig.awaitServing(A);
            rig.shouldHaveAll(A);
        }
    }

    @InTurn
    @Test
    void shouldLeaveThoseInSyncWhilePausedAndComeBack() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.CHRONICLE)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 50, 100);
            assertThat(rig.member(A).order(StandbyOrder.PAUSE)).contains("is the active one");
            assertThat(rig.member(B).order(StandbyOrder.RESUME)).contains("is not paused");

            // when
            assertThat(rig.member(B).order(StandbyOrder.PAUSE)).isEmpty();

            // then the active node acknowledges alone
            rig.awaitRole(A, Role.ALONE);
            rig.awaitRole(B, Role.STANDBY_PAUSED);
            assertThat(rig.member(A).status().whyNotInSync()).contains("b has left those in sync");
            assertThat(rig.member(B).status().whyNotInSync()).contains("paused this node: resume it");
            assertThat(rig.register().inSync()).containsExactly(A);
            rig.publish(A, 50, 100);
            assertThat(rig.member(A).switchOver()).isFalse();

            // and when it is resumed
            assertThat(rig.member(B).order(StandbyOrder.RESUME)).isEmpty();
            rig.awaitInSync(A, B);
            rig.crash(A);

            // then it has all, and is promoted
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    @InTurn
    @Test
    void shouldNotMindClocksOfTheWallThatJump() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.CHRONICLE)) {
            // given
            JumpingClock clockOfA = new JumpingClock();
            JumpingClock clockOfB = new JumpingClock();
            rig.clock(A, clockOfA);
            rig.clock(B, clockOfB);
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 20, 100);
            long epoch = rig.member(A).status().epoch();

            // when one goes a day ahead and the other one two back
            clockOfA.jump(Duration.ofDays(1));
            clockOfB.jump(Duration.ofDays(-2));
            rig.publish(A, 20, 100);
            clockOfA.jump(Duration.ofDays(-3));
            clockOfB.jump(Duration.ofDays(4));
            rig.publish(A, 20, 100);

            // then nothing has come of it, and the standby has all
            rig.awaitInSync(A, B);
            assertThat(rig.member(A).status().epoch()).isEqualTo(epoch);
            rig.crash(A);
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    @InTurn
    @Test
    void shouldNotBePromotedWhilePaused() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given a standby that is named as in sync, and hears nothing from the active node
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);
            rig.crash(A);

            // when it is paused before it is promoted
            assertThat(rig.member(B).order(StandbyOrder.PAUSE)).isEmpty();

            // then it waits
            await().during(Duration.ofSeconds(6))
                    .atMost(PairRig.PATIENCE)
                    .until(() -> rig.member(B).status().role() == Role.STANDBY_PAUSED);

            // and when it is resumed
            assertThat(rig.member(B).order(StandbyOrder.RESUME)).isEmpty();
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    @InTurn
    @Test
    void shouldAcknowledgeWhatTheStandbyHasReceivedWhereThatIsChosen() throws Exception {
        HeldDisk disks = new HeldDisk();
        try (PairRig rig = new PairRig(disk, Kind.CHRONICLE, Kind.FILE);
                Closeable beforeTheRig = disks::release) {
            // given
            assertThat(beforeTheRig).isNotNull();
            rig.times = PairRig::inMemory;
            rig.storage(B, disks.storage());
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);

            // when its disk does not answer
            disks.hold();
            rig.publish(A, 10, 100);

            // then it is in sync all the same
            assertThat(rig.register().inSync()).containsExactly(A, B);

            // when the active node dies, it leads once what it has confirmed is on its disk
            rig.crash(A);
            await().during(Duration.ofSeconds(6)) // longer than it waits for the other one
                    .atMost(PairRig.PATIENCE)
                    .until(() -> !rig.member(B).status().role().leads());
            disks.release();
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    @InTurn
    @Test
    void shouldGiveTheConfigurationToTheOtherNodeInOrder() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.start(A);
            rig.host(A).configuration = "first";
            rig.start(B);
            rig.awaitInSync(A, B);
            assertThat(rig.host(B).adopted).last().isIn("", "first");

            // when
            for (int i = 0; i < 20; i++) {
                rig.host(A).configuration = "change " + (char) ('a' + i);
                var unused = rig.member(A).configurationChanged();
            }

            // then
            await().atMost(PairRig.PATIENCE).until(() -> rig.host(B).adopted.contains("change t"));
            assertThat(rig.host(B).adopted.stream().filter(one -> one.startsWith("change")))
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(rig.host(A).adopted).isEmpty();
        }
    }

    @Test
    void shouldAnswerAChangeOfTheConfigurationOnceTheOtherNodeHasIt() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.start(A);
            rig.start(B);
            rig.awaitInSync(A, B);

            // when it changes
            rig.host(A).configuration = "first";
            assertThat(answer(rig)).isEmpty();
            assertThat(rig.host(B).adopted).contains("first");

            // when the other node cannot keep it
            rig.host(B).refusesConfigurations = true;
            rig.host(A).configuration = "second";
            assertThat(answer(rig)).contains("the disk is full");
            assertThat(rig.host(B).adopted).doesNotContain("second");

            // when it can again, the next change brings all
            rig.host(B).refusesConfigurations = false;
            rig.host(A).configuration = "third";
            assertThat(answer(rig)).isEmpty();
            assertThat(rig.host(B).adopted).last().isEqualTo("third");

            // when the other node is gone, nothing waits for it once it is left out
            rig.crash(B);
            rig.host(A).configuration = "fourth";
            assertThat(answer(rig)).isEmpty();
            assertThat(rig.member(A).status().inSync()).containsExactly(A);
        }
    }

    @InTurn
    @Test
    void shouldRefuseANodeWithAnotherStore() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE);
                PairRig other = new PairRig(disk.resolve("other"), Kind.FILE, Kind.FILE)) {
            // given two pairs
            rig.startInSync();
            rig.stop(B);
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);
            other.startInSync();
            other.stop(A);
            other.stop(B);

            // when a node of the one is given the store of the other
            rig.replaceStore(B, other.directory(B));
            rig.start(B);

            // then
            rig.awaitRole(B, Role.REFUSED);
            rig.publish(A, 10, 100);
            assertThat(rig.member(A).status().inSync()).containsExactly(A);
            assertThat(rig.host(B).isServing()).isFalse();
        }
    }

    @InTurn
    @Test
    void shouldRefuseWhatOnlyOneNodeWouldHave() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.times = PairRig::asksForBoth;
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);

            // when
            rig.crash(B);

            // then, once the standby is known to be away
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.attempt(A, "refused").getNow(null), PublishOutcome.STANDBY_AWAY::equals);
            assertThat(rig.host(A).isServing()).isTrue();

            // and when it is back
            rig.start(B);
            rig.awaitInSync(A, B);
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.attempt(A, "taken").get(30, TimeUnit.SECONDS), PublishOutcome.ACCEPTED::equals);
            rig.shouldHaveAll(A);
        }
    }

    @InTurn
    @Test
    void shouldStopSoonWhileWhatItWouldWriteWaitsForTheOtherNode() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given an active node that may commit nothing without the other one
            rig.times = PairRig::asksForBoth;
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);
            rig.crash(B);
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.attempt(A, "refused").getNow(null), PublishOutcome.STANDBY_AWAY::equals);

            // when
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(() -> rig.stop(A));

            // then no checkpoint waits for what would not be committed
            await("the active node has stopped").atMost(SOON).until(stopping::isDone);
            assertThat(stopping).isCompleted();

            // and both come back with all
            rig.start(A);
            rig.awaitServing(A);
            rig.start(B);
            rig.awaitInSync(A, B);
            rig.shouldHaveAll(A);
        }
    }

    @InTurn
    @Test
    void shouldGoByOtherSettingsWhileItRuns() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");

            // when both nodes have to have every message from now on, and one is gone
            rig.member(A).tune(PairRig.asksForBoth(PairSettings.of(A, B)), 0, MemberOptions.DEFAULT_CATCH_UP_BYTES);
            rig.crash(B);

            // then
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.attempt(A, "refused").getNow(null), PublishOutcome.STANDBY_AWAY::equals);
            assertThat(rig.register().inSync()).containsExactly(A, B);

            // when one is enough again
            rig.member(A).tune(PairRig.patient(PairSettings.of(A, B)), 0, MemberOptions.DEFAULT_CATCH_UP_BYTES);

            // then
            rig.awaitRole(A, Role.ALONE);
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.attempt(A, "taken").get(30, TimeUnit.SECONDS), PublishOutcome.ACCEPTED::equals);
        }
    }

    @InTurn
    @Test
    void shouldHaveNoLinkWithANodeThatDoesNotKnowTheSecret() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);
            rig.stop(B);

            // when
            rig.secret = "another one";
            rig.start(B);
            rig.publish(A, 10, 100);

            // then
            await().during(Duration.ofSeconds(1))
                    .until(() -> rig.member(B).status().role() == Role.STANDBY_SYNCING
                            && rig.member(A).status().role() == Role.ALONE);
            assertThat(rig.member(A).status().whyNotInSync()).contains("b is not connected");
            assertThat(rig.member(B).status().whyNotInSync()).contains("a is not connected");
            assertThat(rig.member(A).status().lag()).isEqualTo(Lag.UNKNOWN);

            // and when it does
            rig.stop(B);
            rig.secret = "secret";
            rig.start(B);
            rig.awaitInSync(A, B);
        }
    }

    private static String answer(PairRig rig) throws Exception {
        return rig.member(A).configurationChanged().get(PairRig.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static final class JumpingClock implements Clock {
        private final Clock right = new SystemClock();
        private volatile long aheadMs;

        void jump(Duration by) {
            aheadMs += by.toMillis();
        }

        @Override
        public long nanoTime() {
            return right.nanoTime();
        }

        @Override
        public long wallTimeMs() {
            return right.wallTimeMs() + aheadMs;
        }
    }
}
