package dev.avocet.server.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An OAuth server in the process: keys at {@code /keys}, the resource and user information at {@code /resource} and
 * {@code /user}, and introspection at {@code /introspect}. It can be slow, fail, and answer nonsense.
 */
public final class TestTokenServer implements AutoCloseable {
    public static final String AUDIENCE = "broker";

    private final int port;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<JWK> keys = new CopyOnWriteArrayList<>();
    private final Map<String, String> opaque = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger keyRequests = new AtomicInteger();
    private volatile ECKey current;
    private volatile int status = 200;
    private volatile byte @Nullable [] answer;
    private volatile @Nullable String silentAt;
    private volatile int workMs;
    private final AtomicInteger answering = new AtomicInteger();
    private final AtomicInteger mostAnswering = new AtomicInteger();
    private volatile HttpServer http;

    private TestTokenServer(HttpServer http) throws JOSEException {
        this.http = http;
        this.port = http.getAddress().getPort();
        this.current = newKey("first");
        keys.add(current);
        listen();
    }

    private void listen() {
        http.createContext("/", this::serve);
        http.setExecutor(threads);
        http.start();
    }

    public static TestTokenServer start() throws Exception {
        return new TestTokenServer(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50));
    }

    public static TestTokenServer startEncrypted(SSLContext tls) throws Exception {
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        https.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new TestTokenServer(https);
    }

    public String url(String path) {
        return (http instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:" + port + path;
    }

    public String issuer() {
        return url("");
    }

    /** Properties of an OAuthProfile for the keys of this server, as members of JSON. */
    public String keySetProfile() {
        return "\"TokenCheck\": \"KeySet\", \"KeySetSource\": \"" + url("/keys") + "\", \"Issuer\": \"" + issuer()
                + "\", \"Audience\": \"" + AUDIENCE + "\"";
    }

    /** A token for that user which is good for some seconds. */
    public String token(String user, long seconds, String... groups) throws JOSEException {
        return sign(claims(user, seconds).claim("groups", List.of(groups)).build());
    }

    public JWTClaimsSet.Builder claims(String user, long seconds) {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .audience(AUDIENCE)
                .subject(user)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(seconds)));
    }

    public String sign(JWTClaimsSet claims) throws JOSEException {
        return sign(claims, current);
    }

    public static String sign(JWTClaimsSet claims, ECKey key) throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(), claims);
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    public static ECKey newKey(String id) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    }

    /** Signs with a new key from now on, and does not show the others any more. */
    public void rotate(String id) throws JOSEException {
        current = newKey(id);
        show(current);
    }

    /** Shows these keys and no others. */
    public void show(JWK... shown) {
        keys.clear();
        keys.addAll(List.of(shown));
    }

    /** Knows an opaque token, and answers that JSON about it. */
    public void know(String token, String json) {
        opaque.put(token, json);
    }

    public void forget(String token) {
        opaque.remove(token);
    }

    /** Answers every request with that status. */
    public void fail(int withStatus) {
        status = withStatus;
    }

    /** Answers every request with that. */
    public void answer(byte @Nullable [] bytes) {
        answer = bytes;
    }

    /** Answers nothing until it is closed. */
    public void silent(boolean now) {
        silentAt = now ? "/" : null;
    }

    /** The same for requests whose path begins so, alone. */
    public void silentAt(String path) {
        silentAt = path;
    }

    /** All connections end, and no new one is taken. */
    public void stop() {
        http.stop(0);
    }

    /** Takes connections again, at the same port. In plain text. */
    public void restart() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        listen();
    }

    /** Takes so long for each answer. */
    public void workMs(int each) {
        workMs = each;
    }

    /** How many requests were worked at at a time, at most. */
    public int mostAtATime() {
        return mostAnswering.get();
    }

    public int keyRequests() {
        return keyRequests.get();
    }

    /** Method, path, {@code Authorization} and body of each request but those for keys, which come at any time. */
    public List<String> asked() {
        return asked.stream()
                .filter(request -> !request.startsWith("GET /keys "))
                .toList();
    }

    @Override
    public void close() {
        end.countDown();
        http.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + authorization + " " + body);
        if (path.equals("/keys")) {
            keyRequests.incrementAndGet();
        }
        mostAnswering.accumulateAndGet(answering.incrementAndGet(), Math::max);
        try {
            String quiet = silentAt;
            if (quiet != null && path.startsWith(quiet)) {
                end.await();
            } else if (workMs > 0) {
                boolean unused = end.await(workMs, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answering.decrementAndGet(); // before who asked may ask again
        answer(exchange, path, authorization, body);
    }

    private void answer(HttpExchange exchange, String path, @Nullable String authorization, String body)
            throws IOException {
        byte[] fixed = answer;
        if (fixed != null) {
            send(exchange, 200, fixed);
        } else if (status != 200) {
            send(exchange, status, "{}".getBytes(UTF_8));
        } else if (path.equals("/keys")) {
            send(exchange, 200, new JWKSet(new ArrayList<>(keys)).toString().getBytes(UTF_8));
        } else {
            String said = said(exchange.getRequestURI().getQuery() + " " + authorization + " " + body);
            boolean introspection = path.equals("/introspect");
            String otherwise = introspection ? "{\"active\": false}" : "{}";
            send(
                    exchange,
                    said != null || introspection ? 200 : 401,
                    (said == null ? otherwise : said).getBytes(UTF_8));
        }
    }

    private @Nullable String said(String request) {
        return opaque.entrySet().stream()
                .filter(each -> request.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
