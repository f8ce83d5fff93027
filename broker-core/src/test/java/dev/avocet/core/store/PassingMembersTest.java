package dev.avocet.core.store;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Publisher;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.store.image.Recovery;
import dev.avocet.core.store.image.StoreImage;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualClock;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The durable queue of a shared subscription while all its members have sessions that are not stored. */
final class PassingMembersTest {
    private static final String TOPIC = "t/0";
    private static final String KEY = "$share/g/" + TOPIC;
    private static final long STORED = 3_600;
    private static final long PASSING = 0;

    @TempDir
    private Path directory;

    private final ManualClock clock = new ManualClock();
    private final FaultyStorage storage = new FaultyStorage();
    private ModelBroker life;
    private ModelFollower follower;

    @BeforeEach
    void begin() throws Exception {
        life = new ModelBroker(storage, directory, clock);
        follower = new ModelFollower(directory, clock, null);
    }

    @Test
    void shouldBeFollowedWhileNoStoredSessionNamesIt() throws Exception {
        // given: a stored session has made it durable, and a session that is not stored keeps it
        ModelClient stored = joined("stored", STORED, 0);
        ModelClient passing = joined("passing", PASSING, 1);
        leave(stored);

        // when: messages come, and checkpoints pass
        publish(3);
        pass(4);
        ModelClient again = joined("stored", STORED, 0);

        // then
        allShouldSayTheSame(3);
        assertThat(passing.isConnected()).isTrue();
        assertThat(again.isConnected()).isTrue();
    }

    @Test
    void shouldBeFollowedWhenAMemberWasThereBeforeTheFirstStoredOne() throws Exception {
        joined("passing", PASSING, 1);
        ModelClient stored = joined("stored", STORED, 0);
        leave(stored);

        publish(3);
        pass(4);
        joined("another", STORED, 2);

        allShouldSayTheSame(3);
    }

    @Test
    void shouldBeInTheCheckpointsOfBrokerAndFollower() throws Exception {
        // given
        ModelClient stored = joined("stored", STORED, 0);
        joined("passing", PASSING, 1);
        leave(stored);
        publish(2);
        pass(1);

        // when: the follower goes on with a checkpoint of its own, and another one with that of the broker
        follower.restart();
        StoreImage late = new Recovery(
                        ModelBroker.journal(storage.copy(), directory),
                        storage.copy(),
                        directory,
                        ModelBroker.formats(),
                        NoteState::new,
                        clock)
                .image();
        pass(4);
        joined("stored", STORED, 0);

        // then
        allShouldSayTheSame(2);
        ModelBroker.journal(durable(), directory).scan(late.from(), late::apply);
        assertThat(ModelText.of(late.handOver())).isEqualTo(ModelText.of(life));
    }

    @Test
    void shouldBeForgottenOnceItsLastMemberHasLeft() throws Exception {
        // given
        ModelClient stored = joined("stored", STORED, 0);
        ModelClient passing = joined("passing", PASSING, 1);
        leave(stored);
        publish(3);
        pass(4);
        assertThat(image().references()).isEqualTo(3);

        // when
        leave(passing);
        pass(4);

        // then
        assertThat(image().queues()).isEmpty();
    }

    @Test
    void shouldEndWithTheLifeOfTheBroker() throws Exception {
        // given
        ModelClient stored = joined("stored", STORED, 0);
        joined("passing", PASSING, 1);
        leave(stored);
        publish(3);
        pass(1);

        // when: the broker is killed
        storage.losePower(null);
        life = new ModelBroker(storage, directory, clock);
        life.settle();

        // then
        assertThat(image().queues()).isEmpty();
        allShouldSayTheSame(0);
    }

    private ModelClient joined(String id, long expirySeconds, int loop) {
        ModelClient client = new ModelClient(life.broker, id);
        IoLoop home = life.loops.io(loop);
        life.loops.on(home, () -> client.connect(true, expirySeconds, null, home));
        life.settle();
        SubscriptionRequest request = new SubscriptionRequest(
                KEY,
                TopicFilter.of(TOPIC),
                ShareNames.mixed("g", TOPIC),
                new DeliveryOptions(AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS),
                false,
                new QueueLimits(10, 0, FullBehavior.REJECT_NEW_MESSAGES));
        life.loops.on(home, () -> client.subscribe(request, false));
        life.settle();
        return client;
    }

    private void leave(ModelClient client) {
        life.loops.on(client.loop(), () -> client.unsubscribe(KEY));
        life.settle();
    }

    private void publish(int count) {
        IoLoop loop = life.loops.io(2);
        Publisher publisher = life.broker.publisher(loop, (token, outcome) -> {});
        for (int i = 0; i < count; i++) {
            Message message = new Message(
                    TopicName.of(TOPIC),
                    AT_LEAST_ONCE,
                    false,
                    new byte[20],
                    MessageProperties.NONE,
                    Message.NEVER,
                    "publisher");
            life.loops.on(loop, () -> publisher.publish(message, life.broker.route(message.topic(), loop), 0));
        }
        life.settle();
    }

    /** So many checkpoints are taken, and the follower hears of them. */
    private void pass(int checkpoints) throws Exception {
        for (int i = 0; i < checkpoints; i++) {
            life.checkpoint(() -> {});
            life.settle();
        }
        follower.feed(storage);
    }

    private FaultyStorage durable() {
        FaultyStorage disk = storage.copy();
        disk.losePower(null);
        return disk;
    }

    /** What the whole journal says. */
    private RecoveredState image() throws JournalException {
        StoreImage image = StoreImage.empty(ModelBroker.formats(), NoteState::new);
        ModelBroker.journal(durable(), directory).scan(Position.BEGINNING, image::apply);
        return image.state();
    }

    private void allShouldSayTheSame(int references) throws JournalException {
        life.settle();
        follower.feed(storage);
        String running = ModelText.of(life);
        assertThat(running.lines().filter(line -> line.contains(" bytes"))).hasSize(references);
        assertThat(ModelText.of(ModelBroker.recover(durable(), directory, clock)))
                .as("recovered")
                .isEqualTo(running);
        assertThat(ModelText.of(follower.takeOver(durable()))).as("followed").isEqualTo(running);
    }
}
