package dev.avocet.ha;

import static dev.avocet.ha.PairRig.A;
import static dev.avocet.ha.PairRig.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.broker.PublishOutcome;
import dev.avocet.ha.PairRig.Kind;
import dev.avocet.ha.role.Role;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
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
}
