package dev.avocet.dist;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The configuration of the packaged broker, changed by the forms of its console. */
@Timeout(240)
class ConsoleConfigureTest {
    private static Administered broker;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        browser = ConsoleBrowser.start();
        broker = Administered.start(data, Map.of());
        Path password = Files.writeString(data.resolve("password"), "pencil");
        broker.adminDoneHere("user", "create", "vera", "--new-password-file", password.toString());
        broker.adminDoneHere("configuration-policy", "create", "Looking", "--user-id", "vera", "--action-list", "View");
        broker.adminDoneHere(
                "admin-endpoint", "update", "--configuration-policies", "Looking,AdminDefaultConfigPolicy");
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
    void requireThatItComplainsOfNothingAndAsksNoOtherHost() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldSayWhatIsWrongAtItsFieldAndChangeItThen() {
        // given
        Page page = opened("admin", "Queue");

        // when
        button(page, "New Queue").click();
        page.locator("#f-key").fill("made");
        page.getByLabel("MaxMessages").fill("0");
        button(page, "Create").click();

        // then
        Locator row = page.locator(".form-row").filter(new Locator.FilterOptions().setHasText("MaxMessages"));
        assertThat(row.getByRole(AriaRole.ALERT)).hasText("0 is outside 1-20000000");
        assertThat(page.getByText("Nothing is changed.")).isVisible();

        // when
        page.getByLabel("MaxMessages").fill("17");
        button(page, "Create").click();

        // then
        assertThat(page.getByText("The configuration is as asked.")).isVisible();
        assertThat(broker.adminDoneHere("queue", "show", "made").replaceAll(" +", " "))
                .contains("MaxMessages 17");

        // when
        button(page, "Delete …").click();
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("all messages that wait in it are lost");
        button(page, "Delete").click();

        // then
        assertThat(page.locator(".objects")).not().containsText("made");
    }

    @Test
    void shouldChangeNothingThatAnotherAdministratorHasChangedMeanwhile() {
        // given
        Page page = opened("admin", "Queue/orders");
        page.getByLabel("MaxMessages").fill("7");

        // when
        broker.adminDoneHere("queue", "update", "orders", "--max-messages", "9");
        button(page, "Save").click();

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("Another administrator has changed the configuration");
        assertThat(broker.adminDoneHere("queue", "show", "orders").replaceAll(" +", " "))
                .contains("MaxMessages 9");
    }

    @Test
    void shouldLetThoseLookWhoMayView() {
        // when
        Page page = opened("vera", "Queue/orders");

        // then
        assertThat(page.getByText("You may look at the configuration, and not change it."))
                .isVisible();
        assertThat(page.getByLabel("MaxMessages")).isDisabled();
        assertThat(button(page, "Save")).hasCount(0);
        assertThat(button(page, "New Queue")).hasCount(0);
    }

    private static Page opened(String user, String object) {
        Page page = browser.open(broker.url() + "/#/configure/" + object, 1280, 800);
        ConsoleBrowser.logIn(page, user, "pencil");
        assertThat(page.locator(".configure")).isVisible();
        return page;
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }
}
