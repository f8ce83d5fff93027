package dev.avocet.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Gives prepared answers, and keeps what it was asked. */
final class RecordedApi implements AutoCloseable {
    private final HttpServer http;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    RecordedApi() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::answer);
        http.start();
    }

    String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** @param answer status, blank, body */
    RecordedApi answering(String methodAndPath, String answer) {
        answers.put(methodAndPath, answer);
        return this;
    }

    /** Method, path and body of each, and whether it was to create only. */
    List<String> requests() {
        return requests;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        String asked = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        String condition = exchange.getRequestHeaders().getFirst("If-None-Match");
        requests.add((asked + " " + body + (condition == null ? "" : " if none match " + condition)).strip());
        String answer = answers.getOrDefault(asked, "200 {\"Code\":\"CWLNA6011\",\"Message\":\"Done.\"}");
        byte[] bytes = answer.substring(4).getBytes(UTF_8);
        exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
