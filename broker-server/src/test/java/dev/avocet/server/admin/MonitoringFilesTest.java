package dev.avocet.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.server.broker.BrokerProcess;
import dev.avocet.server.broker.InstancePlan;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.InstalledPrograms;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard and the alerts that are shipped, against the metrics of a broker that has something to tell: one for
 * all tests, as some metrics take their time.
 */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringFilesTest {
    private static final Path FILES = Path.of("../dist/src/main/monitoring");
    private static final Pattern NAME = Pattern.compile("\\b(?:avocet|jvm|process|system|netty)_[a-z0-9_]+\\b");
    private static final Pattern LABELS = Pattern.compile("\\b([a-z_]+)=~?\"");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private ConfigurationStore objects;
    private BrokerProcess process;
    private RunningBroker broker;
    private MeterScope ofBroker;
    private AdminServer server;
    private MqttClient client;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        Path security = Files.createDirectories(data.resolve("security"));
        TestAuthority.Issued issued = new TestAuthority("Test CA").issue("127.0.0.1");
        issued.writeCertificate(security.resolve("server.pem"));
        issued.writeKey(security.resolve("server.key"));
        objects = ConfigurationStore.open(data.resolve("config"));
        int port = FreePort.next();
        change("{\"Endpoint\": {\"DemoMqttEndpoint\": {\"Port\": " + port + "}}}");
        ServerConfig config = ConfigurationFile.parse("""
                        {"endpoints": [{"name": "field", "port": 0,
                                        "tls": {"certificate": "server.pem", "key": "server.key"}}],
                         "store": {"mode": "os", "journal": "file", "segmentBytes": 8388608, "diskFreeMinBytes": 0}}
                        """);
        process = BrokerProcess.start(config);
        broker = process.open(new InstancePlan(config, data, true, failure -> {}));
        broker.attach(objects, true);
        server = AdminServer.start(
                new AdminPlace(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null),
                () -> new Health(Health.Status.RUNNING, "1", 1, List.of(), StoreHealth.ofMemory("os")),
                http -> {},
                true);
        process.meters().forEach(server::bind);
        ofBroker = server.bindWhileOpen(broker.meters());
        change("{\"Queue\": {\"orders\": {\"MaxMessages\": 10}, \"bills\": {}}}");
        client = new MqttClient("tcp://127.0.0.1:" + port, "anna", new MemoryPersistence());
        client.connect();
        client.subscribe("a/#", 1);
        client.publish("a/b", new MqttMessage(new byte[100]));
        ManagementFactory.getMemoryMXBean().gc();
        await().atMost(PATIENCE)
                .until(() -> scrape().contains("avocet_policy_subscriptions{")
                        && scrape().contains("avocet_queue_messages{"));
    }

    @AfterAll
    void stop() throws Exception {
        client.disconnectForcibly(0, 1_000);
        client.close(true);
        ofBroker.close();
        assertThat(scrape()).doesNotContain("avocet_").contains("netty_allocator_memory_used");
        server.close();
        objects.close();
        broker.close();
        process.close();
    }

    @Test
    void shouldHaveEveryMetricOfTheDashboardInItsUnit() throws Exception {
        // given
        Set<String> scraped = names(scrape());
        Map<?, ?> dashboard = (Map<?, ?>) JsonTree.parse("dashboard", read("grafana-avocet.json"));

        // then
        List<Map<?, ?>> panels = panels(dashboard);
        assertThat(panels).hasSizeGreaterThan(30);
        for (Map<?, ?> panel : panels) {
            Map<?, ?> defaults = (Map<?, ?>) ((Map<?, ?>) panel.get("fieldConfig")).get("defaults");
            for (String expression : expressions(panel)) {
                List<String> used = namesIn(expression);
                assertThat(used).as(expression).isNotEmpty();
                assertThat(scraped)
                        .as("%s: %s", panel.get("title"), expression)
                        .containsAll(used.stream()
                                .filter(name -> !name.startsWith("avocet_pair_")) // PairReportTest looks at those
                                .toList());
                assertThat(used)
                        .as("unit of %s", panel.get("title"))
                        .allMatch(name -> fits(name, String.valueOf(defaults.get("unit")), expression));
            }
        }
        assertThat(panels).extracting(panel -> panel.get("id")).doesNotHaveDuplicates();
    }

    @Test
    void shouldLeavePromtoolNothingToComplainOf(@TempDir Path directory) throws Exception {
        // given
        String promtool = InstalledPrograms.onPath("promtool");
        Path scraped = Files.writeString(directory.resolve("metrics"), scrape());

        // then
        Process metrics = new ProcessBuilder(promtool, "check", "metrics")
                .redirectInput(scraped.toFile())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(metrics.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(metrics.waitFor()).isZero();
        Process rules = new ProcessBuilder(
                        promtool,
                        "check",
                        "rules",
                        FILES.resolve("prometheus-alerts.yaml").toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(rules.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("SUCCESS");
        assertThat(rules.waitFor()).isZero();
    }

    @Test
    void shouldTellOfQueuesAndOfAllTogether() throws Exception {
        assertThat(scrape())
                .contains(
                        "avocet_queue_messages{queue=\"orders\"} 0.0",
                        "avocet_queue_fullness_percent{queue=\"bills\"} 0.0",
                        "avocet_queue_consumers{queue=\"orders\"} 0.0",
                        "avocet_queues 2.0",
                        "avocet_queues_messages 0.0");
    }

    @Test
    void shouldHaveEveryMetricAndLabelOfTheAlerts() throws Exception {
        // given
        String scrape = scrape();
        List<String> rules = read("prometheus-alerts.yaml")
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("expr: "))
                .map(line -> line.substring("expr: ".length()))
                .filter(rule -> !rule.contains("avocet_pair_")) // PairReportTest looks at those
                .toList();

        // then
        assertThat(rules).hasSizeGreaterThan(10);
        for (String rule : rules) {
            assertThat(names(scrape)).as(rule).containsAll(namesIn(rule));
            Matcher label = LABELS.matcher(rule);
            while (label.find()) {
                assertThat(Set.of("job", "instance").contains(label.group(1))
                                || scrape.contains(label.group(1) + "=\""))
                        .as(rule)
                        .isTrue();
            }
        }
    }

    @Test
    void shouldTellOfEndpointsAndPoliciesAndForgetThoseThatAreGone() throws Exception {
        // then
        String scrape = scrape();
        assertThat(scrape)
                .contains(
                        "avocet_endpoint_connections_active{endpoint=\"DemoMqttEndpoint\"} 1.0",
                        "avocet_endpoint_connections_total{endpoint=\"DemoMqttEndpoint\"} 1.0",
                        "avocet_endpoint_received_messages_total{endpoint=\"DemoMqttEndpoint\"} 1.0",
                        "avocet_endpoint_connections_total{endpoint=\"field\"} 0.0",
                        "avocet_endpoint_up{endpoint=\"field\"} 1.0",
                        "avocet_policy_subscriptions{policy=\"DemoTopicPolicy\",type=\"TopicPolicy\"} 1.0");
        assertThat(scrape).doesNotContain("anna");
        assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("avocet:*"), null))
                .extracting(ObjectName::toString)
                .anyMatch(name -> name.contains("avocetReceivedBytes"));

        // when
        change("{\"Endpoint\": {\"more\": {\"Port\": " + FreePort.next() + ", \"Interface\": \"127.0.0.1\","
                + " \"Protocol\": \"MQTT\", \"ConnectionPolicies\": \"DemoConnectionPolicy\","
                + " \"TopicPolicies\": \"DemoTopicPolicy\", \"MessageHub\": \"DemoHub\"}}}");

        // then
        await().atMost(PATIENCE).until(() -> scrape().contains("{endpoint=\"more\"}"));

        // when
        objects.apply(
                List.of(ConfigurationChange.delete(
                        ObjectTypes.of(Endpoint.class).keyOf("more"))),
                ConfigurationStore.ANY_VERSION);

        // then
        await().atMost(PATIENCE).until(() -> !scrape().contains("{endpoint=\"more\"}"));
    }

    private static boolean fits(String name, String unit, String expression) {
        String plain = name.replaceAll("_total$", "");
        boolean isRate = expression.contains("rate(");
        return switch (unit) {
            case "bytes" -> (plain.endsWith("_bytes") || plain.equals("netty_allocator_memory_used")) && !isRate;
            case "Bps" -> plain.endsWith("_bytes") && isRate;
            case "cps" -> name.endsWith("_total") && !plain.endsWith("_bytes") && isRate;
            case "s" -> plain.endsWith("_seconds") && !isRate;
            case "percent" -> plain.endsWith("_percent");
            case "percentunit" -> plain.endsWith("_usage") || plain.endsWith("_seconds_sum") && isRate;
            case "short" -> !plain.endsWith("_bytes") && !plain.endsWith("_seconds") && !name.endsWith("_total");
            default -> false;
        };
    }

    private static List<Map<?, ?>> panels(Map<?, ?> dashboard) {
        return ((List<?>) dashboard.get("panels"))
                .stream()
                        .map(panel -> (Map<?, ?>) panel)
                        .filter(panel -> !"row".equals(panel.get("type")))
                        .collect(Collectors.toList());
    }

    private static List<String> expressions(Map<?, ?> panel) {
        return ((List<?>) panel.get("targets"))
                .stream()
                        .map(target -> ((Map<?, ?>) target).get("expr").toString())
                        .toList();
    }

    private static List<String> namesIn(String expression) {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(expression);
        while (name.find()) {
            names.add(name.group());
        }
        return names;
    }

    /** Of the samples. */
    private static Set<String> names(String scrape) {
        return scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceAll("[{ ].*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void change(String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }

    private String scrape() throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private static String read(String name) throws IOException {
        return Files.readString(FILES.resolve(name), StandardCharsets.UTF_8);
    }
}
