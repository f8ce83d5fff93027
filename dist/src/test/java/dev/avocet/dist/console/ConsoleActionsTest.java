package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.avocet.dist.Administered;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.XAJMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What administrators do with messages, transactions and traces at the console of the packaged broker. */
@InTurn
@Timeout(240)
class ConsoleActionsTest {
    private static final String SCRIPT = "<img src=x onerror=document.title='taken'>";
    private static final long PATIENCE_MS = 30_000;

    private static Administered broker;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        browser = ConsoleBrowser.start();
        broker = Administered.start(data, Map.of());
        Path password = Files.writeString(data.resolve("password"), "pencil");
        broker.adminDoneHere("user", "create", "vera", "--new-password-file", password.toString());
        broker.adminDoneHere(
                "configuration-policy", "create", "Looking", "--user-id", "vera", "--action-list", "View,Monitor");
        broker.adminDoneHere(
                "admin-endpoint", "update", "--configuration-policies", "Looking,AdminDefaultConfigPolicy");
        broker.adminDoneHere("queue", "create", "dead");
        broker.adminDoneHere("queue", "create", "orders", "--dead-letter-queue", "dead", "--max-deliveries", "1");
        for (String queue : new String[] {"bills", "other", "texts", "tried"}) {
            broker.adminDoneHere("queue", "create", queue);
        }
        broker.adminDoneHere("server", "update", "--admin-user-password-file", password.toString());
        broker.login("admin", password);
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void requireThatItComplainsOfNothingAndAsksNoOtherHost() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldSendAMessageThatAJmsClientGets() {
        // given
        Page page = queue("bills");
        button(page, "Send a message").click();

        // when: what is no JSON is told before it is sent
        page.getByLabel("Payload is").selectOption("json");
        field(page, "Payload to send").fill("{\"total\": 12");
        button(page, "Send").click();

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("The payload is not JSON");

        // when
        field(page, "Payload to send").fill("{\"total\": 12}");
        page.getByLabel("Priority").selectOption("9");
        page.getByText("Headers and more").click();
        field(page, "Correlation identifier").fill("c-1");
        field(page, "Property 1, name").fill("plant");
        field(page, "Property 1, value").fill("7");
        page.getByLabel("Property 1, type").selectOption("number");
        button(page, "Send").click();

        // then
        assertThat(page.getByText("The queue has taken the message.")).isVisible();
        assertThat(page.locator("tbody tr")).hasCount(1);
        try (JMSContext context = connect()) {
            JMSConsumer consumer =
                    context.createConsumer(context.createQueue("bills"), "plant = 7 AND JMSPriority = 9");
            assertThat(consumer.receiveBody(String.class, PATIENCE_MS)).isEqualTo("{\"total\": 12}");
        }
    }

    @Test
    void shouldShowAMessageAsTextJsonAndBytesWhateverItHolds() throws Exception {
        // given
        broker.adminDoneHere(
                "queue", "send", "texts", "{\"a\": \"" + SCRIPT + "\"}", "--property", SCRIPT + "=" + SCRIPT);
        Page page = queue("texts");

        // when
        page.locator("tbody .link").click();

        // then
        Locator box = page.getByRole(AriaRole.DIALOG);
        assertThat(box).containsText(SCRIPT);
        Locator payload = box.getByLabel("Payload", new Locator.GetByLabelOptions().setExact(true));
        assertThat(payload).hasText("{\n  \"a\": \"" + SCRIPT + "\"\n}");

        // when
        box.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Hex"))
                .click();

        // then
        assertThat(payload).containsText("000000  7b 22 61 22 3a 20 22 3c");

        // when
        box.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Text"))
                .click();

        // then
        assertThat(payload).hasText("{\"a\": \"" + SCRIPT + "\"}");
        assertThat(page.locator("img[src=x]")).hasCount(0);
        assertThat(page.title()).isNotEqualTo("taken");
    }

