package dev.avocet.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.avocet.admin.store.BrokerProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Gives prepared answers, keeps the questions, and runs the program against itself. */
final class FakeService implements AutoCloseable {
    private record Prepared(int status, String body) {}

    private final HttpServer http;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Deque<Prepared> answers = new ArrayDeque<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    FakeService() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::answer);
        http.start();
    }

    /** The next question gets this answer. */
    FakeService answers(String body) {
        return answers(200, body);
    }

    FakeService answers(int status, String body) {
        answers.add(new Prepared(status, body));
        return this;
    }

    int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", url()));
        return Main.commandLine(
                        new BrokerProgram(Path.of("none")),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        all::contains)
                .execute(all.toArray(String[]::new));
    }

    String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** Methods, paths and bodies. */
    List<String> requests() {
        return requests;
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        requests.add(
                (exchange.getRequestMethod() + " " + exchange.getRequestURI().toASCIIString() + " " + body).strip());
        Prepared next = answers.isEmpty() ? new Prepared(500, "{}") : answers.remove();
        byte[] bytes = next.body.getBytes(UTF_8);
        exchange.sendResponseHeaders(next.status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
