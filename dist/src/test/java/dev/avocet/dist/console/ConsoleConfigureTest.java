package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.avocet.dist.Administered;
import dev.avocet.dist.Distribution;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The configuration of the packaged broker, changed by the forms of its console. */
@InTurn
@Timeout(240)
class ConsoleConfigureTest {
    private static Path data;
    private static Administered broker;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        data = directory;
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
    void shouldSayWhatIsWrongAtItsFieldForEachKindOfValue() {
        // given
        Page page = opened("admin", "Endpoint");
        button(page, "New Endpoint").click();
        page.locator("#f-key").fill("Hall");
        page.getByLabel("Port").fill("99999");
        page.getByLabel("Interface").fill("nowhere");
        page.getByLabel("MaxMessageSize").fill("huge");

        // when
        button(page, "Review …").click();

        // then
        assertThat(problem(page, "Port")).hasText("99999 is outside 1-65535");
        assertThat(problem(page, "Interface")).containsText("nowhere");
        assertThat(problem(page, "MaxMessageSize")).containsText("huge");
        assertThat(page.getByText("Nothing is collected.")).isVisible();

        // when: a number that is none, and a reference that leads nowhere
        page.getByLabel("Port").fill("many");
        page.getByLabel("Interface").fill("127.0.0.1");
        page.getByLabel("MaxMessageSize").fill("4MB");
        button(page, "Review …").click();

        // then
        assertThat(problem(page, "Port")).containsText("many");

        // when
        page.getByLabel("Port").fill("11884");
        page.locator("#f-MessageHub").selectOption("DemoHub");
        page.getByLabel("Add a name to TopicPolicies").selectOption("DemoTopicPolicy");
        page.locator("#f-ConnectionPolicies").fill("Absent");
        button(page, "Review …").click();

        // then
        assertThat(problem(page, "ConnectionPolicies")).containsText("there is no ConnectionPolicy 'Absent'");
        assertThat(page.locator("#f-SecurityProfile option")).hasText(new String[] {"none", "AdminDefaultSecProfile"});

        // when: a password that is too long, and a list of which nothing is chosen
        page.navigate(broker.url() + "/#/configure/Singletons");
        page.getByLabel("AdminUserPassword").fill("x".repeat(2_000));
        button(page, "Review …").click();
        assertThat(problem(page, "AdminUserPassword")).isVisible();
        page.navigate(broker.url() + "/#/configure/TopicPolicy/DemoTopicPolicy");
        page.getByLabel("Publish").uncheck();
        page.getByLabel("Subscribe").uncheck();
        button(page, "Review …").click();

        // then
        assertThat(problem(page, "ActionList")).isVisible();
        assertThat(page.locator(".badge")).hasCount(0);
    }

    @Test
    void shouldCollectChangesOverPagesAndApplyThemAsOneVersion() {
        // given
        Page page = opened("admin", "Queue/orders");
        int version = version();
        String script = "<img src=x onerror=alert(1)>";

        // when
        page.getByLabel("MaxMessages").fill("17");
        page.getByLabel("Description").fill(script);
        button(page, "Collect").click();
        button(page, "New Queue").click();
        page.locator("#f-key").fill("made");
        page.locator("#f-DeadLetterQueue").selectOption("orders");
        button(page, "Collect").click();
        assertThat(page.locator(".objects")).containsText("madenew");
        page.getByText("Dashboard").first().click();
        assertThat(page.getByText("Running").first()).isVisible();
        page.locator("nav a", new Page.LocatorOptions().setHasText("Change set"))
                .click();

        // then
        assertThat(page.locator(".diff")).hasCount(2);
        assertThat(diff(page, "Queue/orders")).containsText("MaxMessages");
        assertThat(diff(page, "Queue/orders")).containsText("500017");
        assertThat(diff(page, "Queue/orders")).containsText(script);
        assertThat(page.getByText("The broker would do that. Nothing has changed."))
                .isVisible();
        assertThat(version()).isEqualTo(version);

        // when
        button(page, "Apply").click();

        // then
        assertThat(page.getByText("The configuration is as asked.")).isVisible();
        assertThat(version()).isEqualTo(version + 1);
        assertThat(shown("made")).contains("DeadLetterQueue orders");
        assertThat(shown("orders")).contains("MaxMessages 17");

        // when: both are undone by a version of their own
        page.navigate(broker.url() + "/#/history");
        page.getByLabel("What it changed as version " + (version + 1)).click();
        assertThat(diff(page, "Queue/orders")).containsText(script);
        page.getByLabel("Go back to version " + version + "").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        assertThat(dialog.locator(".diff")).hasCount(2);
        assertThat(dialog.getByLabel("Delete queues with the messages that wait in them"))
                .isVisible();
        dialog.getByText("Go back", new Locator.GetByTextOptions().setExact(true))
                .click();

        // then
        assertThat(page.getByText("It is as in version " + version + ", and is version " + (version + 2)))
                .isVisible();
        assertThat(shown("orders")).contains("MaxMessages 5000");
        assertThat(broker.adminHere("queue", "show", "made").exitCode()).isNotZero();
        assertThat(broker.adminDoneHere("config", "history", "--limit", "1"))
                .contains("rollback to version " + version, "admin");
        assertThat(page.locator("img[src=x]")).hasCount(0);
    }

