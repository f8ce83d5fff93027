package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.avocet.dist.Administered;
import dev.avocet.testkit.turn.InTurn;
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

/** Why a client may do something or not, at the console of the packaged broker and from the command line. */
@InTurn
@Timeout(240)
class ConsoleAccessTest {
    private static final int NOT_ALLOWED = 11;

    private static Administered broker;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        browser = ConsoleBrowser.start();
        broker = Administered.start(data, Map.of());
        Path password = Files.writeString(data.resolve("password"), "pencil");
        for (String name : new String[] {"vera", "max"}) {
            broker.adminDoneHere("user", "create", name, "--new-password-file", password.toString());
        }
        Path policies = Files.writeString(data.resolve("policies.json"), """
                {"ConnectionPolicy": {"Meters": {"ClientID": "meter-*"}},
                 "TopicPolicy": {
                   "Own": {"ClientID": "*", "Topic": "${ClientID}/*", "ActionList": "Publish,Subscribe"},
                   "Staff": {"GroupID": "staff", "ClientAddress": "10.0.0.1-10.0.0.9", "Topic": "<b>news",
                     "ActionList": "Publish"},
                   "Late": {"ClientID": "*", "Topic": "late", "ActionList": "Publish"}},
                 "QueuePolicy": {"Orders": {"ClientID": "*", "Queue": "orders", "ActionList": "Send,Browse"}},
                 "Endpoint": {"Hall": {"Port": 1899, "Enabled": false, "MessageHub": "DemoHub",
                   "ConnectionPolicies": "Meters", "TopicPolicies": "Own,Staff,Late", "QueuePolicies": "Orders"}}}
                """);
        broker.adminDoneHere("apply", "--file", policies.toString());
        broker.adminDoneHere("configuration-policy", "create", "Looking", "--user-id", "vera", "--action-list", "View");
        broker.adminDoneHere(
                "configuration-policy", "create", "Managing", "--user-id", "max", "--action-list", "Manage");
        broker.adminDoneHere(
                "admin-endpoint", "update", "--configuration-policies", "Looking,Managing,AdminDefaultConfigPolicy");
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
    void shouldNameTheFiltersThatDoNotFitAndThePolicyThatDecides() {
        // given
        Page page = opened("vera");
        field(page, "Endpoint").selectOption("Hall");
        field(page, "The client wants to").selectOption("Publish");
        field(page, "Topic").fill("<b>news");
        field(page, "Client identifier").fill("meter-7");

        // when
        button(page, "Explain").click();

        // then
        Locator decision = page.getByLabel("Decision");
        assertThat(decision).containsText("It is not allowed, as no TopicPolicy of the endpoint applies.");
        Locator tried = page.getByLabel("Policies that were tried").locator("> li");
        assertThat(tried).hasCount(3);
        assertThat(tried.nth(0)).containsText("Own does not apply");
        assertThat(tried.nth(0)).containsText("Topic: the policy has ${ClientID}/*, the client wants <b>news");
        assertThat(tried.nth(1)).containsText("ClientAddress: the policy has 10.0.0.1-10.0.0.9, the client has none");
        assertThat(tried.nth(1)).containsText("GroupID: the policy has staff, the client has none");

        // when
        field(page, "Groups, with commas between").fill("night, staff");
        field(page, "IP address").fill("10.0.0.9");

        // then: an old answer does not stand beside a new question
        assertThat(decision).hasCount(0);

        // when
        button(page, "Explain").click();

        // then
        assertThat(decision).containsText("TopicPolicy 'Staff' allows it.");
        assertThat(tried.nth(1)).containsText("Staff applies and decides");
        assertThat(decision).containsText("Not tried any more: Late.");

        // when
        field(page, "Client identifier").fill("phone");
        button(page, "Explain").click();

        // then
        assertThat(decision).containsText("But no ConnectionPolicy lets the client connect.");
    }

    @Test
    void shouldSayWhatIsWrongWithTheQuestion() {
        // given
        Page page = opened("admin");
        field(page, "Endpoint").selectOption("Hall");

        // when
        field(page, "IP address").fill("hall.example.com");
        button(page, "Explain").click();

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).hasText("ClientAddress: 'hall.example.com' is not an IP address");

        // when
        field(page, "IP address").fill("");
        field(page, "Claims of the token, NAME=VALUE").fill("site");
        button(page, "Explain").click();

        // then
        assertThat(page.getByRole(AriaRole.ALERT)).hasText("Write each claim as NAME=VALUE, with commas between.");
    }

    @Test
    void shouldSayThatAnEndpointOfTheStartupFileHasNoPolicies() {
        // given
        Page page = opened("admin");

        // when: the first endpoint is the one that listens
        button(page, "Explain").click();

        // then
        assertThat(page.getByLabel("Decision")).containsText("The endpoint has no policies, so everything is allowed.");
    }

    @Test
    void shouldNotBeThereForThoseWhoMayNotSeeThePolicies() {
        // when
        Page page = browser.open(broker.url() + "/#/access", 1280, 800);
        ConsoleBrowser.logIn(page, "max", "pencil");

        // then
        assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName("Dashboard")))
                .isVisible();
        assertThat(page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Explain access")))
                .hasCount(0);
    }

    @Test
    void shouldAnswerOnTheCommandLineToo() {
        // when
        Administered.Outcome denied = broker.adminHere(
                "explain", "Publish", "<b>news", "--endpoint", "Hall", "--client-id", "meter-7", "--group", "staff");
        Administered.Outcome allowed = broker.adminHere(
                "explain", "QueueSend", "orders", "--endpoint", "Hall", "--client-id", "meter-7", "--user-id", "ann");
        Administered.Outcome wrong = broker.adminHere("explain", "Fly", "--endpoint", "Hall");

        // then
        assertThat(denied.exitCode()).isEqualTo(NOT_ALLOWED);
        assertThat(denied.output())
                .isEqualTo(String.join(
                        System.lineSeparator(),
                        "It is not allowed, as no TopicPolicy of the endpoint applies.",
                        "  Own: does not apply",
                        "    Topic is ${ClientID}/*, and the client wants <b>news",
                        "  Staff: does not apply",
                        "    ClientAddress is 10.0.0.1-10.0.0.9, and the client has none",
                        "  Late: does not apply",
                        "    Topic is late, and the client wants <b>news"));
        assertThat(allowed.exitCode()).isZero();
        assertThat(allowed.output()).startsWith("QueuePolicy 'Orders' allows it.");
        assertThat(wrong.exitCode()).isNotZero();
        assertThat(wrong.output()).contains("Action: give one of Connect, Publish");
    }

    private static Page opened(String user) {
        Page page = browser.open(broker.url() + "/#/access", 1280, 800);
        ConsoleBrowser.logIn(page, user, "pencil");
        assertThat(button(page, "Explain")).isEnabled();
        return page;
    }

    private static Locator field(Page page, String label) {
        return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }
}
