package dev.avocet.core.broker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.FakeConsumer;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.topic.RetainedPlace;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.testkit.FaultyStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After a restart a retained message is a place, and is read when a subscriber or an administrator comes to it. */
@Timeout(60)
class RetainedOnDemandTest {
    private static final int COUNT = 300;

    @TempDir
    Path directory;

    private final FaultyStorage storage = new FaultyStorage();
    private TransactionRig rig;

    @BeforeEach
    void start() throws JournalException {
        rig = new TransactionRig(storage, directory);
        Transaction transaction = rig.begin();
        for (int i = 0; i < COUNT; i++) {
            rig.publish(transaction, TransactionRig.message("topic/" + i, "text " + i, true));
        }
        rig.commit(transaction);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void shouldReadNothingAtTheStart() throws JournalException {
        restart();

        assertThat(rig.broker.retained().count()).isEqualTo(COUNT);
        assertThat(unread()).hasSize(COUNT);
        assertThat(rig.statistics().readBackMessages()).isZero();
        assertThat(rig.statistics().liveReferences()).isEqualTo(COUNT);
    }

    @Test
    void shouldReadWhatASubscriberComesTo() throws JournalException {
        // given
        restart();
        SubscriptionQueue queue = rig.subscribe("client", "topic/#", 10 * COUNT);
        FakeConsumer consumer = rig.consume(queue);

        // when
        replay("client");

        // then
        rig.await(() -> consumer.received().size() >= COUNT);
        rig.loops.settle();
        assertThat(consumer.texts())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, COUNT).mapToObj(i -> "text " + i).toList());
        assertThat(unread()).isEmpty();
        assertThat(rig.statistics().liveReferences())
                .as("one each for the queue")
                .isEqualTo(2 * COUNT);
    }

    @Test
    void shouldReplayOnceWhenTheClientSubscribesAgainMeanwhile() throws JournalException {
        restart();
        SubscriptionQueue queue = rig.subscribe("client", "topic/#", 10 * COUNT);
        FakeConsumer consumer = rig.consume(queue);

        rig.on(queue, () -> rig.broker.replayRetained(subscription("client"), queue.home()));
        rig.on(queue, () -> rig.broker.replayRetained(subscription("client"), queue.home()));

        rig.await(() -> unread().isEmpty());
        rig.await(() -> consumer.received().size() >= COUNT);
        rig.loops.settle();
        assertThat(consumer.received()).hasSizeBetween(COUNT, 2 * COUNT);
        assertThat(queue.feeder()).isNull();
    }

    @Test
    void shouldReadWhatAnAdministratorComesTo() throws JournalException {
        restart();

        CompletableFuture<Void> read = rig.broker.retainedAdministration().load(TopicFilter.of("topic/7"));
        rig.await(read::isDone);

        assertThat(unread()).hasSize(COUNT - 1);
        assertThat(rig.broker.retained().find(TopicName.of("topic/7"), 0).payload())
                .isEqualTo("text 7".getBytes(UTF_8));
        assertThat(rig.statistics().liveReferences()).isEqualTo(COUNT);
    }

    @Test
    void shouldKeepWhatWasNotReadThroughACheckpoint() throws JournalException {
        restart();
        restart();

        shouldReadWhatASubscriberComesTo();
    }

    @Test
    void shouldGiveUpWhatTheDiskHasDamaged() throws IOException {
        // given
        rig.close();
        overwrite("text 17");
        rig = new TransactionRig(storage, directory);
        assertThat(unread()).hasSize(COUNT);

        // when
        CompletableFuture<Void> read = rig.broker.retainedAdministration().load(TopicFilter.of("#"));
        rig.await(read::isDone);

        // then
        assertThat(rig.broker.retained().count()).isEqualTo(COUNT - 1);
        assertThat(rig.broker.retained().isHeld(TopicName.of("topic/17"))).isFalse();
        assertThat(rig.statistics().lostMessages()).isEqualTo(1);
        assertThat(rig.statistics().liveReferences()).isEqualTo(COUNT - 1);
        assertThat(Objects.requireNonNull(rig.store).hasFailed()).isFalse();
    }

    private void overwrite(String text) throws IOException {
        Pattern whole = Pattern.compile(text + "\\D");
        for (Path file : storage.list(TransactionRig.journal(directory))) {
            byte[] all = new byte[(int) storage.sizeBytes(file)];
            try (StorageFile open = storage.openForReading(file)) {
                int read = open.readFully(ByteBuffer.wrap(all), 0);
                assertThat(read).isEqualTo(all.length);
            }
            Matcher found = whole.matcher(new String(all, ISO_8859_1));
            if (found.find()) {
                storage.overwrite(file, found.start(), (byte) 'T');
                return;
            }
        }
        throw new AssertionError(text + " is not in the journal");
    }

    private void replay(String client) {
        Subscription subscription = subscription(client);
        rig.on(
                subscription.queue(),
                () -> rig.broker.replayRetained(
                        subscription, subscription.queue().home()));
    }

    private Subscription subscription(String client) {
        return rig.broker.sessions().find(client).subscriptions().iterator().next();
    }

    private List<RetainedPlace> unread() {
        List<RetainedPlace> places = new ArrayList<>();
        rig.broker.retained().forEachUnread(places::add);
        return places;
    }

    private void restart() throws JournalException {
        rig.close();
        rig = new TransactionRig(storage, directory);
        rig.loops.settle();
    }
}