    @Test
    void shouldDeleteWithTheChangeSetAndLeaveOutWhatIsNotWanted() {
        // given
        broker.adminDoneHere("queue", "create", "old");
        broker.adminDoneHere("queue", "create", "kept");
        Page page = opened("admin", "Queue/old");

        // when
        button(page, "Delete …").click();
        assertThat(diff(page, "Queue/old")).containsText("deleted");
        page.getByText("Change more").click();
        page.locator(".objects a", new Page.LocatorOptions().setHasText("kept")).click();
        button(page, "Delete …").click();
        page.getByLabel("Leave out Queue 'kept'").click();
        page.getByLabel("Delete Queue old with the messages that wait in it").check();
        button(page, "Apply").click();

        // then
        assertThat(page.getByText("The configuration is as asked.")).isVisible();
        assertThat(broker.adminHere("queue", "show", "old").exitCode()).isNotZero();
        assertThat(shown("kept")).contains("MaxMessages");
        broker.adminDoneHere("queue", "delete", "kept");
    }

    @Test
    void shouldTellWhatAnotherAdministratorHasChangedMeanwhileAndLoseNothing() {
        // given
        broker.adminDoneHere("queue", "create", "shared");
        Page page = opened("admin", "Queue/shared");
        page.getByLabel("MaxMessages").fill("7");
        page.getByLabel("Description").fill("mine");
        button(page, "Review …").click();
        assertThat(page.getByText("The broker would do that.")).isVisible();

        // when
        broker.adminDoneHere("queue", "update", "shared", "--max-messages", "9");
        button(page, "Apply").click();

        // then
        Locator meanwhile = page.getByLabel("Changed meanwhile");
        assertThat(meanwhile).containsText("admin");
        assertThat(meanwhile).containsText("changed Queue 'shared': MaxMessages");
        assertThat(page.getByLabel("Conflicts")).containsText("Queue 'shared': MaxMessages is 9 now; you want 7.");
        assertThat(shown("shared")).contains("MaxMessages 9");

        // when
        button(page, "Leave mine out").click();
        button(page, "Go on with my changes").click();
        button(page, "Apply").click();

        // then
        assertThat(page.getByText("The configuration is as asked.")).isVisible();
        assertThat(shown("shared")).contains("MaxMessages 9", "Description mine");
        broker.adminDoneHere("queue", "delete", "shared");
    }

    @Test
    void shouldStayWhereTheUserHasGoneWhileTheBrokerChecksAChange() {
        // given
        Page page = opened("admin", "Queue/orders");
        AtomicReference<Route> check = new AtomicReference<>();
        page.route("**/configuration/check", check::set);
        page.getByLabel("Description").fill("late");

        // when
        button(page, "Collect").click();
        page.waitForCondition(() -> check.get() != null);

        // then a form that the answer would replace does not open
        assertThat(button(page, "New Queue")).isDisabled();

        // when
        page.navigate(broker.url() + "/#/configure/TopicPolicy/DemoTopicPolicy");
        page.getByLabel("Description").fill("typed meanwhile");
        check.get().resume();

        // then
        assertThat(page.locator("nav .badge")).hasText("1");
        assertThat(page.getByLabel("Description")).hasValue("typed meanwhile");
        assertThat(button(page, "New TopicPolicy")).isEnabled();

        // when
        page.unroute("**/configuration/check");
        page.locator("nav a", new Page.LocatorOptions().setHasText("Change set"))
                .click();

        // then
        assertThat(diff(page, "Queue/orders")).containsText("late");
        button(page, "Discard all …").click();
        button(page, "Discard").click();
        assertThat(page.getByText("Nothing is collected.")).isVisible();
    }

