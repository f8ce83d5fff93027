package dev.avocet.ha;

import static dev.avocet.ha.PairRig.A;
import static dev.avocet.ha.PairRig.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.ha.PairRig.Kind;
import dev.avocet.ha.link.LinkVersions;
import dev.avocet.ha.role.PairSettings;
import dev.avocet.ha.role.Role;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How a node gets what it lacks: two real stores, a real link and a real register, no endpoints. */
@Timeout(120)
final class PairReturnTest {
    private static final LinkVersions BEFORE = new LinkVersions(1, LinkVersions.ALL.latest() - 1);

    private static final int LARGE_BYTES = 300_000;
    private static final int LARGE_COUNT = 30;
    private static final Duration A_WHILE = Duration.ofMillis(500);

    @TempDir
    private Path disk;

    static Stream<Arguments> pairings() {
        return Stream.of(Kind.values()).flatMap(a -> Stream.of(Kind.values()).map(b -> Arguments.of(a, b)));
    }

    @InTurn
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

    @InTurn
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

    @InTurn
    @Test
    void shouldGetWhatItLacksAsFastAsIsChosenFromThatMomentOn() throws Exception {
        try (PairRig rig = new PairRig(disk, Kind.FILE, Kind.FILE)) {
            // given a standby that lacks much, and gets next to nothing in a second
            rig.catchUpBytesPerSecond = 1;
            rig.startInSync();
            rig.stop(B);
            rig.publishAgain(A, 1, LARGE_BYTES, LARGE_COUNT);

            // when
            rig.start(B);

            // then the first piece comes, and no more
            await().atMost(PairRig.PATIENCE)
                    .until(() -> rig.member(A).status().lag().bytes() > 0);
            await().during(A_WHILE)
                    .atMost(PairRig.PATIENCE)
                    .until(() -> rig.member(A).status().lag().bytes() > LARGE_BYTES * LARGE_COUNT / 2
                            && rig.member(B).status().role() == Role.STANDBY_SYNCING);

            // and what waits goes at once when it may
            rig.member(A)
                    .tune(
                            PairRig.patient(PairSettings.of(A, B)),
                            MemberOptions.DEFAULT_MAX_RETAINED_BYTES,
                            MemberOptions.DEFAULT_CATCH_UP_BYTES);
            rig.awaitInSync(A, B);
        }
    }

    @InTurn
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

    @InTurn
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

    @InTurn
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

    @InTurn
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

    @InTurn
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

            // then it has all; on a busy machine the link may have been lost and be back, which needs no room either
            rig.awaitInSync(A, B);
            assertThat(rig.member(B).status().diskFull()).isFalse();

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

    /** Of what is written from now on a part is gone. */
    private static void dropSegments(PairRig rig) throws Exception {
        int before = rig.lastSegment(A);
        await().atMost(PairRig.PATIENCE).until(() -> {
            rig.publishAgain(A, 1, 300_000, 5);
            return rig.lacksSegmentBehind(A, before);
        });
    }

    private static Resynced resync(PairRig rig, String node) throws Exception {
        return rig.member(node).resync().get(PairRig.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static long imageThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("pair-image"))
                .count();
    }
}
