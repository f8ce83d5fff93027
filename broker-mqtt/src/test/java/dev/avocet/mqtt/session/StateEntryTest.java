package dev.avocet.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.JournalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Entries of a session's log: what is written is read, whatever is read. */
class StateEntryTest {
    @Test
    void shouldWriteConsecutiveIdentifiersWithConsecutiveReferencesAsOneRun() throws JournalException {
        // given
        StateEntryWriter entry = new StateEntryWriter();
        for (int i = 0; i < 1000; i++) {
            entry.add(StateChange.IN_FLIGHT_AT_LEAST_ONCE, 60_000 + i, 7, 1L << 40 | i);
        }

        // when
        byte[] bytes = entry.toByteArray();

        // then
        assertThat(bytes)
                .as("version, kind, 3 + 2 bytes of identifiers, 1 + 6 of queue and reference")
                .hasSize(14);
        assertThat(read(bytes)).hasSize(1000).endsWith("IN_FLIGHT_AT_LEAST_ONCE 60999 7 " + (1L << 40 | 999));
    }

    @Test
    void shouldBeginANewRunWhereverSomethingIsDifferent() throws JournalException {
        // given
        StateEntryWriter entry = new StateEntryWriter();
        entry.add(StateChange.IN_FLIGHT_EXACTLY_ONCE, 1, 7, 100);
        entry.add(StateChange.IN_FLIGHT_EXACTLY_ONCE, 2, 7, 102);
        entry.add(StateChange.IN_FLIGHT_EXACTLY_ONCE, 3, 8, 103);
        entry.add(StateChange.IN_FLIGHT_AT_LEAST_ONCE, 4, 8, 104);
        entry.add(StateChange.RECEIVED, 5);
        entry.add(StateChange.RECEIVED, 7);
        entry.add(StateChange.COMPLETED, 8);

        // when and then
        assertThat(read(entry.toByteArray()))
                .containsExactly(
                        "IN_FLIGHT_EXACTLY_ONCE 1 7 100",
                        "IN_FLIGHT_EXACTLY_ONCE 2 7 102",
                        "IN_FLIGHT_EXACTLY_ONCE 3 8 103",
                        "IN_FLIGHT_AT_LEAST_ONCE 4 8 104",
                        "RECEIVED 5",
                        "RECEIVED 7",
                        "COMPLETED 8");
    }

    @Test
    void shouldBeginAnewAfterAReset() throws JournalException {
        StateEntryWriter entry = new StateEntryWriter();
        entry.add(StateChange.RECEIVED, 5);
        entry.end();
        entry.reset();
        assertThat(entry.isEmpty()).isTrue();

        entry.add(StateChange.RECEIVED, 6);

        assertThat(read(entry.toByteArray())).containsExactly("RECEIVED 6");
    }

    @Property(tries = 500)
    void shouldReadWhatItWrites(@ForAll long seed) throws JournalException {
        // given
        Random random = new Random(seed);
        StateEntryWriter entry = new StateEntryWriter();
        List<String> written = new ArrayList<>();
        int packetId = 1 + random.nextInt(65_535);
        long reference = 1L + random.nextInt(1_000_000);
        StateChange change = StateChange.RECEIVED;
        for (int i = random.nextInt(300); i > 0; i--) {
            change = random.nextInt(4) > 0 ? change : StateChange.of(1 + random.nextInt(7));
            packetId = random.nextInt(8) > 0 ? packetId % 65_535 + 1 : 1 + random.nextInt(65_535);
            reference = random.nextInt(8) > 0 ? reference + 1 : 1 + (random.nextLong() >>> 1);
            long queueId = 1L + random.nextInt(2);
            if (change.isInFlight()) {
                entry.add(change, packetId, queueId, reference);
                written.add(change + " " + packetId + " " + queueId + " " + reference);
            } else {
                entry.add(change, packetId);
                written.add(change + " " + packetId);
            }
        }

        // when and then
        if (!entry.isEmpty()) {
            assertThat(read(entry.toByteArray())).isEqualTo(written);
        }
    }

    @Property(tries = 5000)
    void shouldSurviveAnyBytes(@ForAll @Size(max = 60) byte[] bytes) {
        assertSurvives(bytes);
    }

    @Property(tries = 5000)
    void shouldSurviveAnythingInTheRightVersion(@ForAll @Size(min = 1, max = 60) byte[] bytes) {
        bytes[0] = StateChange.VERSION;
        assertSurvives(bytes);
    }

    @Test
    void shouldRefuseWhatIsNoState() {
        refuses("ends too early");
        refuses("has format 2", 2);
        refuses("has number 0", 1, 0);
        refuses("has number 8", 1, 8, 1, 0);
        refuses("no packet identifiers", 1, 3, 0, 0);
        refuses("no packet identifiers", 1, 3, 0x80, 0x80, 4, 0);
        refuses("no packet identifiers", 1, 3, 2, 0xFE, 0xFF, 3);
        refuses("no queue", 1, 1, 1, 0, 0, 1);
        refuses("no queue", 1, 1, 1, 0, 1, 0);
        refuses("ends too early", 1, 1, 1, 0, 1);
        refuses("does not end", 1, 3, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80);
    }

    private static void refuses(String why, int... bytes) {
        byte[] entry = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            entry[i] = (byte) bytes[i];
        }
        assertThatThrownBy(() -> new MqttSession().replay(entry, 0, entry.length))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(why);
    }

    private static void assertSurvives(byte[] bytes) {
        MqttSession session = new MqttSession();
        try {
            session.replay(bytes, 0, bytes.length);
        } catch (JournalException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
        session.snapshot(entry -> {
            try {
                assertThat(read(entry)).isNotEmpty();
            } catch (JournalException e) {
                throw new AssertionError(e);
            }
        });
    }

    static List<String> read(byte[] bytes) throws JournalException {
        List<String> changes = new ArrayList<>();
        StateEntryReader entry = new StateEntryReader(bytes, 0, bytes.length);
        while (entry.next()) {
            for (int i = 0; i < entry.count(); i++) {
                String change = entry.change() + " " + (entry.firstPacketId() + i);
                changes.add(
                        entry.change().isInFlight()
                                ? change + " " + entry.queueId() + " " + (entry.firstReference() + i)
                                : change);
            }
        }
        return changes;
    }
}
