package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.avocet.dist.Administered;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What administrators look for and do at the console of the packaged broker. */
@InTurn
@Timeout(240)
class ConsoleExploreTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String SCRIPT = "<img src=x onerror=document.title='taken'>";

    private static Path data;
    private static Administered broker;
    private final List<MqttClient> clients = new ArrayList<>();
    private static ConsoleBrowser browser;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        data = folder;
        browser = ConsoleBrowser.start();
        broker = Administered.start(data, Map.of());
        Path password = Files.writeString(data.resolve("password"), "pencil");
        broker.adminDoneHere("user", "create", "vera", "--new-password-file", password.toString());
        broker.adminDoneHere(
                "configuration-policy", "create", "Looking", "--user-id", "vera", "--action-list", "View,Monitor");
        broker.adminDoneHere(
                "admin-endpoint", "update", "--configuration-policies", "Looking,AdminDefaultConfigPolicy");
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
    void shouldShowWhatClientsWriteAsText() throws Exception {
        // given
        String client = "c" + SCRIPT;
        MqttClient evil = connect(client);
        evil.subscribe("t/" + SCRIPT, 1);
        evil.publish("r/" + SCRIPT, SCRIPT.getBytes(UTF_8), 1, true);
        Page page = loggedIn("admin");

        for (String kind : new String[] {"Connections", "Subscriptions", "Retained messages"}) {
            // when
            go(page, kind);
            Locator line = page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText(SCRIPT));

            // then
            assertThat(line).hasCount(1);
            line.click();
            assertThat(page.getByRole(AriaRole.DIALOG)).containsText(SCRIPT);
            page.keyboard().press("Escape");
            assertThat(page.locator("img[src=x]")).hasCount(0);
            assertThat(page.title()).isNotEqualTo("taken");
        }
    }

    @Test
    void shouldDisconnectTheClientThatIsMeantAndNoOther() throws Exception {
        // given
        MqttClient all = connect("*");
        MqttClient other = connect("other");
        Page page = loggedIn("admin");
        go(page, "Connections");

        // when
        page.locator("tbody tr")
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByText("*", new Page.GetByTextOptions().setExact(true))))
                .click();
        button(page, "Disconnect …").click();
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("its will is published");
        button(page, "Disconnect").click();

        // then
        assertThat(page.getByRole(AriaRole.STATUS).first()).containsText("1 connections were closed.");
        assertThat(page.locator("tbody")).not().containsText("*");
        assertThat(page.locator("tbody")).containsText("other");
        assertThat(other.isConnected()).isTrue();
        await().atMost(PATIENCE).until(() -> !all.isConnected());
    }

    @Test
    void shouldNameWhatIsLostAndDeleteASession() throws Exception {
        // given
        MqttConnectionOptions lasting = new MqttConnectionOptions();
        lasting.setSessionExpiryInterval(600L);
        MqttClient sleeper = client("sleeper");
        sleeper.connect(lasting);
        sleeper.subscribe("s/1", 1);
        sleeper.disconnect();
        Page page = loggedIn("admin");
        go(page, "Sessions");

        // when
        page.getByText("sleeper").click();
        button(page, "Delete …").click();

        // then
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("Its session with 1 subscriptions is gone");

        // when
        button(page, "Delete").click();

        // then
        assertThat(page.getByText("The session is deleted.")).isVisible();
        assertThat(page.getByText("There is no session that fits.")).isVisible();
    }

    @Test
    void shouldGoThroughManyQueuesPageByPage() throws Exception {
        // given
        StringBuilder queues = new StringBuilder("{\"Queue\": {");
        for (int i = 100; i < 160; i++) {
            queues.append(i == 100 ? "" : ", ").append("\"q").append(i).append("\": {}");
        }
        Path file = Files.writeString(
                data.resolve("queues.json"), queues.append("}}").toString());
        broker.adminDoneHere("apply", "--file", file.toString());
        Page page = loggedIn("admin");

        // when
        go(page, "Queues");

        // then
        assertThat(page.getByText("1–25 of 60")).isVisible();
        assertThat(page.locator("tbody tr").first()).containsText("q100");

        // when
        button(page, "Next").click();
        button(page, "Next").click();

        // then
        assertThat(page.getByText("51–60 of 60")).isVisible();
        assertThat(page.locator("tbody tr").last()).containsText("q159");

        // when
        page.getByLabel("Name").fill("q12");

        // then
        assertThat(page.getByText("1–10 of 10")).isVisible();
        assertThat(page.locator("tbody tr")).hasCount(10);
    }

    @Test
    void shouldOfferNothingToDoToWhoMayOnlyLook() throws Exception {
        // given
        connect("watched");
        Page page = loggedIn("vera");
        go(page, "Connections");

        // when
        page.getByText("watched").click();

        // then
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("watched");
        assertThat(page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.BUTTON)).hasCount(1); // which closes it
        page.keyboard().press("Escape");
        assertThat(link(page, "Retained messages")).hasCount(0);
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

    private static Locator link(Page page, String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private MqttClient connect(String clientId) throws MqttException {
        MqttClient client = client(clientId);
        client.connect();
        return client;
    }

    private static MqttClient client(String clientId) throws MqttException {
        return new MqttClient("tcp://127.0.0.1:" + broker.process().port(), clientId, new MemoryPersistence());
    }
}