    @Test
    void shouldMoveAndDeleteTheMessagesThatAreSelected() throws Exception {
        // given
        for (String text : new String[] {"first", "second", "third"}) {
            broker.adminDoneHere("queue", "send", "other", text);
        }
        Page page = queue("other");
        assertThat(page.locator("tbody tr")).hasCount(3);

        // when
        row(page, "second").getByRole(AriaRole.CHECKBOX).check();
        button(page, "Move …").click();
        field(page, "To the queue").fill("none");
        button(page, "Move").click();

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("there is no queue 'none'");

        // when
        field(page, "To the queue").fill("dead");
        button(page, "Move").click();

        // then
        assertThat(page.getByText("1 message was moved.")).isVisible();
        assertThat(page.locator("tbody tr")).hasCount(2);
        assertThat(page.locator("tbody")).not().containsText("second");

        // when
        button(page, "Select all shown").click();
        button(page, "Delete …").click();

        // then
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("Lost for good, and no receiver gets it: ID:");

        // when
        button(page, "Delete").click();

        // then
        assertThat(page.getByText("2 messages are gone.")).isVisible();
        assertThat(page.getByText("No message waits that fits.")).isVisible();
        broker.adminDoneHere("queue", "purge", "dead");
    }

    @Test
    void shouldSendADeadLetterBackToWhereItCameFrom() throws Exception {
        // given
        broker.adminDoneHere("queue", "send", "orders", "poison");
        try (JMSContext context = connect(JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
            assertThat(consumer.receive(PATIENCE_MS)).isNotNull();
            context.rollback();
        }
        Page page = queue("dead");
        assertThat(page.locator("tbody")).containsText("too many deliveries, from orders");

        // when
        row(page, "poison").getByRole(AriaRole.CHECKBOX).check();
        button(page, "Send back …").click();
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("none is lost and none doubled");
        button(page, "Send back").click();

        // then
        assertThat(page.getByText("1 message was sent back.")).isVisible();
        assertThat(page.locator("tbody tr")).hasCount(0);
        assertThat(broker.adminDoneHere("queue", "browse", "orders")).contains("poison");
    }

    @Test
    void shouldEndATransactionInThePlaceOfItsCoordinator() throws Exception {
        // given
        try (XAJMSContext context = factory().createXAContext()) {
            XAResource resource = context.getXAResource();
            Xid branch = new Branch();
            resource.start(branch, XAResource.TMNOFLAGS);
            context.createProducer().send(context.createQueue("tried"), "in doubt");
            resource.end(branch, XAResource.TMSUCCESS);
            resource.prepare(branch);
        }
        Page page = loggedIn("admin");
        go(page, "Transactions in doubt");
        assertThat(page.locator("tbody")).containsText("in doubt");

        // when
        page.locator("tbody .link").click();
        button(page, "Commit …").click();

        // then
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("It sends 1 messages and takes 0");

        // when
        button(page, "Commit").click();

        // then
        assertThat(page.getByText("The transaction is committed.")).isVisible();
        assertThat(page.locator("tbody")).containsText("committed by an administrator");
        assertThat(broker.adminDoneHere("queue", "browse", "tried")).contains("in doubt");

        // when
        page.locator("tbody .link").click();
        button(page, "Forget …").click();
        button(page, "Forget").click();

        // then
        assertThat(page.getByText("The transaction is forgotten.")).isVisible();
        assertThat(page.getByText("No transaction is in doubt that fits.")).isVisible();
    }

    @Test
    void shouldShowTheSegmentsOfTheStore() {
        // given
        Page page = loggedIn("vera");

        // when
        go(page, "Store");

        // then
        assertThat(page.getByText("Nothing is wrong with the store.")).isVisible();
        assertThat(page.locator("tbody")).containsText("it is being written");

        // when
        page.getByLabel("Kept for").selectOption("Pinned");

        // then
        assertThat(page.getByText("There is no segment that fits.")).isVisible();
    }

    @Test
    void shouldWatchTheTraceOfAClientUntilItIsStopped() throws Exception {
        // given
        MqttClient client = client("traced " + SCRIPT);
        client.connect();
        Page page = loggedIn("admin");
        go(page, "Connections");
        page.getByText("traced").click();

        // when
        button(page, "Trace it live").click();
        assertThat(button(page, "Stop the trace")).isVisible();
        assertThat(page.getByText("Nothing yet: it begins with the next packet."))
                .isVisible();
        Locator lines = page.getByLabel("Lines of the trace");
        for (int i = 0; i < 20; i++) { // as it begins at the client some time after the page
            client.publish("t/" + SCRIPT, SCRIPT.getBytes(UTF_8), 1, false);
        }

        // then
        assertThat(lines).containsText("PUBLISH");
        assertThat(lines).containsText(SCRIPT);

        // when
        button(page, "Stop the trace").click();

        // then
        assertThat(page.getByText("You have stopped it.")).isVisible();
        assertThat(page.locator("img[src=x]")).hasCount(0);
        assertThat(page.title()).isNotEqualTo("taken");
        client.disconnect();
        client.close();
    }

    @Test
    void shouldShowWhoSharesASubscription() throws Exception {
        // given
        MqttClient away = client("away " + SCRIPT);
        MqttConnectionOptions lasting = new MqttConnectionOptions();
        lasting.setSessionExpiryInterval(600L);
        away.connect(lasting);
        away.subscribe("$share/team/alarms/#", 1);
        away.disconnect();
        away.close();
        MqttClient here = client("member");
        here.connect();
        here.subscribe("$share/team/alarms/#", 1);
        Page page = loggedIn("vera");
        go(page, "Subscriptions");

        // when
        page.locator("tbody .link").first().click();

        // then
        assertThat(page.getByText("Shared by 2 clients")).isVisible();
        assertThat(page.getByLabel("Members")).containsText("away " + SCRIPT + " away");
        assertThat(page.getByLabel("Members")).containsText("member connected");
        here.disconnect();
        here.close();
    }

    @Test
    void shouldShowNoMessageToWhoMayOnlyLook() {
        // given
        Page page = loggedIn("vera");
        go(page, "Queues");

        // when
        page.getByText("bills").click();

        // then
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("bills");
        assertThat(link(page, "Messages of this queue")).hasCount(0);

        // when
        page.navigate(broker.url() + "/#/queues/bills");

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("that takes Manage or Configure");
        assertThat(button(page, "Send a message")).hasCount(0);
    }

    private static Page queue(String name) {
        Page page = loggedIn("admin");
        go(page, "Queues");
        page.locator("tbody .link")
                .getByText(name, new Locator.GetByTextOptions().setExact(true))
                .click();
        link(page, "Messages of this queue").click();
        assertThat(page.getByRole(
                        AriaRole.HEADING,
                        new Page.GetByRoleOptions().setName("Queue " + name).setLevel(1)))
                .isVisible();
        return page;
    }

    private static Page loggedIn(String user) {
        Page page = browser.open(broker.url(), 1280, 800);
        ConsoleBrowser.logIn(page, user, "pencil");
        assertThat(page.locator(".shell")).isVisible();
        return page;
    }

    private static void go(Page page, String kind) {
        link(page, kind).click();
        assertThat(page.getByRole(
                        AriaRole.HEADING,
                        new Page.GetByRoleOptions().setName(kind).setLevel(1).setExact(true)))
                .isVisible();
    }

    private static Locator row(Page page, String text) {
        return page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText(text));
    }

    private static Locator link(Page page, String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator field(Page page, String label) {
        return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
    }

    private static JMSContext connect() {
        return connect(JMSContext.AUTO_ACKNOWLEDGE);
    }

    private static JMSContext connect(int mode) {
        return factory().createContext(mode);
    }

    private static AvocetConnectionFactory factory() {
        return new AvocetConnectionFactory(
                "avocet://127.0.0.1:" + broker.process().port());
    }

    private static MqttClient client(String clientId) throws Exception {
        return new MqttClient("tcp://127.0.0.1:" + broker.process().port(), clientId, new MemoryPersistence());
    }

    private static final class Branch implements Xid {
        @Override
        public int getFormatId() {
            return 7;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1, 2};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {3};
        }
    }
}
