package dev.avocet.core.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.testkit.FaultyStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is retained through two loops is the same in the running broker and in the one that comes after a crash. */
@Timeout(60)
class RetainedThroughLoopsTest {
    private static final TopicName TOPIC = TopicName.of("a");
    private static final QualityOfService QOS_0 = QualityOfService.AT_MOST_ONCE;
    private static final QualityOfService QOS_1 = QualityOfService.AT_LEAST_ONCE;

    @TempDir
    Path directory;

    private final FaultyStorage storage = new FaultyStorage();
    private TransactionRig rig;

    @BeforeEach
    void start() throws JournalException {
        rig = new TransactionRig(storage, directory);
        rig.await(() -> appends() > 0); // the life's first record
        rig.loops.settle();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void shouldBeRemovedByTheLastEntryWhicheverLoopHearsFirst() throws JournalException {
        for (QualityOfService removed : new QualityOfService[] {QOS_0, QOS_1}) {
            // given
            publish(0, QOS_1, "set");
            publish(1, removed, "");

            // when
            hearFirst(1);

            // then
            shouldRetainBeforeAndAfterACrash(null);
        }
    }

    @Test
    void shouldStayWhenItsEntryIsTheLastWhicheverLoopHearsFirst() throws JournalException {
        for (QualityOfService set : new QualityOfService[] {QOS_0, QOS_1}) {
            publish(1, QOS_1, "");
            publish(0, set, "set");

            hearFirst(0);

            shouldRetainBeforeAndAfterACrash("set");
        }
    }

    @Test
    void shouldKeepWhatIsPublishedAtQos0LastInTheJournal() throws JournalException {
        publish(0, QOS_1, "first");
        publish(1, QOS_0, "second");

        hearFirst(0);

        shouldRetainBeforeAndAfterACrash("second");
    }

    @Test
    void shouldGiveUpWhatIsPublishedAtQos0FirstInTheJournal() throws JournalException {
        publish(1, QOS_0, "first");
        publish(0, QOS_1, "second");

        hearFirst(0);

        shouldRetainBeforeAndAfterACrash("second");
    }

    @Test
    void shouldCountATransactionInPiecesFromItsEnd() throws JournalException {
        // given
        Transaction transaction = rig.begin();
        rig.publish(transaction, TransactionRig.message("a", "transaction", true));
        rig.prepare(transaction, TransactionRig.branch(1));
        publish(0, QOS_1, "between");
        rig.await(() -> retained() != null);

        // when
        rig.commit(TransactionRig.branch(1));

        // then
        shouldRetainBeforeAndAfterACrash("transaction");
    }

    @Test
    void shouldHaveRemovedWhatAnAdministratorRemoves() throws JournalException {
        publish(0, QOS_1, "set");
        rig.await(() -> retained() != null);

        CompletableFuture<Integer> gone = rig.broker
                .retainedAdministration()
                .remove(List.of(rig.broker.retained().find(TOPIC, 0)));
        rig.await(gone::isDone);

        assertThat(gone.join()).isEqualTo(1);
        shouldRetainBeforeAndAfterACrash(null);
    }

    @Test
    void shouldLetTheTracesOfRemovalsGo() {
        publish(0, QOS_1, "set");
        publish(1, QOS_1, "");
        hearFirst(1);
        assertThat(rig.broker.retained().removals()).isNotEmpty();

        rig.loops.advance(Duration.ofSeconds(2));

        rig.await(() -> rig.broker.retained().removals().isEmpty());
        assertThat(rig.statistics().liveReferences()).isZero();
    }

    private void shouldRetainBeforeAndAfterACrash(String text) throws JournalException {
        rig.loops.settle();
        assertThat(retained()).isEqualTo(text);
        assertThat(rig.statistics().liveReferences()).isEqualTo(text == null ? 0 : 1);
        rig.losePower();
        rig = new TransactionRig(storage, directory);
        rig.loops.settle();
        assertThat(retained()).as("after a crash").isEqualTo(text);
        assertThat(rig.statistics().liveReferences()).isEqualTo(text == null ? 0 : 1);
    }

    /** Publishes on a loop, whose record is appended before that of the next one. */
    private void publish(int loop, QualityOfService qos, String text) {
        long before = appends();
        rig.loops.on(loop, () -> {
            Publisher publisher = rig.broker.publisher(rig.loops.io(loop), (token, outcome) -> {});
            Message message = new Message(
                    TOPIC, qos, true, text.getBytes(UTF_8), MessageProperties.NONE, Message.NEVER, "publisher");
            publisher.publish(message, rig.broker.route(TOPIC, rig.loops.io(loop)), 0);
        });
        rig.loops.get(loop).runOne(); // the end of its batch
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> appends() > before);
    }

    private long appends() {
        return rig.store.commits().records();
    }

    /** Both entries are durable; one loop hears of it before the other does. */
    private void hearFirst(int loop) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> !rig.loops.get(0).isIdle() && !rig.loops.get(1).isIdle());
        rig.loops.get(loop).runAll();
        rig.loops.settle();
    }

    private String retained() {
        Message message = rig.broker.retained().find(TOPIC, 0);
        return message == null ? null : new String(message.payload(), UTF_8);
    }
}
