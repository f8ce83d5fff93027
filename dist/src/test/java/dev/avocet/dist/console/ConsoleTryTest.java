package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.avocet.dist.Administered;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The MQTT client within the console of the packaged broker. */
@InTurn
@Timeout(240)
class ConsoleTryTest {
    private static final String SCRIPT = "<img src=x onerror=document.title='taken'>";
    private static final double LONGEST_MS = 30_000;
    private static final int MOST_SHOWN = 200;

    private final List<MqttClient> clients = new ArrayList<>();

    private static Administered broker;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        browser = ConsoleBrowser.start();
        broker = Administered.start(data, Map.of());
        Path password = Files.writeString(data.resolve("password"), "pencil");
        for (String name : List.of("vera", "max")) {
            broker.adminDoneHere("user", "create", name, "--new-password-file", password.toString());
        }
        broker.adminDoneHere("configuration-policy", "create", "Looking", "--user-id", "vera", "--action-list", "View");
        broker.adminDoneHere(
                "configuration-policy", "create", "Managing", "--user-id", "max", "--action-list", "Manage");
        broker.adminDoneHere(
                "admin-endpoint", "update", "--configuration-policies", "Looking,Managing,AdminDefaultConfigPolicy");
        broker.adminDoneHere("queue", "create", "orders");
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
    void requireThatItComplainsOfNothingAndAsksNoOtherHost() throws MqttException {
        for (MqttClient client : clients) {
            if (client.isConnected()) {
                client.disconnect();
            }
            client.close();
        }
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldShowWhatItHasPublishedWithItsProperties() {
        // given
        Page page = connected("admin");
        subscribe(page, "plant/#", "2");

        // when
        field(page, "Topic").fill("plant/1/temperature");
        field(page, "Payload").fill("grüße " + SCRIPT);
        field(page, "QoS").selectOption("2");
        page.getByText("Properties").click();
        field(page, "Content type").fill("text/plain");
        field(page, "Response topic").fill("answers/7");
        field(page, "Correlation data").fill("n-1");
        field(page, "Message expiry in seconds").fill("600");
        field(page, "User property 1, name").fill("site");
        field(page, "User property 1, value").fill("north " + SCRIPT);
        button(page, "Publish").click();

        // then
        assertThat(page.getByText("The broker has taken the message for plant/1/temperature."))
                .isVisible();
        Locator message = messages(page).first();
        assertThat(message).containsText("plant/1/temperature");
        assertThat(message).containsText("grüße " + SCRIPT);
        assertThat(message).containsText("QoS 2");
        assertThat(message).containsText("Content typetext/plain");
        assertThat(message).containsText("Response topicanswers/7");
        assertThat(message).containsText("Correlation datan-1");
        assertThat(message).containsText("User property sitenorth " + SCRIPT);
        assertThat(message.getByText("00 s").or(message.getByText("599 s"))).isVisible();
        assertThat(page.locator("img[src=x]")).hasCount(0);
        assertThat(page.title()).isEqualTo("Try it · Avocet");

        // when
        button(page, "Unsubscribe from plant/#").click();
        assertThat(page.getByLabel("Subscriptions of this page")).hasCount(0);
        field(page, "QoS").selectOption("1");
        button(page, "Publish").click();

        // then
        assertThat(page.getByText("The broker has taken the message")).isVisible();
        assertThat(messages(page)).hasCount(1);
    }

    @Test
    void shouldGetWhatOtherClientsPublishAndKeepTheNewest() throws Exception {
        // given
        Page page = connected("max");
        subscribe(page, "many/#", "0");

        // when
        MqttClient client = client("other");
        client.publish("many/raw", new byte[] {0, (byte) 0xff, 0x10}, 1, false);
        for (int i = 1; i < MOST_SHOWN + 50; i++) {
            client.publish("many/text", ("number " + i).getBytes(UTF_8), 1, false);
        }
        assertThat(page.getByText("250 have come; the newest 200 are here.")).isVisible();
        client.publish("many/raw", new byte[] {0, (byte) 0xff, 0x10}, 1, false);

        // then
        assertThat(messages(page).first()).containsText("00 ff 10");
        assertThat(messages(page).nth(1)).containsText("number 249");
        assertThat(messages(page)).hasCount(MOST_SHOWN);
        assertThat(messages(page).last()).containsText("number 51");

        // when
        button(page, "Clear").click();

        // then
        assertThat(messages(page)).hasCount(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Topic filter|plant/#/x|Subscribe|Write # alone and as the last level of the topic filter",
                "Topic filter|plant/a+|Subscribe|Write + alone between the slashes of the topic filter",
                "Topic filter|$share/a|Subscribe|Write a shared subscription as $share/NAME/FILTER",
                "Topic filter|''|Subscribe|Give a topic filter.",
                "Topic|plant/+|Publish|Take + and # out of the topic: they belong to topic filters.",
                "Topic|''|Publish|Give a topic.",
                "Topic|$SYS/x|Publish|The broker does not take that topic: choose another one (reason code 0x90",
            })
    void shouldSayWhatToDoAboutBadInput(String field, String text, String button, String expected) {
        // given
        Page page = connected("max");

        // when
        field(page, field).fill(text);
        button(page, button).click();

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).containsText(expected);
        assertThat(page.getByText("Connected as ")).isVisible();
    }

