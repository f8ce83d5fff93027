package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Health;
import dev.avocet.server.admin.ProcessFacts;
import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.request.AuditTap;
import dev.avocet.server.store.StoreHealth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.jspecify.annotations.Nullable;

/** A whole broker with its administration, on free ports. */
public final class AdministeredBroker implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final AuditTap audit;
    private final ConfigurationStore objects;
    private final RunningBroker broker;
    private final AdminServer server;
    private @Nullable String login;

    /** @param store the section {@code store} of the startup file */
    public AdministeredBroker(Path data, String store) throws Exception {
        audit = new AuditTap();
        Files.createDirectories(data);
        objects = ConfigurationStore.open(data.resolve("config"));
        objects.apply(
                ChangeReader.read(JsonTree.parse(
                        "test",
                        "{\"Endpoint\": {\"DemoMqttEndpoint\": {\"Enabled\": false}},"
                                + " \"ConfigurationPolicy\": {\"viewers\": {\"UserID\": \"vera\", \"ActionList\": \"View\"}},"
                                + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"viewers\"}}")),
                ConfigurationStore.ANY_VERSION);
        broker = OneBroker.start(
                ConfigurationFile.parse("{\"store\": " + store
                        + ", \"endpoints\": [{\"name\": \"plain\", \"host\": \"127.0.0.1\", \"port\": 0}]}"),
                data,
                failure -> {});
        broker.attach(objects, true);
        RestApi api = new RestApi(objects, new RunningProcess(), true);
        api.administer(broker);
        server = AdminServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new RunningProcess(), api);
    }

    /** From now on requests are made by this user. */
    public void login(String nameAndPassword) {
        login = nameAndPassword;
    }

    public HttpResponse<String> get(String path) throws Exception {
        return send("GET", path, null);
    }

    public HttpResponse<String> delete(String path) throws Exception {
        return send("DELETE", path, null);
    }

    public HttpResponse<String> post(String path, String body) throws Exception {
        return send("POST", path, body);
    }

    public HttpResponse<String> put(String path, String body) throws Exception {
        return send("PUT", path, body);
    }

    private HttpResponse<String> send(String method, String path, @Nullable String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (login != null) {
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)));
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** What a list has; numbers as long ones. */
    public List<Map<String, Object>> list(String path, String member) throws Exception {
        Map<?, ?> tree = (Map<?, ?>) JsonTree.parse("answer", get(path).body());
        return ((List<?>) tree.get(member))
                .stream().map(AdministeredBroker::object).toList();
    }

    private static Map<String, Object> object(Object members) {
        Map<String, Object> object = new LinkedHashMap<>();
        ((Map<?, ?>) members)
                .forEach((name, value) -> object.put(
                        String.valueOf(name), value instanceof Number number ? (Object) number.longValue() : value));
        return object;
    }

    /** Where administrators ask. */
    public String url() {
        return "http://127.0.0.1:" + server.port();
    }

    /** Where clients connect. */
    public int port() {
        return broker.endpoints().get(0).getPort();
    }

    /** A client whose session outlives its connection. */
    public MqttClient connect(String clientId) throws Exception {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port(), clientId, new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(false);
        options.setSessionExpiryInterval(3_600L);
        options.setAutomaticReconnect(false);
        client.connect(options);
        return client;
    }

    /** Such a client with a subscription, which goes again. */
    public void leaveBehind(String clientId, String filter) throws Exception {
        MqttClient client = connect(clientId);
        client.subscribe(filter, 1);
        client.disconnect();
        client.close();
    }

    public List<String> auditLog() {
        return audit.lines();
    }

    @Override
    public void close() {
        server.close();
        objects.close();
        broker.close();
        audit.close();
    }

    private static final class RunningProcess implements ProcessFacts {
        @Override
        public Health health() {
            return new Health(Health.Status.RUNNING, "1.2.3", 42, List.of(), StoreHealth.ofMemory("memory"));
        }
    }
}
