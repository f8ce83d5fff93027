package dev.avocet.amqp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.junit.jupiter.api.Test;

/** Deliveries are found by their identifiers, in whatever order they are settled, and take no more room than that. */
final class UnsettledTest {
    private final SessionFlow session =
            new SessionFlow(new SessionFlows(new NoSink(), () -> {}, () -> {}, how -> {}, e -> {}), new Begin(), 1);
    private final OutgoingLink link = new OutgoingLink(session);
    private final OutgoingLink other = new OutgoingLink(session);
    private final Unsettled unsettled = new Unsettled();

    @Test
    void shouldFindWhatIsThere() {
        // given
        unsettled.add(0, link, "a");
        unsettled.add(1, other, "b");

        // when
        Object taken = unsettled.take(0);

        // then
        assertThat(taken).isEqualTo("a");
        assertThat(unsettled.link(0)).isNull();
        assertThat(unsettled.link(1)).isSameAs(other);
        assertThat(unsettled.link(2)).isNull();
    }

    @Test
    void shouldKeepOneThatIsLeftWhileMillionsComeAndGo() {
        // given
        unsettled.add(0, link, "left");

        // when
        for (int id = 1; id < 2_000_000; id++) {
            unsettled.add(id, link, "gone");
            assertThat(unsettled.take(id)).isEqualTo("gone");
        }

        // then
        assertThat(unsettled.link(0)).isSameAs(link);
        assertThat(unsettled.stragglers()).containsExactly(0);
        assertThat(unsettled.take(0)).isEqualTo("left");
        assertThat(unsettled.hasStragglers()).isFalse();
    }

    @Test
    void shouldForgetALinkWithItsDeliveries() {
        for (int id = 0; id < 40_000; id++) {
            unsettled.add(id, id % 2 == 0 ? link : other, id);
        }

        unsettled.forget(link);

        assertThat(all(link)).isEmpty();
        assertThat(all(other)).hasSize(20_000).startsWith(1, 3, 5).endsWith(39_999);
    }

    /** Against a map, from just before identifiers go round. */
    @Test
    void shouldDoAsAMapDoes() {
        Random random = new Random(7);
        TreeMap<Integer, String> model = new TreeMap<>();
        int first = -20_000;
        int next = first;
        for (int step = 0; step < 200_000; step++) {
            if (random.nextInt(100) < 55) {
                next += random.nextInt(50) == 0 ? random.nextInt(40) : 0; // settled when they were sent
                unsettled.add(next, link, "delivery " + next);
                model.put(next - first, "delivery " + next);
                next++;
            } else if (!model.isEmpty()) {
                boolean isOldest = random.nextInt(10) < 8;
                int wanted = random.nextInt(next - first + 1);
                Integer key = isOldest ? model.firstKey() : model.ceilingKey(wanted);
                if (key != null) {
                    assertThat(unsettled.link(first + key)).isSameAs(link);
                    assertThat(unsettled.take(first + key)).isEqualTo(model.remove(key));
                    assertThat(unsettled.link(first + key)).isNull();
                }
            }
        }
        assertThat(all(link)).isEqualTo(List.copyOf(model.values()));
    }

    /** What a disposition for all identifiers would go through. */
    @Test
    void shouldGoThroughARangeNoLongerThanWhatIsThere() {
        for (int id = 0; id < 100_000; id++) {
            unsettled.add(id, link, id);
        }

        int from = unsettled.firstFrom(0);
        int to = unsettled.lastTo(Integer.MAX_VALUE);

        assertThat(to).isEqualTo(99_999);
        assertThat(to - from).isLessThan(16_384);
        assertThat(unsettled.stragglers()).hasSize(from);
    }

    private List<Object> all(OutgoingLink of) {
        List<Object> found = new ArrayList<>();
        unsettled.visit(of, (id, kept) -> found.add(Objects.requireNonNull(kept)));
        return found;
    }
}
