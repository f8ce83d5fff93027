package dev.avocet.bench.jms.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DestinationNamesTest {
    @Test
    void shouldCountThroughDestinationsSessionsConnectionsAndThreads() {
        // given 2 destinations, 3 sessions, 4 connections, 5 threads, from 100 on
        Layout layout = new Layout("q", 2, 3, 4, 5, 100);

        // when the third connection's second session in the fourth thread asks
        List<String> names = new DestinationNames(layout, Spread.PLAIN).of(new ClientPosition(3, 2, 1));

        // then 100 + 3·4·3·2 + 2·3·2 + 1·2
        assertThat(names).containsExactly("q.00000186", "q.00000187");
    }

    @Test
    void shouldGiveEachNumberToOneSessionWhenAllLevelsCount() {
        Layout layout = new Layout("q", 2, 3, 2, 2, 0);

        assertThat(all(layout, Spread.PLAIN))
                .hasSize(24)
                .doesNotHaveDuplicates()
                .contains("q.00000000", "q.00000023");
    }

    @Test
    void shouldLeaveOutTheThreadsThatAreNegative() {
        // given 10 threads on the same 2 queues
        Layout layout = new Layout("q", 2, 1, 1, -10, 0);

        // then
        assertThat(all(layout, Spread.PLAIN)).hasSize(20).containsOnly("q.00000000", "q.00000001");
    }

    @Test
    void shouldMultiplyByOneForALevelThatIsLeftOut() {
        // given sessions that share their names below connections that do not
        Layout layout = new Layout("q", 2, -5, 3, 1, 0);

        // then
        assertThat(new DestinationNames(layout, Spread.PLAIN).of(new ClientPosition(0, 2, 4)))
                .containsExactly("q.00000004", "q.00000005");
    }

    @Test
    void shouldGiveOneNameManyTimesWhenTheDestinationsAreLeftOut() {
        Layout layout = new Layout("q", -3, 1, 1, 2, 0);

        assertThat(new DestinationNames(layout, Spread.PLAIN).of(new ClientPosition(1, 0, 0)))
                .containsExactly("q.00000001", "q.00000001", "q.00000001");
    }

    @Test
    void shouldTakeAFilterAsItIsAndOnceForASession() {
        Layout layout = new Layout("/a/#", 7, 1, 1, 2, 0);

        assertThat(all(layout, Spread.PLAIN)).containsExactly("/a/#", "/a/#");
    }

    @Test
    void shouldCutNumbersInBlocksThatEachCountAfresh() {
        // given 10 topics in 3 partitions
        Layout layout = new Layout("/p/t", 1, 1, 1, 10, 0);

        // then the last block has what is left over
        assertThat(all(layout, new Spread(3, false)))
                .containsExactly(
                        "/p0/t.00000000",
                        "/p0/t.00000001",
                        "/p0/t.00000002",
                        "/p1/t.00000000",
                        "/p1/t.00000001",
                        "/p1/t.00000002",
                        "/p2/t.00000000",
                        "/p2/t.00000001",
                        "/p2/t.00000002",
                        "/p2/t.00000003");
    }

    @Test
    void shouldGiveEachPartitionItsFilter() {
        Layout layout = new Layout("/p/#", 1, 1, 2, 2, 0);

        assertThat(all(layout, new Spread(4, false))).containsExactly("/p0/#", "/p1/#", "/p2/#", "/p3/#");
    }

    @Test
    void shouldUseOnlySomePartitionsWhenThereAreFewerNames() {
        Layout layout = new Layout("/p/t", 1, 1, 1, 2, 0);

        assertThat(all(layout, new Spread(5, false))).containsExactly("/p0/t.00000000", "/p1/t.00000000");
    }

    @Test
    void shouldDealDestinationsInTurn() {
        // given 7 destinations for 3 sessions
        Layout layout = new Layout("t", 7, 1, 1, 3, 0);
        DestinationNames names = new DestinationNames(layout, new Spread(0, true));

        // then
        assertThat(names.of(new ClientPosition(0, 0, 0))).containsExactly("t.00000000", "t.00000003", "t.00000006");
        assertThat(names.of(new ClientPosition(1, 0, 0))).containsExactly("t.00000001", "t.00000004");
        assertThat(names.of(new ClientPosition(2, 0, 0))).containsExactly("t.00000002", "t.00000005");
    }

    @Test
    void shouldDealOverPartitionsFirst() {
        // given 2 destinations in each of 3 partitions
        Layout layout = new Layout("/p/t", 2, 1, 2, 2, 10);

        // then
        assertThat(all(layout, new Spread(3, true)))
                .containsExactlyInAnyOrder(
                        "/p0/t.00000010",
                        "/p1/t.00000010",
                        "/p2/t.00000010",
                        "/p0/t.00000011",
                        "/p1/t.00000011",
                        "/p2/t.00000011");
    }

    @Test
    void shouldGiveEachSessionOneDestinationWhenThereAreMoreSessions() {
        Layout layout = new Layout("/p/#", 1, 1, 1, 5, 0);

        assertThat(all(layout, new Spread(2, true))).containsExactly("/p0/#", "/p1/#", "/p0/#", "/p1/#", "/p0/#");
    }

    @Test
    void shouldRefusePartitionsOfANameWithOneLevel() {
        assertThatThrownBy(() -> new DestinationNames(Layout.ofThreads("/p", 1), new Spread(2, false)))
                .hasMessageContaining("partitions need two, such as /p/t");
        assertThatThrownBy(() -> new DestinationNames(Layout.ofThreads("p/", 1), new Spread(2, false)))
                .hasMessageContaining("partitions need two");
    }

    @Test
    void shouldRefuseCountsThatCannotBe() {
        assertThatThrownBy(() -> Layout.ofThreads(" ", 1)).hasMessageContaining("name is empty");
        assertThatThrownBy(() -> Layout.ofThreads("q", 0)).hasMessageContaining("threads is 0");
        assertThatThrownBy(() -> new Layout("q", 1000, 1000, 1000, 1000, 0))
                .hasMessageContaining("clients and destinations in all");
        assertThatThrownBy(() -> new Layout("q", 1, 1, 1, 1, -1)).hasMessageContaining("eight digits");
        assertThatThrownBy(() -> new Spread(-1, false)).hasMessageContaining("partitions is -1");
    }

    private static List<String> all(Layout layout, Spread spread) {
        DestinationNames names = new DestinationNames(layout, spread);
        return layout.positions().stream()
                .flatMap(position -> names.of(position).stream())
                .toList();
    }
}
