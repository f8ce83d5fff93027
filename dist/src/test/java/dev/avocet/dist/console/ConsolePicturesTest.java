package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.ElementHandle;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import dev.avocet.dist.Administered;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.jms.XAJMSContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the main pages of the console look like, on a desk and on a phone, light and dark: as in the pictures that are
 * kept in {@code docs/pictures}, but for what moves and for the letters of another font. With {@code
 * -Davocet.writePictures=true} the pictures are written anew. Each page is held to axe-core's rules in each form, too.
 */
@InTurn
@Timeout(240)
class ConsolePicturesTest {
    private static final Path KEPT = Path.of("..", "docs", "pictures");
    private static final Path SEEN = Path.of("target", "pictures");
    private static final boolean WRITES = Boolean.getBoolean("avocet.writePictures");
    /** Which part of a picture may differ from the one that is kept. */
    private static final double TOLERANCE = 0.08;

    private static final String EVERYWHERE = ".side-foot, .user-name";
    private static final Pattern HISTORY =
            Pattern.compile(".*/api/v1/monitor/(\\w+)\\?SubType=History&StatType=(\\w+).*");

    /** A width and a theme. */
    private record Form(String name, int width, int height, ColorScheme scheme) {}

    private static final List<Form> ALL_FORMS = List.of(
            new Form("wide-light", 1280, 860, ColorScheme.LIGHT),
            new Form("wide-dark", 1280, 860, ColorScheme.DARK),
            new Form("phone-light", 390, 844, ColorScheme.LIGHT),
            new Form("phone-dark", 390, 844, ColorScheme.DARK));

    /** An ordinary build looks at each width and at each theme once. */
    private static final List<Form> FORMS =
            WRITES || RandomSuite.isWhole() ? ALL_FORMS : List.of(ALL_FORMS.get(0), ALL_FORMS.get(3));

    private static final List<MqttClient> CLIENTS = new ArrayList<>();

