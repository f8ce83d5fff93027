package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.broker.SessionAdministration.Ending;
import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.DurableNamespaceAdminSub;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.server.broker.content.ClientAdministration;
import dev.avocet.server.broker.content.NotInTimeException;
import dev.avocet.server.broker.content.Page;
import dev.avocet.server.broker.content.SubscriptionFacts;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * JMS clients, MQTT clients and an administrator use one name, and share one subscription: our JMS client, Paho, and a
 * broker with a store.
 */
final class OneSharedSubscriptionTest {
    private static final long PATIENCE_MS = SharedMember.PATIENCE.toMillis();
    private static final long LONG_S = 100_000;

    private static Path data;

    @SuppressWarnings("NonFinalStaticField") // another one after a restart
    private static ConfigurationStore objects;

    @SuppressWarnings("NonFinalStaticField") // another one after a restart
    private static RunningBroker broker;

    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void startAnew(@TempDir Path directory) throws Exception {
        data = directory;
        start();
    }

    private static void start() throws Exception {
        objects = ConfigurationStore.open(data.resolve("config"));
        broker = OneBroker.start(ConfigurationFile.parse("""
                        {"ioThreads": 2,
                         "endpoints": [{"port": 0, "maxMessageSizeBytes": 65536}],
                         "store": {"mode": "os", "journal": "file", "segmentBytes": 1048576}}
                        """), data, failure -> {});
        broker.attach(objects, false);
    }

    @AfterAll
    static void stop() {
        objects.close();
        broker.close();
    }

    @AfterEach
    void closeClients() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void shouldDivideMessagesAmongMembersOfAllKinds() throws Exception {
        // given
        administer("all");
        SharedMember mqtt = member("all-mqtt", LONG_S, "$SharedSubscription/all/all/#");
        List<String> jms = new CopyOnWriteArrayList<>();
        durable(jms(), "all").setMessageListener(message -> jms.add(text(message)));

        // when
        publish("all/x", 20);

        // then
        await().atMost(SharedMember.PATIENCE).until(() -> jms.size() + mqtt.received.size() >= 20);
        List<String> both = new ArrayList<>(jms);
        both.addAll(mqtt.received);
        assertThat(both).doesNotHaveDuplicates().hasSize(20);
        assertThat(jms).as("they take turns").hasSize(10);
        assertThat(listed("all")).singleElement().satisfies(facts -> {
            assertThat(facts.id()).isEqualTo(new SubscriptionId("__Shared", "all"));
            assertThat(facts.shared()).isTrue();
            assertThat(facts.durable()).isTrue();
            assertThat(facts.administered()).isTrue();
            assertThat(facts.members()).isEqualTo(2);
            assertThat(facts.figures().consumers()).isEqualTo(2);
            assertThat(facts.figures().published()).isEqualTo(20);
        });
    }

    @Test
    void shouldKeepMessagesForWhoeverComesFirst() throws Exception {
        // given
        member("first-mqtt", LONG_S, "$SharedSubscription/first/first/#").disconnect();
        durable(jms(), "first").close();

        // when
        publish("first/x", 4);

        // then
        assertThat(one("first").figures().buffered()).isEqualTo(4);
        JMSContext context = jms();
        assertThat(text(durable(context, "first").receive(PATIENCE_MS))).isEqualTo("0");
        context.close();
        SharedMember back = SharedMember.connect(broker, "first-mqtt", LONG_S);
        open.add(back);
        back.await("1", "2", "3");
        await().atMost(SharedMember.PATIENCE).until(() -> one("first").figures().buffered() == 0);
    }

    @Test
    void shouldGiveToTheOtherProtocolWhatOneDidNotAcknowledge() throws Exception {
        // given
        SharedMember lazy = SharedMember.connect(broker, "lazy-mqtt", LONG_S, false);
        lazy.subscribe("$SharedSubscription/lazy/lazy/#");
        durable(jms(), "lazy").close();
        publish("lazy/x", 2);
        lazy.await("0", "1");

        // when
        lazy.disconnect();

        // then
        JMSContext context = new AvocetConnectionFactory(url()).createContext(JMSContext.CLIENT_ACKNOWLEDGE);
        open.add(context);
        JMSConsumer consumer = durable(context, "lazy");
        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("0");
        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("1");

        // when
        context.close();

        // then
        SharedMember back = SharedMember.connect(broker, "lazy-mqtt", LONG_S);
        open.add(back);
        back.await("0", "1");
    }

