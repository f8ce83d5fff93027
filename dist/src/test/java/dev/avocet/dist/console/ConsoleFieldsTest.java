package dev.avocet.dist.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.avocet.dist.Administered;
import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A bad value in every field of every form of the configuration that can take one: the broker says what is wrong with
 * it, the form shows that at the field, and nothing is collected or changed.
 */
@InTurn
@Timeout(240)
class ConsoleFieldsTest {
    private static final Pattern TAKES = Pattern.compile("(?s).* Takes (.*)\\.");
    private static final Pattern REFERENCE =
            Pattern.compile("the name of an? (\\w+)|names of up to [\\d,]+ (\\w+) objects");
    private static final Set<String> SINGLE = Set.of("Singletons", "LDAP", "HighAvailability", "AdminEndpoint");
    private static final String ABSENT = "Absent";
    /** Of the references an ordinary build tries one of so many: the code is the same for all. */
    private static final int SHARE = 4;

    /** What is wrong by what a text takes; one that takes any is too long. */
    private static final Map<Pattern, String> BAD_TEXTS = Map.of(
            Pattern.compile("an? `?http`? or `?https`? URL.*"), "ftp://nowhere",
            Pattern.compile("a file name of .*"), "../key.pem",
            Pattern.compile("a name of .*"), "+a",
            Pattern.compile("addresses and ranges .*"), "10.0.0.9-10.0.0.1",
            Pattern.compile("an identifier.*"), "a*b*c",
            Pattern.compile("a distinguished name.*"), "no name",
            Pattern.compile("a topic filter.*"), "a/#/b",
            Pattern.compile("`All` or an IP address.*"), "nowhere",
            Pattern.compile("one or several `ldap.*"), "http://directory",
            Pattern.compile("a host and a port.*"), "host:99999");

    /** What else a new object has to have before its references are looked at. */
    private static final Map<String, Map<String, String>> REQUIRED = Map.of(
            "AdminSubscription", Map.of("SubscriptionPolicy", "DemoSubscriptionPolicy"),
            "DurableNamespaceAdminSub", Map.of("TopicFilter", "plant/#"),
            "Endpoint",
                    Map.of(
                            "Port", "1899",
                            "Interface", "127.0.0.1",
                            "MessageHub", "DemoHub",
                            "ConnectionPolicies", "DemoConnectionPolicy",
                            "TopicPolicies", "DemoTopicPolicy"),
            "NonpersistentAdminSub", Map.of("TopicFilter", "plant/#"),
            "ProtectionPolicy", Map.of("Queue", "orders", "Protection", "Integrity"),
            "SecurityProfile", Map.of("TLSEnabled", "false"));

    private static Administered broker;
    private static ConsoleBrowser browser;
    private static Page page;
    private static Map<String, JsonObject> schemas;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        browser = ConsoleBrowser.start();
        broker = Administered.start(data, Map.of());
        JsonObject described = JsonParser.parseString(broker.process().httpGet("/api/v1/openapi.json"))
                .getAsJsonObject();
        schemas = new TreeMap<>();
        described.getAsJsonObject("components").getAsJsonObject("schemas").entrySet().stream()
                .filter(schema -> !schema.getKey().equals("Refusal"))
                .forEach(
                        schema -> schemas.put(schema.getKey(), schema.getValue().getAsJsonObject()));
        page = browser.open(broker.url() + "/#/configure", 1280, 860);
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

    @Test
    void shouldSayWhatIsWrongAtEveryFieldOfEveryForm() throws Exception {
        String before = configuration();
        Map<String, Integer> kinds = new TreeMap<>();
        List<String> silent = new ArrayList<>();
        for (String type : schemas.keySet()) {
            // given
            open(type);
            List<String> bad = new ArrayList<>();
            for (Map.Entry<String, JsonObject> property : properties(type)) {
                // when
                String kind = writeBadValue(property.getKey(), property.getValue());
                if (!kind.isEmpty()) {
                    bad.add(property.getKey());
                    kinds.merge(kind, 1, Integer::sum);
                }
            }
            review();

            // then
            bad.stream()
                    .filter(property -> !hasProblem(property))
                    .forEach(property -> silent.add(type + "." + property));
        }
        assertThat(silent).isEmpty();
        assertThat(kinds.keySet())
                .containsExactlyInAnyOrder("choice", "number", "number or none", "password", "size", "text");
        assertNothingChanged(before);
    }

    @Test
    void shouldSayAtEveryFieldOfAReferenceThatItLeadsNowhere() throws Exception {
        String before = configuration();
        List<String> silent = new ArrayList<>();
        for (Reference reference : RandomSuite.oneOf(SHARE, references())) {
            // given
            open(reference.type);
            for (Map.Entry<String, String> given :
                    REQUIRED.getOrDefault(reference.type, Map.of()).entrySet()) {
                write(given.getKey(), given.getValue());
            }

            // when: what was there to choose is gone meanwhile
            write(reference.property, ABSENT);
            review();

            // then
            if (!hasProblem(reference.property)
                    || !problem(reference.property).textContent().contains("'" + ABSENT + "'")) {
                silent.add(reference + ": " + page.locator(".field-problem").allTextContents());
            }
        }
        assertThat(silent).isEmpty();
        assertThat(references())
                .hasSizeGreaterThan(20)
                .contains(new Reference("Endpoint", "ConnectionPolicies"), new Reference("Queue", "DeadLetterQueue"));
        assertNothingChanged(before);
    }

