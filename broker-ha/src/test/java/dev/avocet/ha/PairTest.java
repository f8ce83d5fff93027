package dev.avocet.ha;

import static dev.avocet.ha.PairRig.A;
import static dev.avocet.ha.PairRig.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.broker.PublishOutcome;
import dev.avocet.ha.PairRig.Kind;
import dev.avocet.ha.link.LinkVersions;
import dev.avocet.ha.role.PairSettings;
import dev.avocet.ha.role.Role;
import dev.avocet.testkit.FaultyStorage;
import java.io.Closeable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two real stores, a real link and a real register; the brokers have no endpoints. */
@Timeout(120)
final class PairTest {
    private static final LinkVersions BEFORE = new LinkVersions(1, LinkVersions.ALL.latest() - 1);

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
            rig.crash(B);

            // then
            rig.awaitServing(A);
            rig.shouldHaveAll(A);
            rig.start(B);
            rig.awaitInSync(A, B);
        }
    }

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

    @Test
    void shouldTellAnOlderNodeThatItHasToBeUpgradedToStartFromACheckpoint() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given a standby of the version before, which lacks more than is kept
            rig.versions.put(B, BEFORE);
            rig.segmentBytes = 512 << 10;
            rig.maxRetainedBytes = 0;
            rig.startInSync();
            rig.host(A).subscribe("client", "topic/#");
            rig.publish(A, 100, 3_000);
            rig.stop(B);
            rig.publish(A, 100, 3_000);
            dropSegments(rig);

            // when
            rig.start(B);

            // then
            await().untilAsserted(() -> assertThat(rig.member(B).status().whyNotInSync())
                    .contains("too old to take a checkpoint: upgrade it"));
            rig.publish(A, 50, 3_000);

            // when it is upgraded
            rig.stop(B);
            rig.versions.remove(B);
            rig.start(B);

            // then
            rig.awaitInSync(A, B);
            rig.crash(A);
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

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

    @Test
    void shouldGetEverythingAnewOnceItsStoreIsAside() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.CHRONICLE, Kind.FILE)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 50, 100);
            assertThat(resync(rig, A).refused()).contains("is the active one");

            // when
            Resynced done = resync(rig, B);
            rig.publish(A, 50, 100);

            // then
            assertThat(done.refused()).isEmpty();
            assertThat(Path.of(done.aside())).isNotEmptyDirectory().hasParent(disk);
            rig.awaitInSync(A, B);

            // and it has all
            rig.crash(A);
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    @Test
    void shouldGetACheckpointOnceItsStoreIsAside() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given an active node that has dropped its first segment
            rig.maxRetainedBytes = 1 << 20;
            rig.startInSync();
            rig.host(A).subscribe("client", "topic/#");
            rig.publish(A, 50, 100);
            dropSegments(rig);

            // when
            Resynced done = resync(rig, B);

            // then
            assertThat(done.refused()).isEmpty();
            rig.awaitInSync(A, B);
            rig.crash(A);
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void shouldStartFromACheckpointWhatLacksMoreThanIsKept(Kind a, Kind b) throws Exception {
        try (PairRig rig = new PairRig(disk, a, b)) {
            // given a standby that was away while what it lacks was dropped, but for what is alive
            rig.segmentBytes = 512 << 10;
            rig.maxRetainedBytes = 0;
            rig.startInSync();
            rig.host(A).subscribe("client", "topic/#");
            rig.publish(A, 100, 3_000);
            rig.stop(B);
            rig.publish(A, 100, 3_000);
            dropSegments(rig);

            // when
            rig.start(B);
            rig.publish(A, 50, 3_000);
            rig.awaitInSync(A, B);

            // then it has come by a checkpoint, and all is there
            assertThat(rig.lacksSegmentBehind(B, 0)).isTrue();
            rig.publish(A, 50, 3_000);
            rig.crash(A);
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
            rig.publish(B, 50, 3_000);

            // and the other one comes back
            rig.start(A);
            rig.awaitInSync(B, A);
            rig.crash(B);
            rig.awaitServing(A);
            rig.shouldHaveAll(A);
        }
    }

    @Test
    void shouldStartAgainWhateverWasReceivedBefore() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.CHRONICLE)) {
            // given what a crash may leave beside a store, in the midst of a transfer and of an exchange
            rig.maxRetainedBytes = 1 << 20;
            rig.startInSync();
            rig.host(A).subscribe("client", "topic/#");
            rig.publish(A, 50, 100);
            rig.stop(B);
            dropSegments(rig);
            Path store = rig.directory(B);
            Files.createDirectories(store.resolveSibling("b.receiving/chronicle"));
            Files.writeString(store.resolveSibling("b.receiving/checkpoint.received"), "half");
            Files.createDirectories(store.resolveSibling("b.replaced"));
            Files.writeString(store.resolveSibling("b.replaced/pair"), "old");

            // when
            rig.start(B);
            rig.awaitInSync(A, B);

            // then nothing of that is left
            assertThat(store.resolveSibling("b.receiving")).doesNotExist();
            assertThat(store.resolveSibling("b.replaced")).doesNotExist();
            rig.crash(A);
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    /** Of what is written from now on a part is gone. */
    private static void dropSegments(PairRig rig) throws Exception {
        int before = rig.lastSegment(A);
        await().atMost(PairRig.PATIENCE).until(() -> {
            rig.publishAgain(A, 1, 300_000, 5);
            return rig.lacksSegmentBehind(A, before);
        });
    }

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

    private static Resynced resync(PairRig rig, String node) throws Exception {
        return rig.member(node).resync().get(PairRig.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

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
            rig.crash(leader);
            rig.awaitServing(other);
            rig.shouldHaveAll(other);
        }
    }

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
            PairStatus behind = rig.member(A).status();
            assertThat(behind.lag().bytes()).isPositive();
            assertThat(behind.lag().records()).isPositive();
            assertThat(behind.lag().ms()).isGreaterThanOrEqualTo(5_000); // the sync timeout
            assertThat(behind.whyNotInSync()).contains("b has confirmed nothing for 5000 ms", "disk");

            // and when its disk answers again
            disks.release();
            rig.awaitInSync(A, B);
            await().atMost(PairRig.PATIENCE).until(() -> rig.member(A).status().lag(), new Lag(0, 0, 0)::equals);
            assertThat(rig.member(A).status().whyNotInSync()).isEmpty();
            assertThat(rig.times(A).confirmNs().getTotalCount()).isPositive();
            assertThat(rig.times(A).waitNs().getTotalCount())
                    .isGreaterThan(rig.times(A).confirmNs().getTotalCount());
        }
    }

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

    @Test
    void shouldComeBackOnceTheDiskOfTheStandbyHasRoomAgain() throws Exception {
        FaultyStorage full = new FaultyStorage();
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.storage(B, full);
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);
            assertThat(rig.member(B).status().diskFull()).isFalse();

            // when the standby has no room for the next segments
            full.capacity(1);
            rig.publishAgain(A, 1, 300_000, 10);

            // then the active node goes on without it, and the standby lives and tells
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.member(A).status().inSync().equals(Set.of(A)));
            rig.publish(A, 10, 100);
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.member(B).status().diskFull()
                            && rig.member(B).status().inSync().equals(Set.of(A)));
            rig.awaitRole(B, Role.STANDBY_SYNCING);
            int lookedAt = full.count(FaultyStorage.Operation.LIST);
            await("another try")
                    .atMost(PairRig.PATIENCE)
                    .until(() -> full.count(FaultyStorage.Operation.LIST) > lookedAt);
            assertThat(rig.host(B).ended).isEmpty();
            await("no thread of a log that could not be opened")
                    .atMost(PairRig.PATIENCE)
                    .until(() -> imageThreads() == 1);

            // and when there is room again
            full.capacity(Long.MAX_VALUE);
            Files.createDirectories(rig.directory(B)); // the host asks for the free space there
            rig.awaitInSync(A, B);
            await().atMost(PairRig.PATIENCE).until(() -> !rig.member(B).status().diskFull());
            rig.crash(A);
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    @Test
    void shouldStayInSyncWithADiskTooFullForACheckpointAndTakeOverOnceItHasRoom() throws Exception {
        FaultyStorage full = new FaultyStorage();
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.storage(B, full);
            rig.startInSync();
            rig.host(A).subscribe("client");
            rig.publish(A, 10, 100);

            // when
            full.capacity(1);
            int created = full.count(FaultyStorage.Operation.CREATE);
            rig.member(B).requestCheckpoint();
            await().atMost(PairRig.PATIENCE).until(() -> full.count(FaultyStorage.Operation.CREATE) > created);
            rig.publish(A, 10, 100);

            // then
            assertThat(rig.member(B).status().role()).isEqualTo(Role.STANDBY_IN_SYNC);
            assertThat(rig.member(A).status().inSync()).containsExactly(A, B);

            // and when it has to take over, and cannot for want of room
            rig.crash(A);
            await().atMost(PairRig.PATIENCE).until(() -> rig.member(B).status().diskFull());
            assertThat(rig.host(B).ended).isEmpty();

            // then it does as soon as there is some
            Files.createDirectories(rig.directory(B)); // the host asks for the free space there
            full.capacity(Long.MAX_VALUE);
            rig.awaitServing(B);
            rig.shouldHaveAll(B);
        }
    }

    private static long imageThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("pair-image"))
                .count();
    }

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

    private static String answer(PairRig rig) throws Exception {
        return rig.member(A).configurationChanged().get(PairRig.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

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

    @Test
    void shouldGoByOtherSettingsWhileItRuns() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given
            rig.startInSync();
            rig.host(A).subscribe("client");

            // when both nodes have to have every message from now on, and one is gone
            rig.member(A).tune(PairRig.asksForBoth(PairSettings.of(A, B)), 0);
            rig.crash(B);

            // then
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.attempt(A, "refused").getNow(null), PublishOutcome.STANDBY_AWAY::equals);
            assertThat(rig.register().inSync()).containsExactly(A, B);

            // when one is enough again
            rig.member(A).tune(PairRig.patient(PairSettings.of(A, B)), 0);

            // then
            rig.awaitRole(A, Role.ALONE);
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.attempt(A, "taken").get(30, TimeUnit.SECONDS), PublishOutcome.ACCEPTED::equals);
        }
    }

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
