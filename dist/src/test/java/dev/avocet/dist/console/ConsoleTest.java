package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.avocet.dist.Administered;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console of the packaged broker in a browser. */
@InTurn
@Timeout(240)
class ConsoleTest {
    private static final int WIDE = 1280;
    private static final int HIGH = 800;
    private static final int PHONE = 390;

    private static Administered broker;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        browser = ConsoleBrowser.start();
        broker = Administered.start(data, Map.of());
        Path password = Files.writeString(data.resolve("admin-password"), "pencil");
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
    void shouldLetInWithTheRightPasswordOnly() {
        // given
        Page page = open();

        // when
        ConsoleBrowser.logIn(page, "admin", "pen");

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).hasText("The user name or the password is wrong.");

        // when
        ConsoleBrowser.logIn(page, "admin", "pencil");

        // then
        assertThat(page.getByText("Running").first()).isVisible();
        Cookie cookie = page.context().cookies().get(0);
        assertThat(cookie.httpOnly).isTrue();
        assertThat(cookie.sameSite).isEqualTo(SameSiteAttribute.STRICT);
        assertThat(page.evaluate("document.cookie")).isEqualTo("");
    }

    @Test
    void shouldKeepTheSessionWhenThePageIsLoadedAgainAndEndItWhenTheUserLogsOut() {
        // given
        Page page = loggedIn();

        // when
        page.reload();

        // then
        assertThat(page.getByText("Running").first()).isVisible();

        // when
        button(page, "admin").click();
        button(page, "Log out").click();

        // then
        assertThat(page.getByText("You have logged out.")).isVisible();
        page.reload();
        assertThat(page.getByLabel("Password")).isVisible();
    }

    @Test
    void shouldAskForTheLoginAgainWhenTheSessionIsOver() {
        // given
        Page page = loggedIn();
        Page elsewhere = loggedIn();

        // when
        button(elsewhere, "admin").click();
        button(elsewhere, "Log out everywhere").click();
        assertThat(elsewhere.getByText("You have logged out.")).isVisible();

        // then
        page.reload();
        assertThat(page.getByLabel("Password")).isVisible();
    }

    @Test
    void shouldMoveWhenAClientPublishes() throws Exception {
        // given
        Page page = loggedIn();
        Locator messages = tile(page, "Messages in");
        assertThat(tile(page, "Connections")).containsText("0 sessions");
        assertThat(page.getByText("Nothing is wrong that the broker knows of.")).isVisible();

        // when
        MqttClient client =
                new MqttClient("tcp://127.0.0.1:" + broker.process().port(), "mover", new MemoryPersistence());
        client.connect();
        client.publish("plant/a", new byte[7], 1, false);

        // then
        assertThat(messages).containsText("1 in all");
        assertThat(tile(page, "Connections")).containsText("1 sessions");
        assertThat(page.locator(".plot canvas")).hasCount(4);

        // finally
        client.disconnect();
        client.close();
        assertThat(tile(page, "Connections")).containsText("0 sessions");
    }

    @Test
    void shouldSayWhatAFigureMeans() {
        // given
        Page page = loggedIn();

        // when
        tile(page, "Memory").getByRole(AriaRole.BUTTON).click();

        // then
        assertThat(page.getByRole(AriaRole.NOTE)).containsText("Worry when:");

        // when
        page.keyboard().press("Escape");

        // then
        assertThat(page.getByRole(AriaRole.NOTE)).hasCount(0);
    }

    @Test
    void shouldShowItsPagesBehindAButtonOnAPhone() {
        // given
        Page page = browser.open(broker.url(), PHONE, HIGH);
        ConsoleBrowser.logIn(page, "admin", "pencil");
        Locator pages = page.getByRole(AriaRole.NAVIGATION);

        // then
        assertThat(page.getByText("Running").first()).isVisible();
        assertThat(pages).isHidden();
        assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(PHONE);

        // when
        button(page, "Pages").click();

        // then
        assertThat(pages).isVisible();
    }

    @Test
    void shouldChangeItsThemeAndRememberThat() {
        // given
        Page page = loggedIn();
        Object usual = background(page);

        // when: to light, and to dark
        button(page, "Theme: system. Change the theme").click();
        button(page, "Theme: light. Change the theme").click();

        // then
        assertThat(background(page)).isNotEqualTo(usual);

        // when
        page.reload();

        // then
        assertThat(page.getByText("Running").first()).isVisible();
        assertThat(background(page)).isNotEqualTo(usual);
    }

    @Test
    void shouldBeUsableByKeyboardAlone() {
        // given
        Page page = open();
        assertThat(page.getByLabel("User name")).isFocused();

        // when
        page.keyboard().type("admin");
        page.keyboard().press("Tab");
        page.keyboard().type("pencil");
        page.keyboard().press("Enter");

        // then
        assertThat(page.getByText("Running").first()).isVisible();

        // when
        page.keyboard().press("Tab");
        assertThat(page.getByText("Skip to the content")).isFocused();
        page.keyboard().press("Enter");

        // then
        assertThat(page.getByRole(AriaRole.MAIN)).isFocused();
    }

    private static Page open() {
        return browser.open(broker.url(), WIDE, HIGH);
    }

    private static Page loggedIn() {
        Page page = open();
        ConsoleBrowser.logIn(page, "admin", "pencil");
        assertThat(page.getByText("Running").first()).isVisible();
        return page;
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator tile(Page page, String title) {
        return page.locator(".tile").filter(new Locator.FilterOptions().setHasText(title));
    }

    private static Object background(Page page) {
        return page.evaluate("getComputedStyle(document.body).backgroundColor");
    }
}