    private record Reference(String type, String property) {}

    private static List<Reference> references() {
        return schemas.keySet().stream()
                .flatMap(type -> properties(type).stream()
                        .filter(property ->
                                REFERENCE.matcher(takes(property.getValue())).matches())
                        .map(property -> new Reference(type, property.getKey())))
                .toList();
    }

    private static void write(String property, String value) {
        if (field(property).evaluate("field => field.tagName").equals("SELECT")) {
            choose(property, value);
        } else {
            field(property).fill(value);
        }
    }

    @Test
    void shouldOfferOnlyWhatATruthValueOrAListOfWordsTakes() {
        int truths = 0;
        int lists = 0;
        for (String type : schemas.keySet()) {
            open(type);
            for (Map.Entry<String, JsonObject> property : properties(type)) {
                if (property.getValue().get("type").getAsString().equals("boolean")) {
                    assertThat(field(property.getKey()).evaluate("field => [...field.options].map(each => each.value)"))
                            .as(property.getKey())
                            .isEqualTo(List.of("", "true", "false"));
                    truths++;
                } else if (takes(property.getValue()).startsWith("some of ")) {
                    assertThat(field(property.getKey())
                                    .evaluate("field => [...field.querySelectorAll('label')]"
                                            + ".map(each => each.textContent).join(', ')"))
                            .as(property.getKey())
                            .isEqualTo(takes(property.getValue()).substring("some of ".length()));
                    lists++;
                }
            }
        }
        assertThat(truths).isGreaterThan(30);
        assertThat(lists).isGreaterThan(10);
    }

    /** Writes it, and returns which kind of value it is; empty where the form lets a user write nothing bad. */
    private static String writeBadValue(String property, JsonObject schema) {
        String takes = takes(schema);
        if (schema.has("enum")) {
            choose(property, "Perhaps");
            return "choice";
        }
        if (schema.get("type").getAsString().equals("boolean")
                || takes.startsWith("some of ")
                || REFERENCE.matcher(takes).matches()) {
            return "";
        }
        Locator field = field(property);
        if (schema.get("type").getAsString().equals("integer")) {
            field.fill(String.valueOf(schema.get("maximum").getAsLong() + 1));
            return "number";
        }
        if (schema.has("writeOnly")) {
            field.fill("x".repeat(2_000));
            return "password";
        }
        if (!schema.has("maxLength")) {
            field.fill("many");
            return takes.contains("KB") ? "size" : "number or none";
        }
        field.fill(BAD_TEXTS.entrySet().stream()
                .filter(bad -> bad.getKey().matcher(takes).matches())
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> "x".repeat(schema.get("maxLength").getAsInt() + 1)));
        return "text";
    }

    /** Chooses what the form does not offer any more. */
    private static void choose(String property, String value) {
        field(property)
                .evaluate(
                        "(field, value) => { field.add(new Option(value, value)); field.value = value;"
                                + " field.dispatchEvent(new Event('change', { bubbles: true })); }",
                        value);
    }

    private static void open(String type) {
        page.evaluate("() => { location.hash = '#/configure/LDAP'; }"); // so that nothing is left of the form before
        assertThat(page.locator("#form-title")).hasText("LDAP");
        page.evaluate("place => { location.hash = place; }", "#/configure/" + type);
        if (SINGLE.contains(type)) {
            assertThat(page.locator("#form-title")).hasText(type);
        } else {
            button("New " + type).click();
            assertThat(page.locator("#form-title")).hasText("New " + type);
            page.locator("#f-key").fill(type.equals("AdminSubscription") ? "/share/plant/#" : "made");
        }
    }

    private static void review() {
        button("Review …").click();
        assertThat(page.locator(".form .note-bad")).isVisible();
    }

    /** But for the name of an object, and what the broker alone sets. */
    private static List<Map.Entry<String, JsonObject>> properties(String type) {
        return schemas.get(type).getAsJsonObject("properties").entrySet().stream()
                .skip(SINGLE.contains(type) ? 0 : 1)
                .map(property ->
                        Map.entry(property.getKey(), property.getValue().getAsJsonObject()))
                .filter(property -> !property.getValue().has("readOnly"))
                .toList();
    }

    private static String takes(JsonObject schema) {
        Matcher takes = TAKES.matcher(schema.get("description").getAsString());
        assertThat(takes.matches()).as("%s", schema).isTrue();
        return takes.group(1);
    }

    private static void assertNothingChanged(String before) throws IOException, InterruptedException {
        assertThat(page.locator("nav .badge")).hasCount(0);
        assertThat(configuration()).isEqualTo(before);
        assertThat(browser.complaints()).isEmpty();
    }

    private static String configuration() throws IOException, InterruptedException {
        return broker.process().httpGet("/api/v1/configuration");
    }

    private static boolean hasProblem(String property) {
        return problem(property).count() == 1;
    }

    private static Locator problem(String property) {
        return page.locator("[data-property='" + property + "'] .field-problem");
    }

    private static Locator field(String property) {
        return page.locator("#f-" + property);
    }

    private static Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }
}