    @Test
    void shouldDropWhatWasCollectedWhenAnotherUserLogsIn() {
        // given
        Page page = opened("admin", "Queue/orders");
        page.getByLabel("Description").fill("not applied");
        button(page, "Collect").click();
        assertThat(page.locator("nav .badge")).hasText("1");

        // when: the same user comes back
        button(page, "admin").click();
        button(page, "Log out").click();
        ConsoleBrowser.logIn(page, "admin", "pencil");

        // then
        assertThat(page.locator("nav .badge")).hasText("1");

        // when: another one does
        button(page, "admin").click();
        button(page, "Log out").click();
        ConsoleBrowser.logIn(page, "vera", "pencil");
        assertThat(page.getByText("You may look at the configuration, and not change it."))
                .isVisible();

        // then
        assertThat(page.getByText("not applied")).hasCount(0);
        button(page, "vera").click();
        button(page, "Log out").click();
        ConsoleBrowser.logIn(page, "admin", "pencil");
        assertThat(page.locator(".objects")).isVisible();
        assertThat(page.locator(".badge")).hasCount(0);
    }

    @Test
    void shouldTakeFilesReplaceAndDeleteThemAndShowWhenTheyRunOut() throws IOException {
        // given
        Page page = opened("admin", "Queue");
        page.navigate(broker.url() + "/#/files");
        Path certificate = data.resolve("files/AdminDefaultCert.pem");
        Locator row = page.locator("tr", new Page.LocatorOptions().setHasText("plant.pem"));

        // when
        page.locator("input[type=file]").setInputFiles(certificate);
        page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("plant.pem");
        button(page, "Upload").click();

        // then
        assertThat(row).containsText("Certificate");
        assertThat(row).containsText("good until");
        assertThat(data.resolve("files/plant.pem")).hasSameBinaryContentAs(certificate);

        // when: a key takes its place
        page.locator("input[type=file]").setInputFiles(data.resolve("files/AdminDefaultKey.pem"));
        page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("plant.pem");
        assertThat(page.getByText("It takes the place of the file that is there"))
                .isVisible();
        button(page, "Replace").click();

        // then
        assertThat(row).containsText("Key");
        assertThat(page.content()).doesNotContain("PRIVATE KEY");

        // when
        page.getByLabel("Delete plant.pem").click();
        button(page, "Delete").click();

        // then
        assertThat(row).hasCount(0);
        assertThat(data.resolve("files/plant.pem")).doesNotExist();
        assertThat(page.getByLabel("Delete AdminDefaultKey.pem")).isDisabled();
    }

    @Test
    void shouldExportAndImportWithAPreview() throws IOException {
        // given
        broker.adminDoneHere("queue", "create", "exported");
        Page page = opened("admin", "Queue");
        page.navigate(broker.url() + "/#/transfer");
        Locator export = page.getByLabel("Export", new Page.GetByLabelOptions().setExact(true))
                .first();
        export.getByLabel("Password of the file").fill("sealed-well");
        export.getByLabel("The same again").fill("sealed-well");

        // when
        Download download =
                page.waitForDownload(() -> export.locator("button[type=submit]").click());

        // then
        Path file = download.path();
        assertThat(Files.readAllBytes(file)).startsWith("AVCTEXP1".getBytes(US_ASCII));

        // when
        broker.adminDoneHere("queue", "delete", "exported");
        Locator form = page.locator("form[aria-label=Import]");
        form.getByLabel("Export").setInputFiles(file);
        form.getByLabel("Password of the file").fill("wrong");
        button(page, "Preview").click();
        assertThat(form.getByRole(AriaRole.ALERT)).isVisible();
        form.getByLabel("Password of the file").fill("sealed-well");
        button(page, "Preview").click();

        // then
        assertThat(diff(page, "Queue/exported")).containsText("new");
        assertThat(broker.adminHere("queue", "show", "exported").exitCode()).isNotZero();

        // when
        form.getByText("Import", new Locator.GetByTextOptions().setExact(true))
                .last()
                .click();

        // then
        assertThat(page.getByText("The configuration is imported.")).isVisible();
        assertThat(shown("exported")).contains("MaxMessages");

        // when: a document goes through the change set
        Path document =
                Files.writeString(data.resolve("objects.json"), "{\"Queue\": {\"exported\": {\"MaxMessages\": 3}}}");
        page.getByLabel("Objects", new Page.GetByLabelOptions().setExact(true)).setInputFiles(document);

        // then
        assertThat(diff(page, "Queue/exported")).containsText("50003");
        broker.adminDoneHere("queue", "delete", "exported");
    }