    private static Administered broker;
    private static ConsoleBrowser browser;
    private static Axe axe;
    /** The one page of all that need a login, when it is there. */
    private static final List<Page> LOGGED_IN = new ArrayList<>();

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        browser = ConsoleBrowser.start();
        axe = new Axe();
        broker = Administered.start(data, Map.of("BROKER_HEAP", "96m")); // so much that no line warns of it
        Path password = Files.writeString(data.resolve("password"), "pencil");
        Path objects = Files.writeString(data.resolve("objects.json"), """
                {"ConnectionPolicy": {"Meters": {"ClientID": "meter-*"}},
                 "TopicPolicy": {
                   "OwnTopics": {"ClientID": "*", "Topic": "meters/${ClientID}/*", "ActionList": "Publish,Subscribe"},
                   "Staff": {"GroupID": "staff", "Topic": "meters/*", "ActionList": "Subscribe"}},
                 "Queue": {"orders": {"Description": "What the shop has sold", "MaxMessages": 5000}, "invoices": {}},
                 "Endpoint": {"Hall": {"Port": 1899, "Enabled": false, "MessageHub": "DemoHub",
                   "ConnectionPolicies": "Meters", "TopicPolicies": "OwnTopics,Staff"}}}
                """);
        broker.adminDoneHere("apply", "--file", objects.toString());
        fill();
        prepare();
        broker.adminDoneHere("server", "update", "--admin-user-password-file", password.toString());
    }

    private static void fill() throws MqttException {
        for (int meter = 1; meter <= 6; meter++) {
            MqttClient client = client("meter-" + meter);
            client.subscribe("meters/meter-" + meter + "/commands", 1);
            client.publish("meters/meter-" + meter + "/status", "on".getBytes(UTF_8), 1, true);
        }
        client("billing").subscribe("meters/+/status", 1);
        for (int meter = 0; meter < 3; meter++) {
            CLIENTS.get(meter).subscribe("$share/night/alarms/#", 1);
        }
        try (JMSContext context = new AvocetConnectionFactory(
                        "avocet://127.0.0.1:" + broker.process().port())
                .createContext()) {
            Queue queue = context.createQueue("orders");
            for (int order = 1; order <= 6; order++) {
                context.createProducer().setProperty("customer", order).send(queue, "order " + order);
            }
        }
    }

    /** Two global transactions that wait for their coordinator. */
    private static void prepare() throws XAException {
        for (byte branch = 1; branch <= 2; branch++) {
            try (XAJMSContext context = new AvocetConnectionFactory(
                            "avocet://127.0.0.1:" + broker.process().port())
                    .createXAContext()) {
                XAResource resource = context.getXAResource();
                Xid xid = new Branch(branch);
                resource.start(xid, XAResource.TMNOFLAGS);
                context.createProducer().send(context.createQueue("invoices"), "in doubt");
                resource.end(xid, XAResource.TMSUCCESS);
                resource.prepare(xid);
            }
        }
    }

    private record Branch(byte number) implements Xid {
        @Override
        public int getFormatId() {
            return 7;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1, 2, number};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {3};
        }
    }

    private static MqttClient client(String name) throws MqttException {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + broker.process().port(), name, new MemoryPersistence());
        client.connect();
        CLIENTS.add(client);
        return client;
    }

    @AfterAll
    static void stop() throws MqttException {
        for (MqttClient client : CLIENTS) {
            if (client.isConnected()) {
                client.disconnect();
            }
            client.close();
        }
        CLIENTS.clear(); // when the class is repeated in this JVM, it begins without them
        if (broker != null) {
            broker.close();
        }
        if (browser != null) {
            browser.close();
        }
        LOGGED_IN.clear();
    }

    @AfterEach
    void requireThatItComplainsOfNothingAndAsksNoOtherHost() {
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void shouldLookAsKeptAtTheLogin() throws IOException {
        Page page = browser.open(broker.url(), 1280, 860);
        assertThat(page.getByLabel("User name")).isFocused();

        assertLooksAsKept(page, "login", "");
    }

    @Test
    void shouldLookAsKeptAtTheDashboard() throws IOException {
        Page page = opened("dashboard");
        assertThat(page.locator(".plot canvas")).hasCount(4);
        assertThat(page.locator(".tile-value").first()).containsText("Running");
        assertThat(page.locator(".tile-value").nth(2)).containsText("0/s"); // the second event has come

        assertLooksAsKept(page, "dashboard", ".tile, .plot");
    }

    @Test
    void shouldLookAsKeptWhereItExplores() throws IOException {
        Page page = opened("connections");
        assertThat(page.locator("tbody tr")).hasCount(7);

        assertLooksAsKept(page, "connections", "tbody td:not(:first-child), tbody tr");
    }

    @Test
    void shouldLookAsKeptAtAQueue() throws IOException {
        Page page = opened("queues/orders");
        assertThat(page.locator("tbody tr")).hasCount(6);

        assertLooksAsKept(page, "queue", "tbody tr");
    }

    @Test
    void shouldLookAsKeptAtAFormOfTheConfiguration() throws IOException {
        Page page = opened("configure/Queue/orders");
        assertThat(page.getByLabel("MaxMessages")).hasValue("5000");

        assertLooksAsKept(page, "configuration", "");
    }

    @Test
    void shouldLookAsKeptWhereItIsTried() throws IOException {
        Page page = opened("try");
        button(page, "Connect").click();
        assertThat(page.getByText("Connected as console-")).isVisible();
        field(page, "Topic filter").fill("plant/#");
        button(page, "Subscribe").click();
        assertThat(page.getByLabel("Subscriptions of this page")).containsText("plant/#");
        field(page, "Topic").fill("plant/1/temperature");
        field(page, "Payload").fill("21.5");
        button(page, "Publish").click();
        assertThat(page.getByLabel("Messages that have come").getByRole(AriaRole.LISTITEM))
                .hasCount(1);

        assertLooksAsKept(page, "try", "select, .note, .message");
    }

    @Test
    void shouldLookAsKeptWhereItExplainsAccess() throws IOException {
        Page page = opened("access");
        assertThat(button(page, "Explain")).isEnabled();
        field(page, "Endpoint").selectOption("Hall");
        field(page, "The client wants to").selectOption("Publish");
        field(page, "Topic").fill("meters/meter-8/status");
        field(page, "Client identifier").fill("meter-7");
        button(page, "Explain").click();
        assertThat(page.getByText("OwnTopics").first()).isVisible();

        assertLooksAsKept(page, "access", "");
    }

    @Test
    void shouldLookAsKeptAtAChangeSet() throws IOException {
        Page page = opened("configure/Queue/orders");
        page.getByLabel("MaxMessages").fill("9000");
        page.getByLabel("Description").fill("What the shop has sold since May");
        button(page, "Collect").click();
        button(page, "New Queue").click();
        page.locator("#f-key").fill("returns");
        page.locator("#f-DeadLetterQueue").selectOption("orders");
        button(page, "Review …").click();
        assertThat(page.getByText("The broker would do that. Nothing has changed."))
                .isVisible();

        assertLooksAsKept(page, "changes", "");
        button(page, "Discard all …").click();
        button(page, "Discard").click();
        assertThat(page.getByText("Nothing is collected.")).isVisible();
    }

    @Test
    void shouldLookAsKeptAtTheHistory() throws IOException {
        Page page = opened("history");
        page.getByLabel("What it changed as version 2").click();
        assertThat(page.locator(".diff").first()).isVisible();

        assertLooksAsKept(page, "history", "");
    }

    @Test
    void shouldLookAsKeptAtTheFiles() throws IOException {
        Page page = opened("files");
        assertThat(page.locator("tbody tr").first()).containsText("AdminDefault");

        assertLooksAsKept(page, "files", "tbody td:nth-child(n + 2)");
    }

    @Test
    void shouldLookAsKeptWhereAConfigurationGoesOutAndComesIn() throws IOException {
        Page page = opened("transfer");
        assertThat(button(page, "Preview")).isVisible();

        assertLooksAsKept(page, "transfer", "");
    }

    @Test
    void shouldLookAsKeptAtTheSetup() throws IOException {
        Page page = opened("setup");
        assertThat(page.getByText("This broker has been configured already.")).isVisible();
        page.getByLabel("Password of the administrator").fill("short");
        page.getByLabel("The same again").fill("short");
        button(page, "Preview").click();
        assertThat(page.locator(".field-problem").first()).isVisible();

        assertLooksAsKept(page, "setup", "");
    }

    @Test
    void shouldLookAsKeptAtTransactionsInDoubt() throws IOException {
        Page page = opened("transactions");
        assertThat(page.locator("tbody tr")).hasCount(2);

        assertLooksAsKept(page, "transactions", "tbody td");
    }

    @Test
    void shouldLookAsKeptAtTheStore() throws IOException {
        Page page = opened("store");
        assertThat(page.locator("tbody tr").first()).containsText("it is being written");

        assertLooksAsKept(page, "store", "dd, tbody td");
    }

    @Test
    void shouldLookAsKeptWhereAClientIsTraced() throws IOException {
        Page page = opened("connections");
        page.route("**/api/v1/service/trace/live?*", ConsolePicturesTest::tellATrace);
        page.getByText("meter-3", new Page.GetByTextOptions().setExact(true)).click();
        button(page, "Trace it live").click();
        assertThat(page.getByText("Its time is over.")).isVisible();

        assertLooksAsKept(page, "trace", ".details dd");
    }

    /** As many lines each time, as the height of the box depends on that. */
    private static void tellATrace(Route route) {
        String client = "mqtt <- 'meter-3' at 127.0.0.1 on 127.0.0.1:1883: ";
        String lines = Stream.of(
                        client + "PUBLISH topic='meters/meter-3/power' qos=1 retain=false dup=false id=4 bytes=3",
                        client.replace("<-", "->") + "PUBACK id=4 reason=NO_MATCHING_SUBSCRIBERS",
                        client + "PINGREQ",
                        client.replace("<-", "->") + "PINGRESP")
                .map(line -> "{\"Time\":1790000000000,\"Text\":\"" + line + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
        route.fulfill(new Route.FulfillOptions()
                .setContentType("text/event-stream")
                .setBody("data: {\"Lines\":" + lines + ",\"LeftOut\":0,\"Ended\":\"Time\"}\n\n"));
    }

    @Test
    void shouldLookAsKeptAtThoseWhoShareASubscription() throws IOException {
        Page page = opened("subscriptions");
        page.getByText("alarms/#").first().click();
        assertThat(page.getByText("Shared by 3 clients")).isVisible();

        assertLooksAsKept(page, "members", ".details dd");
    }

    /** What the others rely on: that they pass with the fonts of another machine, and fail when something is wrong. */
    @Test
    void shouldForgiveAnotherFontAndNoOtherLook() throws IOException {
        Page page = opened("configure/Queue/orders");
        assertThat(page.getByLabel("MaxMessages")).hasValue("5000");
        for (Form form : FORMS) {
            page.setViewportSize(form.width, form.height);
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(form.scheme));
            settle(page);
            Picture usual = Picture.of(page.screenshot());

            assertThat(differenceWith(page, usual, "--font", "'DejaVu Serif', serif"))
                    .as(form.name)
                    .isLessThan(TOLERANCE);
            assertThat(differenceWith(page, usual, "--font", "'DejaVu Sans Condensed', monospace"))
                    .as(form.name)
                    .isLessThan(TOLERANCE);
            assertThat(differenceWith(page, usual, "--surface", "#888"))
                    .as(form.name)
                    .isGreaterThan(TOLERANCE);
            assertThat(differenceWith(page, usual, "font-size", "19px"))
                    .as(form.name)
                    .isGreaterThan(TOLERANCE);
            assertThat(differenceWith(page, usual, "padding-top", "70px"))
                    .as(form.name)
                    .isGreaterThan(TOLERANCE);
        }
    }

    /** Of the page when a property of its root is another. */
    private static double differenceWith(Page page, Picture usual, String property, String value) throws IOException {
        page.evaluate(
                "([name, value]) => document.documentElement.style.setProperty(name, value)", List.of(property, value));
        settle(page);
        Picture changed = Picture.of(page.screenshot());
        page.evaluate("(name) => document.documentElement.style.removeProperty(name)", property);
        settle(page);
        return changed.difference(usual, boxes(page, ""));
    }

    /** @param moving a selector of what is not compared */
    private static void assertLooksAsKept(Page page, String name, String moving) throws IOException {
        List<String> complaints = new ArrayList<>();
        for (Form form : FORMS) {
            page.setViewportSize(form.width, form.height);
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(form.scheme));
            settle(page);
            String file = name + "-" + form.name + ".png";
            compare(page, file, boxes(page, moving)).ifPresent(complaints::add);
            axe.seriousFindings(page).forEach(finding -> complaints.add(file + ": " + finding));
            if (!Integer.valueOf(form.width).equals(page.evaluate("document.documentElement.scrollWidth"))) {
                complaints.add(file + ": the page is wider than the screen");
            }
        }
        assertThat(complaints).isEmpty();
    }

    private static Optional<String> compare(Page page, String file, List<BoundingBox> moving) throws IOException {
        byte[] png = page.screenshot();
        Picture seen = Picture.of(png);
        if (WRITES) {
            seen.write(KEPT.resolve(file));
        }
        Path kept = KEPT.resolve(file);
        double difference = Files.exists(kept) ? seen.difference(Picture.read(kept), moving) : 1;
        if (difference <= TOLERANCE) {
            return Optional.empty();
        }
        Files.createDirectories(SEEN);
        Files.write(SEEN.resolve(file), png);
        return Optional.of(String.format(
                Locale.ROOT,
                "%.0f %% of %s differ from docs/pictures; dist/target/pictures has what was seen",
                difference * 100,
                file));
    }

    /** Until what follows the width and the theme has been drawn. */
    private static void settle(Page page) {
        page.evaluate("() => document.fonts.ready.then(() => new Promise((done) =>"
                + " requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)))))");
    }

    private static List<BoundingBox> boxes(Page page, String moving) {
        String selector = moving.isEmpty() ? EVERYWHERE : EVERYWHERE + ", " + moving;
        return page.querySelectorAll(selector).stream()
                .map(ElementHandle::boundingBox)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The last one by figures that fill two lines on a phone, however long it has taken. */
    private static void tellOfACheckpoint(Route route) {
        APIResponse answer = route.fetch();
        String body = answer.text()
                .replaceAll("(\"checkpointAgeMs\"\\s*:\\s*)\\d+", "$1170000")
                .replaceAll("(\"checkpointDurationMs\"\\s*:\\s*)\\d+", "$1569");
        route.fulfill(new Route.FulfillOptions().setResponse(answer).setBody(body));
    }

    /** Of an hour, as the broker that has just begun has none. */
    private static void tellAHistory(Route route) {
        Matcher asked = HISTORY.matcher(route.request().url());
        if (!asked.matches()) {
            route.resume();
            return;
        }
        String figures = IntStream.range(0, 720)
                .mapToObj(i -> String.valueOf(history(asked.group(2), i)))
                .collect(Collectors.joining(","));
        route.fulfill(new Route.FulfillOptions()
                .setContentType("application/json")
                .setBody("{\"" + asked.group(1) + "\":{\"Interval\":5,\"LastUpdateTimestamp\":\"" + Instant.now()
                        + "\",\"Data\":[" + figures + "]}}"));
    }

    private static long history(String figure, int at) {
        double wave = 1 + 0.25 * Math.sin(at / 55.0) + 0.04 * Math.sin(at / 3.0);
        return Math.round(
                switch (figure) {
                    case "ReadMsgs" -> 6_000.0 * at + 60_000 * Math.sin(at / 55.0);
                    case "WriteMsgs" -> 9_500.0 * at + 90_000 * Math.sin(at / 55.0 + 0.5);
                    case "ActiveConnections" -> 1_450 + 120 * wave;
                    case "MemoryFreePercent" -> 71 - 6 * wave;
                    case "StoreBytes" -> (380 + 40 * wave) * 1_048_576;
                    case "LiveBytes" -> (210 + 30 * wave) * 1_048_576;
                    default -> 700_000_000;
                });
    }

    /** The page that goes on from one place to the next. */
    private static Page opened(String place) {
        if (LOGGED_IN.isEmpty()) {
            Page first = browser.open(broker.url(), 1280, 860);
            first.route(HISTORY, ConsolePicturesTest::tellAHistory);
            first.route("**/api/v1/monitor/Store", ConsolePicturesTest::tellOfACheckpoint);
            ConsoleBrowser.logIn(first, "admin", "pencil");
            LOGGED_IN.add(first);
        }
        Page page = LOGGED_IN.get(0);
        page.setViewportSize(1280, 860);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        page.evaluate("() => { location.hash = '#/endpoints'; }"); // where no test is
        assertThat(page.locator("h1")).hasText("Endpoints");
        page.evaluate("place => { location.hash = place; scrollTo(0, 0); }", "#/" + place);
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
