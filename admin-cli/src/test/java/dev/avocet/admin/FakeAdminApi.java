package dev.avocet.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.TypeSchema;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Keeps configuration objects and takes changes as a broker does, but checks no values. */
final class FakeAdminApi implements AutoCloseable {
    private static final String PATH = "/api/v1/configuration";

    private final Schema schema = Schema.load();
    private final HttpServer http;
    private final Map<String, @Nullable Object> configuration = new LinkedHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final List<String> conditions = new CopyOnWriteArrayList<>();
    private int version = 1;
    private int staleAnswers;
    private @Nullable String refusal;
    private int refusalStatus;

    FakeAdminApi() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext(PATH, this::answer);
        http.start();
    }

    String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** Has an object from the start. */
    FakeAdminApi with(String json) throws IOException {
        merge(configuration, map(Documents.json(json)));
        return this;
    }

    /** Refuses so many changes because somebody else was quicker. */
    void answerStale(int times) {
        staleAnswers = times;
    }

    /** Refuses every change. */
    void refuse(int status, String body) {
        refusalStatus = status;
        refusal = body;
    }

    Map<String, @Nullable Object> configuration() {
        return configuration;
    }

    Map<String, @Nullable Object> object(String type, String name) {
        return map(map(configuration.get(type)).get(name));
    }

    boolean has(String type, String name) {
        return map(configuration.get(type)).containsKey(name);
    }

    /** Methods, paths and bodies of the changes. */
    List<String> changes() {
        return requests.stream().filter(request -> !request.startsWith("GET")).toList();
    }

    /** The versions that changes were made for. */
    List<String> conditions() {
        return conditions;
    }

    List<String> authorizations() {
        return authorizations;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        String path = exchange.getRequestURI().getRawPath().substring(PATH.length());
        String query = exchange.getRequestURI().getRawQuery();
        String method = exchange.getRequestMethod();
        requests.add((method + " " + path + (query == null ? "" : "?" + query) + " " + body).strip());
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        List<String> names = Arrays.stream(path.split("/", -1))
                .skip(1)
                .map(name -> URLDecoder.decode(name, UTF_8))
                .toList();
        if (method.equals("GET")) {
            get(exchange, names);
        } else if (refusal != null) {
            send(exchange, refusalStatus, refusal);
        } else if (isStale(exchange)) {
            send(exchange, 412, "{\"Code\":\"Stale\",\"Message\":\"the configuration was changed meanwhile\"}");
        } else {
            change(exchange, method, names, body);
        }
    }

    private boolean isStale(HttpExchange exchange) {
        conditions.add(String.valueOf(exchange.getRequestHeaders().getFirst("If-Match")));
        if (staleAnswers > 0) {
            staleAnswers--;
            version++;
            return true;
        }
        String wanted = exchange.getRequestHeaders().getFirst("If-Match");
        return wanted != null && !wanted.equals(tag());
    }

    private void change(HttpExchange exchange, String method, List<String> names, String body) throws IOException {
        if (names.equals(List.of("changes"))) {
            Map<String, @Nullable Object> changeSet = map(Documents.json(body));
            merge(configuration, map(changeSet.get("Changes")));
            if (changeSet.get("Deletions") instanceof List<?> deletions) {
                deletions.stream()
                        .map(FakeAdminApi::map)
                        .forEach(gone -> map(configuration.get(String.valueOf(gone.get("Type"))))
                                .remove(String.valueOf(gone.get("Name"))));
            }
        } else if (method.equals("POST")) {
            merge(configuration, map(Documents.json(body)));
        } else if (map(configuration.get(names.get(0))).remove(names.get(1)) == null) {
            send(exchange, 404, "{\"Code\":\"NotFound\",\"Message\":\"there is no such object\"}");
            return;
        }
        version++;
        send(exchange, 200, "{\"Code\":\"Done\",\"Message\":\"done\"}");
    }

    private void get(HttpExchange exchange, List<String> names) throws IOException {
        if (names.isEmpty()) {
            send(exchange, 200, Documents.toCompactJson(configuration));
        } else if (configuration.containsKey(names.get(0))) {
            send(exchange, 200, Documents.toCompactJson(Map.of(names.get(0), map(configuration.get(names.get(0))))));
        } else {
            send(exchange, 200, Documents.toCompactJson(Map.of(names.get(0), Map.of())));
        }
    }

    private void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().set("ETag", tag());
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String tag() {
        return "\"" + version + "\"";
    }

    private void merge(Map<String, @Nullable Object> into, Map<String, @Nullable Object> change) {
        new ArrayList<>(change.keySet()).forEach(name -> {
            boolean isNamed = schema.type(name).map(TypeSchema::shape).orElse(Shape.VALUES) == Shape.NAMED;
            if (isNamed) {
                Map<String, @Nullable Object> objects = child(into, name);
                map(change.get(name))
                        .forEach((object, properties) -> child(objects, object).putAll(map(properties)));
            } else if (change.get(name) instanceof Map<?, ?> properties) {
                child(into, name).putAll(map(properties));
            } else {
                into.put(name, change.get(name));
            }
        });
    }

    private static Map<String, @Nullable Object> child(Map<String, @Nullable Object> of, String name) {
        return map(of.computeIfAbsent(name, absent -> new LinkedHashMap<>()));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> map(@Nullable Object value) {
        return value == null ? new LinkedHashMap<>() : (Map<String, @Nullable Object>) value;
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
