package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.session.SubscriptionId;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.Page;
import dev.avocet.server.broker.content.SubscriptionFacts;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JournalKind;
import dev.avocet.testkit.LivingFiles;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store of the version in which JMS and MQTT clients had a queue each for one shared durable subscription, as a crash
 * left it. In it are:
 *
 * <ul>
 *   <li>{@code shd2} of {@code se/#}: JMS has yet to get 2, 3 and 4, the MQTT client {@code member} 3 and 4
 *   <li>{@code only} of {@code so/#} for JMS with the selector {@code n > 1}, for which 1 and 2 wait
 *   <li>{@code apart}: for JMS of {@code sa/#}, for which 1 waits, and for {@code member} of {@code sb/#}, for which 2
 *     waits
 *   <li>{@code daily}, and {@code team} that its consumers share, of {@code news} and the JMS client {@code reader},
 *     for each of which 1 waits
 * </ul>
 */
final class FormerSharedSubscriptionsTest {
    private static final long PATIENCE_MS = SharedMember.PATIENCE.toMillis();
    private static final long MOMENT_MS = 150;

    @TempDir
    private Path folder;

    private Path data;
    private RunningBroker broker;

    @BeforeEach
    void start() throws Exception {
        data = folder.resolve("data");
        FormerStores.unpack("two-queues-of-one-shared-subscription", data);
        FormerStores.upgrade(data, JournalKind.FILE);
        broker = start(data);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldMakeOneSubscriptionOfTwo() throws Exception {
        // then
        assertThat(one("shd2")).satisfies(facts -> {
            assertThat(facts.members()).isEqualTo(2);
            assertThat(facts.figures().buffered()).isEqualTo(3);
        });

        // when
        List<String> received = receive("se/#", "shd2", null);

        // then
        assertThat(received).as("each once").containsExactlyInAnyOrder("2", "3", "4");
        try (SharedMember publisher = SharedMember.connect(broker, "publisher", 0);
                SharedMember member = SharedMember.connect(broker, "member", 100_000)) {
            publisher.publish("se/x", "5");
            member.await("2", "5"); // 2 is what waited apart
        }
        assertThat(one("shd2").figures().buffered()).isZero();
    }

    @Test
    void shouldStayOneWhateverEndsTheBroker() throws Exception {
        // given
        Path copy = folder.resolve("copy");
        try (JMSContext context = new AvocetConnectionFactory(url()).createContext()) {
            JMSConsumer consumer = context.createSharedDurableConsumer(context.createTopic("se/#"), "shd2");
            assertThat(consumer.receive(PATIENCE_MS)).isNotNull();
        }

        // when
        copy(data, copy);
        broker.close();
        broker = start(copy);

        // then
        assertThat(one("shd2").members()).isEqualTo(2);
        assertThat(receive("se/#", "shd2", null)).containsExactlyInAnyOrder("4", "2");

        // when
        broker.close();
        broker = start(copy);

        // then
        assertThat(one("shd2").members()).isEqualTo(2);
        assertThat(one("shd2").figures().buffered()).isZero();
    }

    @Test
    void shouldKeepTheSelector() throws Exception {
        assertThat(receive("so/#", "only", "n > 1")).containsExactly("2");
        try (JMSContext context = new AvocetConnectionFactory(url()).createContext()) {
            context.createProducer().setProperty("n", 1).send(context.createTopic("so/x"), "1");
        }
        assertThat(one("only").figures().buffered()).isZero();
    }

    @Test
    void shouldKeepApartWhatDiffersUntilOneIsOver() throws Exception {
        // then
        assertThat(one("apart").topicFilter()).isEqualTo("sb/#");
        assertThat(one("apart (JMS)").topicFilter()).isEqualTo("sa/#");
        assertThat(receive("sa/#", "apart", null)).containsExactly("1");

        // when
        try (JMSContext context = new AvocetConnectionFactory(url()).createContext()) {
            context.unsubscribe("apart");
        }

        // then
        assertThat(listed("apart (JMS)")).isEmpty();
        assertThat(receive("sb/#", "apart", null)).containsExactly("2");
    }

    @Test
    void shouldKeepWhatBelongsToOneJmsClient() throws Exception {
        assertThat(listed("daily")).singleElement().satisfies(facts -> {
            assertThat(facts.id()).isEqualTo(new SubscriptionId("jms:reader", "daily"));
            assertThat(facts.shared()).isFalse();
        });
        assertThat(listed("team")).singleElement().satisfies(facts -> {
            assertThat(facts.id()).isEqualTo(new SubscriptionId("jms:reader", "team"));
            assertThat(facts.shared()).isTrue();
        });
        try (JMSContext context = new AvocetConnectionFactory(url()).createContext()) {
            context.setClientID("reader");
            assertThat(all(context.createDurableConsumer(context.createTopic("news"), "daily")))
                    .containsExactly("1");
            assertThat(all(context.createSharedDurableConsumer(context.createTopic("news"), "team")))
                    .containsExactly("1");
        }
    }

    private List<String> receive(String topic, String name, String selector) throws JMSException {
        try (JMSContext context = new AvocetConnectionFactory(url()).createContext()) {
            return all(context.createSharedDurableConsumer(context.createTopic(topic), name, selector));
        }
    }

    private static List<String> all(JMSConsumer consumer) throws JMSException {
        List<String> texts = new ArrayList<>();
        Message message = consumer.receive(PATIENCE_MS);
        while (message != null) {
            texts.add(message.getBody(String.class));
            message = consumer.receive(MOMENT_MS);
        }
        consumer.close();
        return texts;
    }

    private SubscriptionFacts one(String name) throws NotInTimeException {
        assertThat(listed(name)).hasSize(1);
        return listed(name).get(0);
    }

    private List<SubscriptionFacts> listed(String name) throws NotInTimeException {
        Page<SubscriptionFacts> page = new Page<>("", 10);
        Objects.requireNonNull(broker.clients())
                .subscriptions(facts -> facts.id().name().equals(name), page);
        return page.content();
    }

    private String url() {
        return "avocet://127.0.0.1:" + broker.endpoints().get(0).getPort();
    }

    private static RunningBroker start(Path data) throws Exception {
        return OneBroker.start(ConfigurationFile.parse("""
                        {"ioThreads": 2,
                         "endpoints": [{"port": 0}],
                         "store": {"mode": "sync", "journal": "file", "segmentBytes": 4194304}}
                        """), data, failure -> {});
    }

    /** As a crash leaves them; a file that the broker renames meanwhile is left out. */
    private static void copy(Path from, Path to) throws IOException {
        for (Path each : LivingFiles.below(from)) {
            Path target = to.resolve(from.relativize(each));
            Files.createDirectories(target.getParent());
            try {
                Files.copy(each, target);
            } catch (NoSuchFileException e) {
                assertThat(each).as("a file that is not there yet for a reader").hasExtension("tmp");
            }
        }
    }
}
