package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.HasCountOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.avocet.dist.Administered;
import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What holds of each page of the console and of all that can be done there. */
@InTurn
@Timeout(240)
class ConsoleEachPageTest {
    private static final double PATIENCE_MS = 15_000;
    /** An ordinary build visits one page of so many; what happens there is the same code on all. */
    private static final int SHARE = 4;

    private static final String AWAY = "The broker does not answer.";

    /** A page, what it shows when it has been loaded, and what a user does there that asks the broker. */
    private record Visit(String place, String shows, Consumer<Page> act) {}

    private static final List<Visit> VISITS = List.of(
            new Visit("dashboard", "Messages per second", page -> {}), // it asks by itself
            new Visit("connections", "1–1 of 1", press("Refresh")),
            new Visit("connections", "1–1 of 1", page -> {
                page.locator("tbody .link").click();
                press("Trace it live").accept(page);
            }),
            new Visit("connections", "1–1 of 1", confirm("Disconnect")),
            new Visit("sessions", "0 of 0", press("Refresh")),
            new Visit("subscriptions", "1–1 of 1", press("Refresh")),
            new Visit("subscriptions", "1–1 of 1", confirm("Delete")),
            new Visit("queues", "1–1 of 1", press("Refresh")),
            new Visit("queues", "1–1 of 1", confirm("Purge")),
            new Visit("queues/orders", "No message waits that fits.", press("Refresh")),
            new Visit("queues/orders", "No message waits that fits.", page -> {
                press("Send a message").accept(page);
                press("Send").accept(page);
            }),
            new Visit("topics", "0 of 0", press("Refresh")),
            new Visit("retained", "1–1 of 1", press("Refresh")),
            new Visit("retained", "1–1 of 1", confirm("Delete")),
            new Visit("endpoints", "1–", press("Refresh")),
            new Visit("transactions", "0 of 0", press("Refresh")),
            new Visit("store", "it is being written", press("Refresh")),
            new Visit("try", "Not connected", page -> {
                page.getByLabel("Queue", exactly()).fill("orders");
                press("Browse").accept(page);
            }),
            new Visit("configure/Queue/orders", "Most messages that wait in it.", press("Refresh")),
            new Visit("configure/Queue/orders", "Most messages that wait in it.", page -> {
                page.getByLabel("Description").fill("not applied");
                press("Collect").accept(page);
            }),
            new Visit("history", "Version 1", press("Refresh")),
            new Visit("files", "AdminDefaultCert.pem", press("Refresh")),
            new Visit("transfer", "Objects without secrets", press("Objects without secrets, as JSON")),
            new Visit("setup", "This broker has been configured already.", press("Preview")),
            new Visit("access", "The client wants to", press("Explain")));

