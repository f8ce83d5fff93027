package dev.avocet.testkit.turn;

import static org.junit.platform.commons.support.HierarchyTraversalMode.TOP_DOWN;

import dev.avocet.testkit.RandomSuite;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/** Leaves out each test marked {@link InTurn} whose turn it is not. JUnit finds it by itself. */
public final class TurnFilter implements PostDiscoveryFilter {
    /** Of many factors, one with which the builds of {@code .ci/run} cost about the same. */
    private static final int SPREAD = 4729;

    private static final FilterResult RUNS = FilterResult.included("runs in each build, or has its turn");
    private static final FilterResult WAITS = FilterResult.excluded("has its turn in another build");

    private final int turns;
    private final int turn;

    /** Called by JUnit. */
    public TurnFilter() {
        this(Integer.getInteger("avocet.test.turns", 1), RandomSuite.firstSeed());
    }

    TurnFilter(final int turns, final long seed) {
        if (turns < 1) {
            throw new IllegalArgumentException("avocet.test.turns is " + turns + "; 1 runs each test, and N one in N");
        }
        this.turns = turns;
        this.turn = Math.floorMod(seed, turns);
    }

    @Override
    public FilterResult apply(final TestDescriptor test) {
        if (turns > 1 && test.getSource().orElse(null) instanceof MethodSource source) {
            final Integer its = turnOf(source.getJavaClass(), source.getJavaMethod());
            return its == null || its == turn ? RUNS : WAITS;
        }
        return RUNS;
    }

    /** The turn of the class that is marked, or of the method; null where neither is. */
    private @Nullable Integer turnOf(final Class<?> type, final Method method) {
        for (Class<?> around = type; around != null; around = around.getEnclosingClass()) {
            if (around.isAnnotationPresent(InTurn.class)) {
                return turn(around, 0);
            }
        }
        if (method.isAnnotationPresent(InTurn.class)) {
            final List<String> marked = AnnotationSupport.findAnnotatedMethods(type, InTurn.class, TOP_DOWN).stream()
                    .map(Method::getName)
                    .sorted()
                    .toList();
            return turn(type, marked.indexOf(method.getName()));
        }
        return null;
    }

    private int turn(final Class<?> type, final int place) {
        return Math.floorMod((type.getName().hashCode() * SPREAD >> 16) + place, turns);
    }
}