    @Test
    void shouldSayWhyItIsNotLetInOrNotAnyMore() throws Exception {
        // given
        Page page = opened("max");

        // when: a client identifier that MQTT 5 does not take
        field(page, "Client identifier").fill("__Admin");
        button(page, "Connect").click();

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("reason code 0x");
        assertThat(page.getByText("Not connected")).isVisible();

        // when: another client takes its session
        field(page, "Client identifier").fill("twice");
        button(page, "Connect").click();
        assertThat(page.getByText("Connected as twice")).isVisible();
        client("twice");

        // then
        assertThat(page.getByRole(AriaRole.ALERT))
                .containsText("Another client has connected with the same client identifier: give another one");

        // when: an administrator disconnects it
        button(page, "Connect").click();
        assertThat(page.getByText("Connected as twice")).isVisible();
        page.evaluate("fetch('api/v1/service/close/connection', {method: 'POST', headers: {'X-Avocet-Console': 'user',"
                + " 'Content-Type': 'application/json'}, body: '{\"ExactClientID\": \"twice\"}'})");

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("An administrator has ended the connection");
    }

    @Test
    void shouldStayDisconnectedUntilItIsToConnectAgain() {
        // given
        Page page = connected("admin");
        List<String> opened = new ArrayList<>();
        page.onWebSocket(socket -> opened.add(socket.url()));

        // when
        button(page, "Disconnect").click();

        // then
        assertThat(page.getByText("Not connected")).isVisible();
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        assertThat(page.getByText("Not connected")).isVisible();
        assertThat(opened).isEmpty();

        // and
        button(page, "Connect").click();
        assertThat(page.getByText("Connected as console-")).isVisible();
        assertThat(opened).hasSize(1);
    }

    @Test
    void shouldBrowseAQueue() {
        // given
        Page page = opened("max");

        // when
        field(page, "Queue").fill("none");
        button(page, "Browse").click();

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).hasText("There is no queue “none”: choose one of the list.");

        // when
        field(page, "Queue").fill("orders");
        button(page, "Browse").click();

