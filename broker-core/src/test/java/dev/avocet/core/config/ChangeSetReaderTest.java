package dev.avocet.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.avocet.core.config.ConfigurationChange.Delete;
import dev.avocet.core.config.ConfigurationChange.DeleteMessagingPolicy;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.MessageHub;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ChangeSetReaderTest {
    private final Configuration base = DefaultConfiguration.create(new UUID(0, 1));

    @Test
    void shouldReadChangesAndDeletionsAsOneChange() throws Exception {
        // given
        Configuration before = changed(base, Map.of("Changes", Map.of("Queue", Map.of("old", Map.of()))));

        // when
        Configuration after = changed(
                before,
                Map.of(
                        "Changes",
                        Map.of("Queue", Map.of("new", Map.of("MaxMessages", 7L)), "LogLevel", "MAX"),
                        "Deletions",
                        List.of(Map.of("Type", "Queue", "Name", "old"))));

        // then
        assertThat(after.version()).isEqualTo(before.version() + 1);
        assertThat(after.find(Queue.class, "new"))
                .get()
                .extracting(Queue::maxMessages)
                .isEqualTo(7);
        assertThat(after.find(Queue.class, "old")).isEmpty();
    }

    @Test
    void shouldDeleteWhatTheSameChangeTakesTheLastReferenceFrom() throws Exception {
        // when: another hub takes the place of that of the samples
        Configuration after = changed(
                base,
                Map.of(
                        "Changes",
                        Map.of(
                                "MessageHub",
                                Map.of("Hall", Map.of()),
                                "Endpoint",
                                Map.of(
                                        "DemoEndpoint",
                                        Map.of("MessageHub", "Hall"),
                                        "DemoMqttEndpoint",
                                        Map.of("MessageHub", "Hall"))),
                        "Deletions",
                        List.of(Map.of("Type", "MessageHub", "Name", "DemoHub"))));

        // then
        assertThat(after.all(MessageHub.class)).extracting(MessageHub::name).containsExactly("Hall");
    }

    @Test
    void shouldChangeNothingWhenOneOfItIsWrongAndTellAllThatIs() {
        // when
        ConfigurationRefusedException refused = catchThrowableOfType(
                ConfigurationRefusedException.class,
                () -> changed(
                        base,
                        Map.of(
                                "Changes",
                                Map.of("Queue", Map.of("good", Map.of(), "bad", Map.of("MaxMessages", 0L))),
                                "Deletions",
                                List.of(
                                        Map.of("Type", "Queue", "Name", "absent"),
                                        Map.of("Type", "MessageHub", "Name", "DemoHub")))));

        // then
        assertThat(refused.problems())
                .extracting(problem -> problem.kind() + " " + problem.object() + " " + problem.property())
                .contains(
                        "INVALID Queue 'bad' MaxMessages", "NOT_FOUND Queue 'absent' ", "IN_USE MessageHub 'DemoHub' ");
        assertThat(base.find(Queue.class, "good")).isEmpty();
    }

    @Test
    void shouldReadWhatMayBeLostWithADeletion() throws Exception {
        assertThat(ChangeSetReader.read(Map.of(
                        "Deletions",
                        List.of(
                                Map.of("Type", "Queue", "Name", "orders", "DiscardMessages", true),
                                Map.of("Type", "Queue", "Name", "bills", "DiscardMessages", false),
                                Map.of("Type", "MessagingPolicy", "Name", "former")))))
                .containsExactly(
                        new Delete(ObjectTypes.of(Queue.class).keyOf("orders"), Set.of(DeleteOption.DISCARD_MESSAGES)),
                        new Delete(ObjectTypes.of(Queue.class).keyOf("bills"), Set.of()),
                        new DeleteMessagingPolicy("former"));
    }

    @Test
    void shouldNameEverythingThatItDoesNotUnderstand() {
        // when
        ConfigurationRefusedException refused = catchThrowableOfType(
                ConfigurationRefusedException.class,
                () -> ChangeSetReader.read(Map.of(
                        "Change",
                        Map.of(),
                        "Changes",
                        Map.of("Kueue", Map.of()),
                        "Deletions",
                        List.of(
                                Map.of("Type", "Queue"),
                                Map.of("Type", "Quue", "Name", "a"),
                                Map.of("Type", "Queue", "Name", "a", "DiscardMessages", "yes")))));

        // then
        assertThat(refused.problems())
                .extracting(problem -> problem.object() + ": " + problem.message())
                .containsExactlyInAnyOrder(
                        "Change: give Changes and Deletions",
                        "Kueue: is neither a type of object nor a value, did you mean 'Queue'?",
                        "Deletions: give each with Type and Name",
                        "Deletions: there are no objects of type 'Quue', did you mean 'Queue'?",
                        "Deletions: DiscardMessages must be true or false");
        assertThat(refused.problems()).extracting("kind").contains(Kind.NOT_FOUND, Kind.INVALID);
    }

    private static Configuration changed(Configuration before, Map<String, ?> changeSet)
            throws ConfigurationRefusedException {
        return before.changed(ChangeSetReader.read(changeSet), LiveUse.NONE, UnaryOperator.identity());
    }
}