    @Test
    void shouldSayBesideAColumnWhatTheListOfFiguresSays() throws IOException {
        // given
        Page page = opened("vera", "Queue");
        page.navigate(broker.url() + "/#/queues");

        // when
        page.getByLabel("What Buffered means").click();

        // then
        Locator note = page.getByRole(AriaRole.NOTE);
        assertThat(note).containsText("Messages that wait or are in flight.");
        assertThat(note).containsText("Worry when: It grows all the time.");
        assertThat(Files.readString(Distribution.HOME.resolve("docs/figures.md")))
                .contains("| `BufferedMsgs` | Messages that wait or are in flight. | It grows all the time. |");
    }

    @Test
    void shouldSetUpABrokerOnWhichNothingIsConfigured(@TempDir Path fresh) throws IOException {
        try (Administered other = Administered.start(fresh, Map.of())) {
            // given
            Page page = browser.open(other.url(), 1280, 800);
            page.getByText("Set it up …").click();
            page.getByLabel("Address").fill("127.0.0.1");
            page.getByLabel("Port").fill("0");
            page.getByLabel("Host name").fill("localhost");
            page.getByLabel("Password of the administrator").fill("short");
            page.getByLabel("The same again").fill("short");
            page.getByLabel("Password of that user").fill("rubber-rubber");
            page.getByLabel("Queues").fill("orders, bills");

            // when
            button(page, "Preview").click();

            // then
            assertThat(page.getByText("has 5 characters")).isVisible();
            assertThat(page.getByText("must be a whole number from 1 to 65535")).isVisible();

            // when
            page.getByLabel("Port").fill(Integer.toString(FreePort.next()));
            page.getByLabel("Password of the administrator").fill("pencil-pencil");
            page.getByLabel("The same again").fill("pencil-pencil");
            button(page, "Preview").click();

            // then
            assertThat(page.getByText("The user 'user' is created.")).isVisible();
            assertThat(diff(page, "TopicPolicy/OwnTopics")).containsText("${UserID}/*");
            assertThat(fresh.resolve("files/server.pem")).doesNotExist();

            // when
            button(page, "Apply").click();

            // then
            assertThat(page.getByText("The configuration is as asked.")).isVisible();
            assertThat(fresh.resolve("files/server.pem")).exists();
            page.navigate(other.url());
            page.reload();
            ConsoleBrowser.logIn(page, "admin", "pencil-pencil");
            assertThat(page.getByText("Running").first()).isVisible();
            assertThat(page.getByText("Set it up …")).hasCount(0);
        }
    }

    @Test
    void shouldLetThoseLookWhoMayView() {
        // when
        Page page = opened("vera", "Queue/orders");

        // then
        assertThat(page.getByText("You may look at the configuration, and not change it."))
                .isVisible();
        assertThat(page.getByLabel("MaxMessages")).isDisabled();
        assertThat(button(page, "Review …")).hasCount(0);
        assertThat(button(page, "New Queue")).hasCount(0);
        assertThat(page.locator("nav")).not().containsText("Change set");

        // when
        page.navigate(broker.url() + "/#/history");

        // then
        assertThat(page.getByText("What it changed").first()).isVisible();
        assertThat(page.getByText("Go back …")).hasCount(0);
    }

    private static Page opened(String user, String object) {
        Page page = browser.open(broker.url() + "/#/configure/" + object, 1280, 800);
        ConsoleBrowser.logIn(page, user, "pencil");
        assertThat(page.locator(".configure")).isVisible();
        return page;
    }

    private static Locator problem(Page page, String property) {
        return page.locator(".form-row[data-property=" + property + "] [role=alert]");
    }

    private static Locator diff(Page page, String object) {
        return page.locator("[data-object='" + object + "']");
    }

    private static int version() {
        return Integer.parseInt(broker.adminDoneHere("config", "history", "--limit", "1", "-o", "csv")
                .lines()
                .filter(line -> line.matches("[0-9]+,.*"))
                .findFirst()
                .orElseThrow()
                .split(",", 2)[0]);
    }

    private static String shown(String queue) {
        return broker.adminDoneHere("queue", "show", queue).replaceAll(" +", " ");
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }
}
