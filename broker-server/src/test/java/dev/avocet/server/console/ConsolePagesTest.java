package dev.avocet.server.console;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Health;
import dev.avocet.server.broker.endpoint.WebSocketEndpoint;
import dev.avocet.server.store.StoreHealth;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsolePagesTest {
    private static final int MOST_BYTES_OF_FIRST_VIEW = 200_000;
    private static final String PLAIN = "identity";
    private static final Pattern IMPORT = Pattern.compile("(?m)^(?:import|export) [^;]*? from '(\\.[^']+)'");
    private static final Pattern PRELOADED = Pattern.compile("<link rel=\"modulepreload\" href=\"console/([^\"]+)\">");

    private final HttpClient client = HttpClient.newHttpClient();
    private volatile List<WebSocketEndpoint> endpoints = List.of();
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server = AdminServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                () -> new Health(Health.Status.RUNNING, "1.2.3", 42, List.of(), StoreHealth.ofMemory("memory")),
                new ConsolePages(() -> endpoints));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldServeTheFirstPageWithHeadersThatLetNothingElseIn() throws Exception {
        // when
        HttpResponse<byte[]> page = get("/", PLAIN);

        // then
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(page.headers().allValues("Content-Security-Policy"))
                .containsExactly("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                        + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(page.headers().firstValue("X-Frame-Options")).contains("DENY");
        assertThat(page.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(page.headers().firstValue("Server")).isEmpty();
        assertThat(new String(page.body(), UTF_8)).contains("console/js/app.js").doesNotContain("<style", "onclick");
    }

    /** So that the browser asks for them at once, and not for each when it has read another. */
    @Test
    void shouldNameAllModulesOfTheFirstViewInTheFirstPage() throws Exception {
        // given
        Set<String> imported = new TreeSet<>();
        Deque<String> toRead = new ArrayDeque<>(List.of("js/app.js"));
        while (!toRead.isEmpty()) {
            String module = toRead.remove();
            if (imported.add(module)) {
                Matcher imports = IMPORT.matcher(
                        new String(get("/console/" + module, PLAIN).body(), UTF_8));
                while (imports.find()) {
                    toRead.add(Path.of(module)
                            .resolveSibling(imports.group(1))
                            .normalize()
                            .toString());
                }
            }
        }
        imported.remove("js/app.js");

        // when
        Matcher links = PRELOADED.matcher(new String(get("/", PLAIN).body(), UTF_8));

        // then
        assertThat(links.results().map(link -> link.group(1))).containsExactlyInAnyOrderElementsOf(imported);
    }

    @Test
    void shouldLetTheFirstPageConnectToTheEndpointsForWebSocketAtItsOwnHostAlone() throws Exception {
        // given
        endpoints =
                List.of(endpoint("plain", 1883, false), endpoint("secure", 8883, true), endpoint("same", 1883, false));

        // when, then
        assertThat(connectSources("/", "broker.example.com:9089"))
                .isEqualTo("'self' ws://broker.example.com:1883 wss://broker.example.com:8883");
        assertThat(connectSources("/", "10.0.0.7")).isEqualTo("'self' ws://10.0.0.7:1883 wss://10.0.0.7:8883");
        assertThat(connectSources("/console/js/app.js", "10.0.0.7")).isEqualTo("'self'");
        assertThat(connectSources("/", "[::1]:9089"))
                .as("no policy can name an IPv6 address")
                .isEqualTo("'self'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a;script-src *", "a *", "*", "*.example.com", "a/b", "a'b", "a,b", "a:1:2", ".a", ""})
    void shouldPutNothingIntoThePolicyThatIsNoHost(String host) {
        assertThat(ContentPolicy.connectingTo(List.of(endpoint("plain", 1883, false)), host))
                .isEqualTo(ContentPolicy.OWN);
    }

    @Test
    void shouldSendTheFirstPageAgainWhenItMayConnectElsewhere() throws Exception {
        // given
        HttpResponse<byte[]> before = get("/", PLAIN);
        String tag = before.headers().firstValue("ETag").orElseThrow();

        // when
        endpoints = List.of(endpoint("plain", 1883, false));
        HttpResponse<byte[]> after =
                client.send(request("/").header("If-None-Match", tag).build(), BodyHandlers.ofByteArray());

        // then: a browser would keep the policy that it has with the page that it has
        assertThat(after.statusCode()).isEqualTo(200);
        assertThat(after.headers().firstValue("ETag").orElseThrow()).isNotEqualTo(tag);
        assertThat(after.body()).isEqualTo(before.body());
    }

    @Test
    void shouldCompressForBrowsersThatTakeIt() throws Exception {
        // when
        HttpResponse<byte[]> plain = get("/console/console.css", PLAIN);
        HttpResponse<byte[]> compressed = get("/console/console.css", "br, gzip");

        // then
        assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(compressed.headers().firstValue("Vary")).contains("Accept-Encoding");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes())
                .isEqualTo(plain.body());
        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
    }

    @Test
    void shouldSendNothingThatTheBrowserHasAlready() throws Exception {
        // given
        String tag =
                get("/console/js/app.js", "gzip").headers().firstValue("ETag").orElseThrow();

        // when
        HttpResponse<byte[]> again = client.send(
                request("/console/js/app.js")
                        .header("Accept-Encoding", "gzip")
                        .header("If-None-Match", tag)
                        .build(),
                BodyHandlers.ofByteArray());

        // then
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(get("/console/js/app.js", PLAIN).headers().firstValue("ETag"))
                .isNotEqualTo(tag);
    }

    @Test
    void shouldTellAboutAFileWithoutItsContent() throws Exception {
        HttpResponse<byte[]> head =
                client.send(request("/").method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.ofByteArray());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/../../../../../etc/passwd",
                "/console/%2e%2e/%2e%2e/etc/passwd",
                "/console/..%2f..%2fetc%2fpasswd",
                "/console/%252e%252e/etc/passwd",
                "/console/..\\..\\etc\\passwd",
                "/console//etc/passwd",
                "/console/files.txt",
                "/console/ConsoleFiles.class",
                "/console/js/",
                "/console/js",
                "/console/",
                "/console/app.js%00.html",
                "//etc/passwd"
            })
    void shouldServeNoFileButItsOwn(String path) throws IOException {
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer).matches("(?s)HTTP/1.1 4\\d\\d .*").doesNotContain("root:");
    }

    @Test
    void shouldListEachOfItsFiles() throws IOException, URISyntaxException {
        // given
        Path folder = Path.of(Objects.requireNonNull(ConsoleFiles.class.getResource("files.txt"))
                        .toURI())
                .resolveSibling("");

        // when
        List<String> listed = Files.readAllLines(folder.resolve("files.txt"));
        List<String> there;
        try (Stream<Path> files = Files.walk(folder)) {
            there = files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(name -> !name.endsWith(".class") && !name.equals("files.txt"))
                    .toList();
        }

        // then
        assertThat(listed).containsExactlyInAnyOrderElementsOf(there);
    }

    @Test
    void shouldShowNothingAsMarkupAndNameNoOtherHost() throws Exception {
        for (String path : ConsoleFiles.paths()) {
            boolean own = path.endsWith(".js") && !path.contains("/lib/");
            String text = new String(get(path, PLAIN).body(), UTF_8);
            if (own) {
                assertThat(text)
                        .as(path)
                        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
                        .doesNotContain("dangerouslySetInnerHTML", "new Function");
            }
            if (own || path.endsWith(".css") || path.equals("/")) {
                assertThat(text).as(path).doesNotContain("http://", "https://", "url(//", "@import");
            }
        }
    }

    @Test
    void shouldSendLittleForTheFirstView() throws Exception {
        int bytes = 0;
        for (String path : ConsoleFiles.paths()) {
            bytes += get(path, "gzip").body().length;
        }
        assertThat(bytes).isLessThan(MOST_BYTES_OF_FIRST_VIEW);
    }

    private HttpResponse<byte[]> get(String path, String encoding) throws IOException, InterruptedException {
        return client.send(request(path).header("Accept-Encoding", encoding).build(), BodyHandlers.ofByteArray());
    }

    private String connectSources(String path, String host) throws IOException {
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        Matcher sources = Pattern.compile("Content-Security-Policy: .*connect-src ([^;]*);")
                .matcher(answer);
        assertThat(sources.find()).as(answer).isTrue();
        return sources.group(1);
    }

    private static WebSocketEndpoint endpoint(String name, int port, boolean encrypted) {
        return new WebSocketEndpoint(name, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), encrypted);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }

    /** Past the client, which would mend the path. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
