package dev.avocet.testkit.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class TurnFilterTest {
    @Test
    void shouldRunAClassAsAWholeInOneOfSoManyBuilds() {
        // when
        List<List<String>> builds = LongStream.range(4711, 4714)
                .mapToObj(seed -> testsThatRun(Whole.class, 3, seed))
                .filter(tests -> !tests.isEmpty())
                .toList();

        // then
        assertThat(builds).containsExactly(List.of("first", "nested", "second"));
    }

    @Test
    void shouldRunEachMethodInOneOfSoManyBuildsAndAsManyInEach() {
        // when
        List<List<String>> builds = LongStream.range(4711, 4714)
                .mapToObj(seed -> testsThatRun(Parts.class, 3, seed))
                .toList();

        // then
        assertThat(builds).allSatisfy(tests -> assertThat(tests).hasSize(2).contains("always"));
        assertThat(builds.stream().flatMap(List::stream).distinct())
                .containsExactlyInAnyOrder("always", "first", "second", "third");
    }

    @Test
    void shouldRunAllWithoutTurns() {
        assertThat(testsThatRun(Whole.class, 1, 4711)).hasSize(3);
        assertThat(testsThatRun(Parts.class, 1, 4711)).hasSize(4);
    }

    @Test
    void shouldRunTheSameAgainWithTheSameSeed() {
        assertThat(testsThatRun(Parts.class, 3, -1)).isEqualTo(testsThatRun(Parts.class, 3, 2));
    }

    @Test
    void shouldRefuseANumberOfTurnsThatRunsNothing() {
        assertThatThrownBy(() -> new TurnFilter(0, 4711))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("avocet.test.turns is 0; 1 runs each test, and N one in N");
    }

    private static List<String> testsThatRun(final Class<?> type, final int turns, final long seed) {
        LauncherConfig config = LauncherConfig.builder()
                .enablePostDiscoveryFilterAutoRegistration(false)
                .build();
        TestPlan plan = LauncherFactory.create(config)
                .discover(LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(type))
                        .filters(new TurnFilter(turns, seed))
                        .build());
        return plan.getRoots().stream()
                .flatMap(root -> plan.getDescendants(root).stream())
                .flatMap(test -> test.getSource().stream())
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .sorted()
                .toList();
    }

    @InTurn
    static final class Whole {
        @Test
        void first() {}

        @Test
        void second() {}

        @Nested
        final class Inner {
            @Test
            void nested() {}
        }
    }

    static final class Parts {
        @Test
        void always() {}

        @InTurn
        @Test
        void first() {}

        @InTurn
        @RepeatedTest(2)
        void second() {}

        @InTurn
        @Test
        void third() {}
    }
}