    @Test
    void shouldRefuseAnotherTopicOrSelectorUnderTheName() throws Exception {
        // given
        member("other-mqtt", LONG_S, "$SharedSubscription/other/other/#").disconnect();
        JMSContext context = jms();

        // when, then
        assertThatThrownBy(() -> context.createSharedDurableConsumer(context.createTopic("else/#"), "other"))
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessageContaining("other")
                .hasMessageContaining("else/#");
        assertThatThrownBy(() -> context.createSharedDurableConsumer(context.createTopic("other/#"), "other", "n > 1"))
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessageContaining("selector");
        durable(context, "other").close();
        assertThatThrownBy(() -> context.createSharedDurableConsumer(context.createTopic("other/#"), "other", "n > 1"))
                .as("the member that is away still wants all")
                .isInstanceOf(JMSRuntimeException.class);

        // and the other way round
        context.createSharedDurableConsumer(context.createTopic("mine/#"), "mine", "n > 1")
                .close();
        SharedMember mqtt = member("mine-mqtt", LONG_S, "$share/mine/mine/#");
        assertThat(mqtt.subscribe("$SharedSubscription/mine/mine/#")).isEqualTo(0x8F);
    }

    @Test
    void shouldChooseMessagesForAllWhoShareASelector() throws Exception {
        // given
        JMSContext context = jms();
        JMSConsumer consumer = context.createSharedDurableConsumer(context.createTopic("choice/#"), "choice", "n > 1");

        // when
        for (int n = 1; n <= 3; n++) {
            context.createProducer().setProperty("n", n).send(context.createTopic("choice/x"), "" + n);
        }

        // then
        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("2");
        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("3");
        assertThat(one("choice").figures().published()).as("nothing else waits").isEqualTo(2);
    }

    @Test
    void shouldStayUntilBothSidesHaveLeft() throws Exception {
        // given
        JMSContext context = jms();
        JMSConsumer consumer = durable(context, "stay");
        SharedMember mqtt = member("stay-mqtt", LONG_S, "$SharedSubscription/stay/stay/#");
        assertThatThrownBy(() -> context.unsubscribe("stay")).isInstanceOf(JMSRuntimeException.class);
        consumer.close();

        // when
        context.unsubscribe("stay");
        publish("stay/x", 1);

        // then
        mqtt.await("0");
        assertThat(one("stay").members()).isEqualTo(1);
        assertThatThrownBy(() -> context.unsubscribe("stay")).isInstanceOf(InvalidDestinationRuntimeException.class);

        // when
        durable(context, "stay").close();
        mqtt.unsubscribe("$SharedSubscription/stay/stay/#");
        publish("stay/x", 1);

        // then
        JMSConsumer again = durable(context, "stay");
        assertThat(text(again.receive(PATIENCE_MS))).isEqualTo("0");
        again.close();
        context.unsubscribe("stay");
        assertThat(listed("stay")).isEmpty();
    }

    @Test
    void shouldShareWhileConsumersAreThere() throws Exception {
        // given
        SharedMember mqtt = member("brief-mqtt", 0, "$SharedSubscription/brief/brief/#");
        JMSContext context = jms();
        List<String> jms = new CopyOnWriteArrayList<>();
        context.createSharedConsumer(context.createTopic("brief/#"), "brief")
                .setMessageListener(message -> jms.add(text(message)));
        durable(jms(), "brief").close();

        // when
        publish("brief/x", 10);

        // then
        await().atMost(SharedMember.PATIENCE).until(() -> jms.size() + mqtt.received.size() == 10);
        assertThat(listed("brief"))
                .extracting(SubscriptionFacts::id)
                .containsExactlyInAnyOrder(
                        new SubscriptionId("__SharedND", "brief"), new SubscriptionId("__Shared", "brief"));
        assertThat(one("brief").figures().buffered())
                .as("the durable one has its own")
                .isEqualTo(10);
        assertThatThrownBy(() -> context.createSharedConsumer(context.createTopic("else/#"), "brief"))
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessageContaining("brief/#");
    }

