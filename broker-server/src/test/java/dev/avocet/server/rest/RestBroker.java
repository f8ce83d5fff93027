package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Health;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.certificates.CertificateRules;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.request.AuditTap;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.testkit.FreePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A whole broker in this process with its administration, and somebody who makes requests. */
public final class RestBroker implements AutoCloseable {
    private static final String NO_SAMPLE = "{\"Endpoint\": {\"DemoMqttEndpoint\": {\"Enabled\": false}}}";

    private final HttpClient client = HttpClient.newHttpClient();
    private final AuditTap audit;
    private final ConfigurationStore objects;
    private final RunningBroker broker;
    private final AdminServer server;
    private @Nullable String login;

    private RestBroker(AuditTap audit, ConfigurationStore objects, RunningBroker broker, AdminServer server) {
        this.audit = audit;
        this.objects = objects;
        this.broker = broker;
        this.server = server;
    }

    /** @param startupFile in JSON, without its section {@code store} */
    public static RestBroker start(Path data, String startupFile) throws Exception {
        return start(data, startupFile, new SystemClock());
    }

    /** @param clock of logins alone */
    public static RestBroker start(Path data, String startupFile, Clock clock) throws Exception {
        AuditTap audit = new AuditTap();
        ConfigurationStore objects = ConfigurationStore.open(data.resolve("config"));
        objects.apply(ChangeReader.read(JsonTree.parse("test", NO_SAMPLE)), ConfigurationStore.ANY_VERSION);
        String rest = startupFile.substring(1);
        RunningBroker broker = OneBroker.start(
                ConfigurationFile.parse(
                        "{\"store\": {\"mode\": \"memory\"}" + (rest.strip().equals("}") ? "" : ", ") + rest),
                data,
                failure -> {});
        broker.attach(objects, true);
        objects.changeRule(new CertificateRules(UploadedFiles.of(data), new SystemClock()));
        RestApi api = new RestApi(objects, new FakeProcess(), true, clock);
        api.administer(broker);
        api.files(data);
        AdminServer server =
                AdminServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new FakeProcess(), api);
        return new RestBroker(audit, objects, broker, server);
    }

    public RunningBroker broker() {
        return broker;
    }

    public ConfigurationStore objects() {
        return objects;
    }

    /** Requests come from that user from now on, written {@code NAME:PASSWORD}; from nobody for null. */
    public void login(@Nullable String as) {
        login = as;
    }

    public List<String> adminLog() {
        return audit.lines();
    }

    /** Changes the configuration, which has to succeed. */
    public void configure(String json) throws Exception {
        HttpResponse<String> answer = send("POST", "/api/v1/configuration", json);
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
    }

    /** An endpoint on loopback that allows everything. Returns its port. */
    public int openEndpoint(String name, String moreProperties) throws Exception {
        int port = FreePort.next();
        configure("{\"Endpoint\": {\"" + name + "\": {\"Port\": " + port
                + ", \"Interface\": \"127.0.0.1\", \"Protocol\": \"MQTT\", \"MessageHub\": \"DemoHub\","
                + " \"ConnectionPolicies\": \"DemoConnectionPolicy\""
                + (moreProperties.contains("TopicPolicies") ? "" : ", \"TopicPolicies\": \"DemoTopicPolicy\"")
                + moreProperties + "}}}");
        return port;
    }

    public HttpResponse<String> get(String path) throws Exception {
        return send("GET", path, null);
    }

    public HttpResponse<String> send(String method, String path, @Nullable String body, String... headers)
            throws Exception {
        return publish(method, path, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body), headers);
    }

    public HttpResponse<String> sendBytes(String method, String path, byte[] body, String... headers) throws Exception {
        return publish(method, path, BodyPublishers.ofByteArray(body), headers);
    }

    private HttpResponse<String> publish(String method, String path, HttpRequest.BodyPublisher body, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url() + path)).method(method, body);
        if (login != null) {
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)));
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    public String url() {
        return "http://127.0.0.1:" + server.port();
    }

    public AdminServer server() {
        return server;
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> json(HttpResponse<String> answer) throws Exception {
        return (Map<String, Object>) JsonTree.parse("answer", answer.body());
    }

    /** For a URL. */
    public static String encoded(String name) {
        return URLEncoder.encode(name, UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        server.close();
        objects.close();
        broker.close();
        audit.close();
    }

    private static final class FakeProcess implements ProcessFacts {
        @Override
        public Health health() {
            return new Health(Health.Status.RUNNING, "1.2.3", 42, List.of(), StoreHealth.ofMemory("memory"));
        }
    }
}