    private static Administered broker;
    private static ConsoleBrowser browser;
    private static MqttClient client;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
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
        client = new MqttClient("tcp://127.0.0.1:" + broker.process().port(), "watched", new MemoryPersistence());
        client.connect();
        client.subscribe("plant/#", 1);
        client.publish("plant/1", new byte[] {'7'}, 1, true);
    }

    @AfterAll
    static void stop() throws Exception {
        if (client != null) {
            client.disconnect();
            client.close();
        }
        if (broker != null) {
            broker.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void shouldAskForTheLoginOnEachPageWhenTheSessionHasEndedAndGoOnThere() throws Exception {
        Page page = loggedIn("admin");
        int version = version();
        for (Visit visit : RandomSuite.oneOf(SHARE, VISITS)) {
            // given
            go(page, visit);

            // when
            assertThat(ask("DELETE", "/api/v1/service/session?Everywhere=true", "admin"))
                    .isEqualTo(200);
            try {
                visit.act.accept(page);
            } catch (PlaywrightException e) { // what the page has still asked for when it was loaded was sooner
                assertThat(page.getByText("Your session has ended.")).isVisible();
            }

            // then
            assertThat(page.getByText("Your session has ended.")).isVisible();
            ConsoleBrowser.logIn(page, "admin", "pencil");
            assertThat(main(page)).containsText(visit.shows, patiently());
            assertThat(page.evaluate("location.hash")).isEqualTo("#/" + visit.place);
        }
        assertThat(version()).isEqualTo(version);
        assertThat(client.isConnected()).isTrue();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldSayOnEachPageThatTheBrokerIsAwayAndGoOnByItselfWhenItIsBack() throws Exception {
        Page page = loggedIn("admin");
        int version = version();
        // ConsoleReturnTest has the dashboard
        for (Visit visit : RandomSuite.oneOf(SHARE, VISITS.subList(1, VISITS.size()))) {
            // given
            go(page, visit);

            // when
            page.route("**/*", route -> route.abort("connectionrefused"));
            visit.act.accept(page);

            // then: what it has shown is there yet
            assertThat(page.locator("#content > .note-bad").first()).containsText(AWAY);
            assertThat(main(page)).containsText(visit.shows);

            // when
            page.unroute("**/*");

            // then: also what it has said itself, where it asks again by itself
            assertThat(page.locator("#content > .note-bad").getByText("This page tries again by itself"))
                    .hasCount(0, new HasCountOptions().setTimeout(PATIENCE_MS));
            assertThat(main(page)).containsText(visit.shows);
        }
        assertThat(version()).isEqualTo(version);
        assertThat(client.isConnected()).isTrue();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldKeepWhatIsCollectedWhileTheBrokerIsAwayAndWhenTheSessionEnds() throws Exception {
        // given
        Page page = loggedIn("admin");
        page.evaluate("() => { location.hash = '#/configure/Queue/orders'; }");
        page.getByLabel("Description").fill("kept");
        press("Review …").accept(page);
        assertThat(page.getByText("The broker would do that.")).isVisible();

        // when
        page.route("**/*", route -> route.abort("connectionrefused"));
        press("Apply").accept(page);

        // then
        assertThat(page.locator("#content > .note-bad").getByText(AWAY, new Locator.GetByTextOptions().setExact(true)))
                .isVisible();
        assertThat(page.locator(".diff")).containsText("kept");

        // when
        page.unroute("**/*");
        assertThat(page.getByText("The broker would do that."))
                .isVisible(new IsVisibleOptions().setTimeout(PATIENCE_MS));
        assertThat(ask("DELETE", "/api/v1/service/session?Everywhere=true", "admin"))
                .isEqualTo(200);
        press("Apply").accept(page);

        // then
        assertThat(page.getByText("Your session has ended.")).isVisible();
        ConsoleBrowser.logIn(page, "admin", "pencil");
        assertThat(page.locator(".diff")).containsText("kept");
        press("Apply").accept(page);
        assertThat(page.getByText("The configuration is as asked.")).isVisible();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldLoadEachPageByItselfThatWasOpenedWhileTheBrokerWasAway() {
        Page page = loggedIn("admin");
        Set<String> seen = new HashSet<>(Set.of("dashboard", "endpoints", "transfer")); // the last asks for nothing
        for (Visit visit : RandomSuite.oneOf(SHARE, VISITS)) {
            if (!seen.add(visit.place)) {
                continue;
            }
            // given
            page.evaluate("() => { location.hash = '#/endpoints'; }");
            assertThat(main(page)).containsText("1–", patiently());
            page.route("**/*", route -> route.abort("connectionrefused"));

            // when
            page.evaluate("place => { location.hash = place; }", "#/" + visit.place);
            assertThat(page.locator("#content > .note-bad").first()).containsText(AWAY);
            page.unroute("**/*");

            // then
            assertThat(main(page)).containsText(visit.shows, patiently());
            assertThat(main(page)).not().containsText(AWAY);
            assertThat(main(page)).not().containsText("Asking the broker");
        }
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldOfferNothingToChangeOnAnyPageToWhoMayViewOnly() {
        // given
        Page page = loggedIn("vera");
        List<String> refused = new ArrayList<>();
        page.onResponse(answer -> {
            if (answer.status() >= 400) {
                refused.add(answer.status() + " " + answer.url());
            }
        });
        List<String> pages = page.locator("nav a").allTextContents();
        assertThat(pages)
                .containsExactly(
                        "Dashboard",
                        "Connections",
                        "Sessions",
                        "Subscriptions",
                        "Queues",
                        "Topics",
                        "Endpoints",
                        "Transactions in doubt",
                        "Store",
                        "Configuration",
                        "History",
                        "Files",
                        "Explain access");
        Set<String> harmless = Set.of(
                "Refresh",
                "Previous",
                "Next",
                "Last hour",
                "Last day",
                "Close",
                "What it changed",
                "Compare with now",
                "Explain");

        for (String name : pages) {
            // when
            page.getByRole(
                            AriaRole.LINK,
                            new Page.GetByRoleOptions().setName(name).setExact(true))
                    .click();
            assertThat(main(page).locator("h1")).not().hasText("");
            assertThat(main(page))
                    .not()
                    .containsText("Asking the broker", new ContainsTextOptions().setTimeout(PATIENCE_MS));
            if (page.locator("tbody .link").count() > 0) {
                page.locator("tbody .link").first().click();
                assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
            }

            // then
            assertThat(page.locator("main button:not(.link, .sort, .help-button)").allTextContents().stream()
                            .map(String::strip)
                            .filter(text -> !text.isEmpty())
                            .toList())
                    .as(name)
                    .isSubsetOf(harmless);
            assertThat(page.locator("main dialog button[aria-label=Close]").count())
                    .isEqualTo(page.locator("main dialog").count());
            page.keyboard().press("Escape");
        }

        // and: at the addresses of the other pages
        for (String place : List.of("retained", "try", "changes", "transfer", "setup")) {
            page.evaluate("place => { location.hash = place; }", "#/" + place);
            assertThat(main(page).locator("h1")).hasText("Dashboard");
        }
        page.evaluate("() => { location.hash = '#/queues/orders'; }");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("that takes Manage or Configure");

        // and: what an object is, without a way to change it
        page.evaluate("() => { location.hash = '#/configure/Queue/orders'; }");
        assertThat(page.locator("#form-title")).hasText("Queue orders");
        assertThat(page.locator(".form :is(input, select, textarea, button):enabled"))
                .hasCount(0);
        assertThat(refused).isEmpty();
        assertThat(browser.complaints()).isEmpty();
    }

    /** What a page does not offer, a user could send all the same. */
    @Test
    void shouldRefuseEachRequestThatChangesSomethingToWhoMayViewOnly() throws Exception {
        JsonObject paths = JsonParser.parseString(body("/api/v1/openapi.json", "vera"))
                .getAsJsonObject()
                .getAsJsonObject("paths");
        List<String> allowed = new ArrayList<>();
        int asked = 0;
        for (String path : paths.keySet()) {
            for (String method : paths.getAsJsonObject(path).keySet()) {
                if (Set.of("post", "put", "delete", "patch").contains(method)) {
                    asked++;
                    int status =
                            ask(method.toUpperCase(Locale.ROOT), "/api/v1" + path.replaceAll("\\{\\w+}", "x"), "vera");
                    if (status != 403) {
                        allowed.add(method + " " + path + ": " + status);
                    }
                }
            }
        }
        assertThat(asked).isGreaterThan(30);
        assertThat(allowed).allMatch(each -> each.matches("(post|delete) /service/(session|token|access): .*"));
    }

    private static void go(Page page, Visit visit) {
        page.evaluate("() => { location.hash = '#/endpoints'; }"); // with all that is open on the page before
        assertThat(page.locator("h1")).hasText("Endpoints");
        page.evaluate("place => { location.hash = place; }", "#/" + visit.place);
        assertThat(main(page)).containsText(visit.shows, patiently());
    }

    private static Consumer<Page> press(String button) {
        return page -> page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .first()
                .click();
    }

    /** An action on the first line of a list, with its confirmation. */
    private static Consumer<Page> confirm(String word) {
        return page -> {
            page.locator("tbody .link").first().click();
            press(word + " …").accept(page);
            press(word).accept(page);
        };
    }

    private static Page loggedIn(String user) {
        Page page = browser.open(broker.url(), 1280, 860);
        ConsoleBrowser.logIn(page, user, "pencil");
        assertThat(main(page)).isVisible();
        return page;
    }

    private static Locator main(Page page) {
        return page.locator("main.content");
    }

    private static Page.GetByLabelOptions exactly() {
        return new Page.GetByLabelOptions().setExact(true);
    }

    private static ContainsTextOptions patiently() {
        return new ContainsTextOptions().setTimeout(PATIENCE_MS);
    }

    private static int version() throws IOException, InterruptedException {
        return JsonParser.parseString(body("/api/v1/configuration/versions", "admin"))
                .getAsJsonObject()
                .get("ConfigurationVersion")
                .getAsInt();
    }

    private static String body(String path, String user) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(request(path, user).build(), BodyHandlers.ofString())
                .body();
    }

    private static int ask(String method, String path, String user) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        request(path, user)
                                .method(method, BodyPublishers.ofString(method.equals("DELETE") ? "" : "{}"))
                                .header("Content-Type", "application/json")
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    private static HttpRequest.Builder request(String path, String user) {
        String login = Base64.getEncoder().encodeToString((user + ":pencil").getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(URI.create(broker.url() + path)).header("Authorization", "Basic " + login);
    }
}