    @Test
    void shouldGiveJmsConsumersWhatWaitsForAnAdministratorsBriefSubscription() throws Exception {
        // given
        change("{\"NonpersistentAdminSub\": {\"wait\": {\"TopicFilter\": \"wait/#\","
                + " \"TopicPolicy\": \"DemoTopicPolicy\"}}}");
        publish("wait/x", 1);

        // when
        JMSContext context = jms();
        JMSConsumer consumer = context.createSharedConsumer(context.createTopic("wait/#"), "wait");

        // then
        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("0");
        assertThat(listed("wait"))
                .singleElement()
                .satisfies(facts -> assertThat(facts.id()).isEqualTo(new SubscriptionId("__SharedND", "wait")));
    }

    @Test
    void shouldKeepWhatOneJmsClientSharesForItself() throws Exception {
        // given
        JMSContext context = new AvocetConnectionFactory(url()).createContext();
        open.add(context);
        context.setClientID("reader");
        durable(context, "own").close();
        context.createDurableConsumer(context.createTopic("own/#"), "unshared").close();
        context.createConsumer(context.createTopic("own/#"));
        SharedMember mqtt = member("own-mqtt", LONG_S, "$SharedSubscription/own/own/#");

        // when
        publish("own/x", 1);

        // then
        mqtt.await("0");
        assertThat(text(durable(context, "own").receive(PATIENCE_MS))).isEqualTo("0");
        Page<SubscriptionFacts> page = new Page<>("", 10);
        clients().subscriptions(facts -> facts.topicFilter().equals("own/#"), page);
        assertThat(page.content())
                .extracting(facts -> facts.id().owner() + ' ' + facts.shared())
                .containsExactlyInAnyOrder("__Shared true", "jms:reader true", "jms:reader false", "jms:reader false");
        assertThat(page.content())
                .extracting(SubscriptionFacts::id)
                .contains(new SubscriptionId("jms:reader", "own"), new SubscriptionId("jms:reader", "unshared"));
    }

    @Test
    void shouldEndForAllWhenAnAdministratorDeletesIt() throws Exception {
        // given
        JMSContext context = jms();
        List<JMSException> problems = new CopyOnWriteArrayList<>();
        context.setExceptionListener(problems::add);
        JMSConsumer consumer = durable(context, "gone");
        consumer.setMessageListener(message -> {});
        member("gone-mqtt", LONG_S, "$SharedSubscription/gone/gone/#").disconnect();
        SubscriptionId id = new SubscriptionId("__Shared", "gone");

        // when, then
        assertThat(clients().endSubscription(id, false)).isEqualTo(Ending.CONNECTED);
        assertThat(clients().endSubscription(id, true)).isEqualTo(Ending.GONE);
        assertThat(listed("gone")).isEmpty();
        await().atMost(SharedMember.PATIENCE).until(() -> !problems.isEmpty());
        assertThat(problems.get(0)).hasMessageContaining("an administrator has ended the subscription");
        assertThatThrownBy(() -> jms().unsubscribe("gone")).isInstanceOf(InvalidDestinationRuntimeException.class);
        durable(jms(), "gone").close();
        assertThat(one("gone").members()).isEqualTo(1);
    }

