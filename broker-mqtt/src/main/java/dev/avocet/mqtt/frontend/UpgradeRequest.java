package dev.avocet.mqtt.frontend;

import dev.avocet.core.security.login.WebCredentials;
import dev.avocet.mqtt.frontend.WebSocketOptions.OriginCheck;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The request to speak WebSocket, as section 4.2 of RFC 6455 wants it. */
final class UpgradeRequest {
    static final String SUPPORTED_VERSION = "13";

    /** Sub-protocols [MQTT-6.0.0-3]: of MQTT 3.1.1 and 5.0, and of 3.1. */
    private static final List<String> SUB_PROTOCOLS = List.of("mqtt", "mqttv3.1");

    /** What RFC 6455 section 1.3 appends to the key. */
    private static final String ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final int KEY_BYTES = 16;

    /** The scheme of RFC 6750. */
    private static final String BEARER = "Bearer ";

    private final HttpRequest request;
    private final HttpHeaders headers;

    UpgradeRequest(HttpRequest request) {
        this.request = request;
        this.headers = request.headers();
    }

    /** Why it cannot be granted, or null when it can. */
    @Nullable Refusal refusal(WebSocketOptions options) {
        if (request.decoderResult().isFailure()) {
            return undecodable(request.decoderResult().cause());
        }
        if (!options.isAt(request.uri())) {
            return new Refusal(HttpResponseStatus.NOT_FOUND, "There is nothing here.");
        }
        if (HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) != 0) {
            return new Refusal(HttpResponseStatus.BAD_REQUEST, "A request to upgrade has no content.");
        }
        if (!asksForWebSocket()) {
            return new Refusal(
                    HttpResponseStatus.UPGRADE_REQUIRED, "This is a message broker: connect with MQTT over WebSocket.");
        }
        if (!SUPPORTED_VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
            return new Refusal(HttpResponseStatus.UPGRADE_REQUIRED, "Only version 13 of WebSocket is spoken here.");
        }
        if (!options.origins().isAllowed(headers.get(HttpHeaderNames.ORIGIN), headers.get(HttpHeaderNames.HOST))) {
            return new Refusal(HttpResponseStatus.FORBIDDEN, "Pages of this origin may not connect.");
        }
        if (!hasKey()) {
            return new Refusal(HttpResponseStatus.BAD_REQUEST, "Sec-WebSocket-Key must be 16 bytes in Base64.");
        }
        if (subProtocol() == null) {
            return new Refusal(
                    HttpResponseStatus.BAD_REQUEST,
                    "Sec-WebSocket-Protocol must name mqtt or mqttv3.1 [MQTT-6.0.0-3].");
        }
        return null;
    }

    /** Whether it is a browser's that wants to see what is here. */
    boolean isForAPage() {
        return request.decoderResult().isSuccess()
                && request.method().equals(HttpMethod.GET)
                && request.uri().equals("/")
                && !asksForWebSocket();
    }

    /** The first of the client's sub-protocols that is spoken here, or null. */
    @Nullable String subProtocol() {
        for (String line : headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL)) {
            for (String offered : line.split(",", -1)) {
                int known = SUB_PROTOCOLS.indexOf(offered.trim());
                if (known >= 0) {
                    return SUB_PROTOCOLS.get(known);
                }
            }
        }
        return null;
    }

    /** What proves to the client that its request was understood: the value of {@code Sec-WebSocket-Accept}. */
    String accept() {
        try {
            byte[] answer = (key() + ACCEPT_SUFFIX).getBytes(StandardCharsets.US_ASCII);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(answer));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /** What it brings that may prove who the client is. */
    WebCredentials credentials(OriginCheck origins) {
        String authorization = headers.get(HttpHeaderNames.AUTHORIZATION, "");
        boolean isBearer = authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
        String bearer = isBearer ? authorization.substring(BEARER.length()).strip() : null;
        if (!origins.mayBringCookies(headers.get(HttpHeaderNames.ORIGIN), headers.get(HttpHeaderNames.HOST))) {
            return new WebCredentials(bearer, Map.of());
        }
        Map<String, String> cookies = new HashMap<>();
        for (String line : headers.getAll(HttpHeaderNames.COOKIE)) {
            for (String pair : line.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    cookies.putIfAbsent(pair.substring(0, equals).strip(), unquoted(pair.substring(equals + 1)));
                }
            }
        }
        return bearer == null && cookies.isEmpty() ? WebCredentials.NONE : new WebCredentials(bearer, cookies);
    }

    /** A cookie's value may stand in quotes, which are not part of it (RFC 6265, 4.1.1). */
    private static String unquoted(String value) {
        String text = value.strip();
        boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        return quoted ? text.substring(1, text.length() - 1) : text;
    }

    private boolean asksForWebSocket() {
        return request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0
                && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
                && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true);
    }

    private boolean hasKey() {
        try {
            return Base64.getDecoder().decode(key()).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private String key() {
        return headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY, "").trim();
    }

    private static Refusal undecodable(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return new Refusal(HttpResponseStatus.REQUEST_URI_TOO_LONG, "The request line is too long.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new Refusal(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large.");
        }
        return new Refusal(HttpResponseStatus.BAD_REQUEST, "This is not HTTP.");
    }

    /** How a request is answered that is not granted. */
    record Refusal(HttpResponseStatus status, String text) {}
}
