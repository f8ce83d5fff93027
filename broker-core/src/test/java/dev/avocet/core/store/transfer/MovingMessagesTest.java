package dev.avocet.core.store.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.Messages;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.store.transfer.QueueReferences.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the store moves while it is exported is not missing from the export. */
final class MovingMessagesTest {
    private static final long FIRST = 1;
    private static final long SECOND = 2;
    private static final long THIRD = 3;

    private final Map<Long, Message> disk = new HashMap<>();
    private final Map<Long, Place> queue = new TreeMap<>();
    private final List<List<Long>> asked = new ArrayList<>();
    private Runnable beforeRead = () -> {};
    private Runnable afterRead = () -> {};

    private final MovingMessages messages = new MovingMessages(this::fetch, () -> List.copyOf(queue.values()));

    @Test
    void shouldReadAgainWhereAMessageHasBeenMoved() throws Exception {
        // given
        List<Place> noted = threeMessages();

        // when the store moves the one in the middle after its place was noted
        move(SECOND, 1_200);
        @Nullable Message[] found = messages.read(noted);

        // then it alone is read again
        assertThat(texts(found)).containsExactly("message 1", "message 2", "message 3");
        assertThat(asked).containsExactly(List.of(100L, 200L, 300L), List.of(1_200L));
    }

    @Test
    void shouldReadAgainAsOftenAsAMessageIsMoved() throws Exception {
        // given a store that moves the last message before each read but the last one that is allowed
        List<Place> noted = threeMessages();
        beforeRead = () -> {
            if (asked.size() < MovingMessages.ATTEMPTS - 1) {
                move(THIRD, 1_300 + asked.size());
            }
        };

        // when
        @Nullable Message[] found = messages.read(noted);

        // then
        assertThat(texts(found)).containsExactly("message 1", "message 2", "message 3");
        assertThat(asked).hasSize(MovingMessages.ATTEMPTS);
    }

    @Test
    void shouldGiveUpRatherThanLeaveOutAMessageThatIsMovedEachTime() {
        // given
        List<Place> noted = threeMessages();
        beforeRead = () -> move(SECOND, 1_200 + asked.size());

        // when
        assertThatThrownBy(() -> messages.read(noted))
                // then
                .isInstanceOf(TransferException.class)
                .hasMessage("the store has moved a message 5 times while it was being read; export again");
        assertThat(asked).hasSize(MovingMessages.ATTEMPTS);
    }

    @Test
    void shouldLeaveOutWhatHasLeftTheQueueMeanwhile() throws Exception {
        // given
        List<Place> noted = threeMessages();
        disk.remove(100L);
        queue.remove(FIRST);

        // when
        @Nullable Message[] found = messages.read(noted);

        // then
        assertThat(texts(found)).containsExactly(null, "message 2", "message 3");
        assertThat(asked).hasSize(1);
    }

    @Test
    void shouldSayWhichMessageIsDamaged() throws Exception {
        // given
        List<Place> noted = threeMessages();
        disk.put(300L, QueueStore.DAMAGED);

        // when
        @Nullable Message[] found = messages.read(noted);

        // then
        assertThat(found[2]).isSameAs(QueueStore.DAMAGED);
    }

    @Test
    void shouldSayThatAMessageIsDamagedThatTheQueueHasGivenUpSince() throws Exception {
        // given
        List<Place> noted = threeMessages();
        disk.put(300L, QueueStore.DAMAGED);
        afterRead = () -> queue.remove(THIRD);

        // when
        @Nullable Message[] found = messages.read(noted);

        // then
        assertThat(found[2]).isSameAs(QueueStore.DAMAGED);
        assertThat(asked).hasSize(1);
    }

    private List<Place> threeMessages() {
        for (long reference = FIRST; reference <= THIRD; reference++) {
            disk.put(reference * 100, Messages.message("message " + reference));
            queue.put(reference, new Place(reference, reference * 100, 10, null));
        }
        return List.copyOf(queue.values());
    }

    private void move(long reference, long position) {
        Place before = queue.put(reference, new Place(reference, position, 10, null));
        disk.put(position, disk.remove(before.position()));
    }

    private @Nullable Message[] fetch(List<Place> places) {
        beforeRead.run();
        asked.add(places.stream().map(Place::position).toList());
        @Nullable Message[] found =
                places.stream().map(place -> disk.get(place.position())).toArray(Message[]::new);
        afterRead.run();
        return found;
    }

    private static List<@Nullable String> texts(@Nullable Message[] found) {
        List<@Nullable String> texts = new ArrayList<>();
        for (Message message : found) {
            texts.add(message == null ? null : Messages.text(message));
        }
        return texts;
    }
}