    @Test
    void shouldObeyTheAdministratorWhoComesLater() throws Exception {
        // given
        durable(jms(), "later").close();
        publish("later/x", 1);

        // when
        administer("later");
        change("{\"SubscriptionPolicy\": {\"Small\": {\"Subscription\": \"*\", \"Protocol\": \"MQTT,JMS\","
                + " \"ActionList\": \"Receive,Control\", \"MaxMessages\": 7}},"
                + " \"DurableNamespaceAdminSub\": {\"later\": {\"SubscriptionPolicy\": \"Small\"}}}");

        // then
        assertThat(one("later")).satisfies(facts -> {
            assertThat(facts.administered()).isTrue();
            assertThat(facts.maxMessages()).isEqualTo(7);
            assertThat(facts.figures().buffered()).isEqualTo(1);
        });
        change("{\"SubscriptionPolicy\": {\"Small\": {\"MaxMessages\": 9}}}");
        await().atMost(SharedMember.PATIENCE).until(() -> one("later").maxMessages() == 9);
        JMSContext context = jms();
        context.unsubscribe("later");
        assertThat(one("later").figures().buffered())
                .as("it is the administrator's")
                .isEqualTo(1);
        JMSConsumer consumer = durable(context, "later");
        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("0");

        // when
        objects.apply(
                List.of(new ConfigurationChange.Delete(key("later"), Set.of(DeleteOption.DISCARD_SHARERS))),
                ConfigurationStore.ANY_VERSION);

        // then
        await().atMost(SharedMember.PATIENCE).until(() -> listed("later").isEmpty());
        assertThatThrownBy(() -> jms().unsubscribe("later")).isInstanceOf(InvalidDestinationRuntimeException.class);
    }

    @Test
    void shouldBeOneAfterARestart() throws Exception {
        // given
        member("again-mqtt", LONG_S, "$SharedSubscription/again/again/#").disconnect();
        durable(jms(), "again").close();
        publish("again/x", 3);
        closeClients();
        open.clear();

        // when
        stop();
        start();

        // then
        assertThat(one("again").members()).isEqualTo(2);
        assertThat(text(durable(jms(), "again").receive(PATIENCE_MS))).isEqualTo("0");
        publish("again/x", 1);
        closeClients();
        open.clear();
        SharedMember back = SharedMember.connect(broker, "again-mqtt", LONG_S);
        open.add(back);
        back.await("1", "2", "0");
    }

    private static String url() {
        return "avocet://127.0.0.1:" + broker.endpoints().get(0).getPort();
    }

    /** Without a client identifier. */
    private JMSContext jms() {
        JMSContext context = new AvocetConnectionFactory(url()).createContext();
        open.add(context);
        return context;
    }

    private static JMSConsumer durable(JMSContext context, String name) {
        return context.createSharedDurableConsumer(context.createTopic(name + "/#"), name);
    }

    private SharedMember member(String clientId, long expirySeconds, String filter) throws MqttException {
        SharedMember member = SharedMember.connect(broker, clientId, expirySeconds);
        open.add(member);
        member.subscribe(filter);
        return member;
    }

    private static void publish(String topic, int count) throws MqttException {
        try (SharedMember publisher = SharedMember.connect(broker, "publisher", 0)) {
            for (int i = 0; i < count; i++) {
                publisher.publish(topic, "" + i);
            }
        }
    }

    private static String text(Message message) {
        try {
            return message == null ? "nothing" : message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void administer(String name) throws Exception {
        change("{\"DurableNamespaceAdminSub\": {\"" + name + "\": {\"TopicFilter\": \"" + name + "/#\","
                + " \"SubscriptionPolicy\": \"DemoSubscriptionPolicy\"}}}");
    }

    private static void change(String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }

    private static ObjectKey key(String name) {
        return ObjectTypes.of(DurableNamespaceAdminSub.class).keyOf(name);
    }

    private static ClientAdministration clients() {
        return Objects.requireNonNull(broker.clients());
    }

    private static List<SubscriptionFacts> listed(String name) throws NotInTimeException {
        Page<SubscriptionFacts> page = new Page<>("", 10);
        clients().subscriptions(facts -> facts.id().name().equals(name), page);
        return page.content();
    }

    /** The durable one of that name, of which there is one. */
    private static SubscriptionFacts one(String name) throws NotInTimeException {
        List<SubscriptionFacts> durable =
                listed(name).stream().filter(SubscriptionFacts::durable).toList();
        assertThat(durable).hasSize(1);
        return durable.get(0);
    }
}