        // then
        assertThat(page.getByText("No message waits.")).isVisible();
        assertThat(page.locator("#try-queues option[value=orders]")).hasCount(1);
    }

    @Test
    void shouldNotBeThereForThoseWhoMayOnlyLook() {
        // when
        Page page = browser.open(broker.url() + "/#/try", 1280, 800);
        ConsoleBrowser.logIn(page, "vera", "pencil");

        // then: it shows the first page instead
        assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName("Dashboard")))
                .isVisible();
        assertThat(page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Try it")))
                .hasCount(0);
        Object status = page.evaluate("fetch('api/v1/service/websocket', {headers: {'X-Avocet-Console': 'user'}})"
                + ".then(answer => answer.status)");
        assertThat(status).isEqualTo(403);
    }

    @Test
    void shouldEndWithTheSessionOfTheConsole() {
        // given
        Page page = connected("admin");
        Page elsewhere = opened("admin");
        String client = page.getByText("Connected as ").textContent().replace("Connected as ", "");
        assertThat(broker.adminDoneHere("stat", "connection")).contains(client);

        // when
        button(elsewhere, "admin").click();
        button(elsewhere, "Log out everywhere").click();

        // then
        assertThat(page.getByText("Your session has ended.")).isVisible(patiently());
        assertThat(broker.adminDoneHere("stat", "connection")).doesNotContain(client);
    }

    @Test
    void shouldLetThePageConnectNowhereElse() {
        // given
        Page page = connected("max");

        // when
        Object violated = page.evaluate("""
                () => new Promise((done) => {
                  document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective));
                  try { new WebSocket('ws://127.0.0.1:9/'); } catch { done('refused'); }
                })""");

        // then
        assertThat(violated).isEqualTo("connect-src");
        browser.complaints().removeIf(each -> each.contains("ws://127.0.0.1:9/")); // as it should
    }

    @Test
    void shouldSayThatItHasToBeLoadedAgainForAnEndpointThatIsNew() {
        // given
        Page page = opened("admin");
        page.route(
                "**/api/v1/service/websocket",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody("{\"Endpoint\": [{\"Name\": \"new\", \"Port\": 9, \"Encrypted\": false}]}")));
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Queues"))
                .click();
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Try it"))
                .click();

        // when
        button(page, "Connect").click();

        // then
        assertThat(page.getByRole(AriaRole.ALERT))
                .hasText("This page was loaded before the endpoint listened there: load the page again.");
        browser.complaints().removeIf(each -> each.contains("127.0.0.1:9/")); // as it should
    }

    @Test
    void shouldSayWhatToDoWhenTheBrokerIsGone(@TempDir Path data) throws Exception {
        try (Administered another = Administered.start(data, Map.of())) {
            // given
            Page page = browser.open(another.url() + "/#/try", 1280, 800);
            button(page, "Connect").click();
            assertThat(page.getByText("Connected as console-")).isVisible();

            // when
            another.process().terminate();

            // then
            Locator alert = page.locator("form").getByRole(AriaRole.ALERT);
            assertThat(alert).hasText("The broker stops: connect again when it is back (reason code 0x8B).");
            assertThat(another.process().exitCode()).isZero();

            // when
            button(page, "Connect").click();

            // then
            assertThat(alert).containsText("see whether the endpoint listens at this host name and whether its");
            browser.complaints().removeIf(each -> each.contains("WebSocket connection to")); // which the browser says
        }
    }

    private MqttClient client(String clientId) throws MqttException {
        MqttClient client =
                new MqttClient("tcp://127.0.0.1:" + broker.process().port(), clientId, new MemoryPersistence());
        clients.add(client);
        client.connect();
        return client;
    }

    private static Page opened(String user) {
        Page page = browser.open(broker.url() + "/#/try", 1280, 800);
        ConsoleBrowser.logIn(page, user, "pencil");
        assertThat(page.getByRole(
                        AriaRole.HEADING,
                        new Page.GetByRoleOptions().setName("Try it").setLevel(1)))
                .isVisible();
        return page;
    }

    private static Page connected(String user) {
        Page page = opened(user);
        button(page, "Connect").click();
        assertThat(page.getByText("Connected as console-")).isVisible();
        return page;
    }

    private static void subscribe(Page page, String filter, String qos) {
        field(page, "Topic filter").fill(filter);
        field(page, "Highest QoS").selectOption(qos);
        button(page, "Subscribe").click();
        assertThat(page.getByLabel("Subscriptions of this page")).containsText(filter + " QoS " + qos);
    }

    private static Locator messages(Page page) {
        return page.getByLabel("Messages that have come").getByRole(AriaRole.LISTITEM);
    }

    private static Locator field(Page page, String label) {
        return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static IsVisibleOptions patiently() {
        return new IsVisibleOptions().setTimeout(LONGEST_MS);
    }
}
