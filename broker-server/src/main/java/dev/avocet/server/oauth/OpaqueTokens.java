package dev.avocet.server.oauth;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.object.security.TokenCheck;
import dev.avocet.core.config.object.security.TokenSendMethod;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.provider.ProviderThreads.Deadline;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server about tokens that only it can read: by the reference product's requests, or by introspection
 * (RFC 7662). Waits for the server. Thread-safe.
 */
final class OpaqueTokens {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    private final OAuthProfile profile;
    private final Set<String> askedClaims;
    private final WebClient web;
    private final Clock clock;

    /** @param askedClaims the names of the claims that policies ask for */
    OpaqueTokens(OAuthProfile profile, Set<String> askedClaims, WebClient web, Clock clock) {
        this.profile = profile;
        this.askedClaims = askedClaims;
        this.web = web;
        this.clock = clock;
    }

    LoginVerdict check(String token, Deadline deadline) {
        try {
            TokenClaims said = profile.tokenCheck() == TokenCheck.INTROSPECTION
                    ? introspected(token, deadline)
                    : ofResource(token, deadline);
            said.requireScopes(profile);
            return new LoginVerdict.Accepted(said.identity(profile, askedClaims), end(said));
        } catch (TokenRefusedException e) {
            return new LoginVerdict.Refused("the token: " + e.getMessage());
        } catch (IOException e) {
            return new LoginVerdict.Unavailable("the OAuth server: " + e.getMessage(), false);
        }
    }

    private TokenClaims introspected(String token, Deadline deadline) throws IOException, TokenRefusedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(profile.resourceUrl()))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("token=" + encoded(token) + "&token_type_hint=access_token"));
        WebClient.Answer answer = web.ask(shown(request).build(), deadline);
        if (answer.status() != WebClient.OK) {
            // RFC 7662 answers 200 for every token; another status is about the broker
            throw new IOException("it answers " + answer.status() + "; look at UserName and UserPassword");
        }
        TokenClaims said = members(answer);
        if (!Boolean.TRUE.equals(said.members().get("active"))) {
            throw new TokenRefusedException("the OAuth server says that it is not active");
        }
        Object issuer = said.members().get("iss");
        if (!profile.issuer().isEmpty() && issuer != null && !profile.issuer().equals(issuer)) {
            throw new TokenRefusedException("iss is not Issuer of the OAuthProfile");
        }
        if (!profile.audience().isEmpty() && !said.has("aud", profile.audience())) {
            throw new TokenRefusedException("Audience of the OAuthProfile is not in aud");
        }
        return said;
    }

    private TokenClaims ofResource(String token, Deadline deadline) throws IOException, TokenRefusedException {
        WebClient.Answer answer = asked(profile.resourceUrl(), token, deadline);
        if (profile.userInfoUrl().isEmpty()) {
            return members(answer);
        }
        Map<String, Object> all = new HashMap<>();
        try {
            all.putAll(members(answer).members());
        } catch (IOException e) {
            // the resource may be anything; UserInfoURL says who the user is
        }
        all.putAll(members(asked(profile.userInfoUrl(), token, deadline)).members());
        return new TokenClaims(all);
    }

    private WebClient.Answer asked(String url, String token, Deadline deadline)
            throws IOException, TokenRefusedException {
        WebClient.Answer answer = web.ask(request(url, token), deadline);
        if (answer.status() >= SERVER_ERROR || answer.status() == TOO_MANY_REQUESTS) {
            throw new IOException("it answers " + answer.status());
        }
        if (answer.status() != WebClient.OK) {
            throw new TokenRefusedException("the OAuth server answers " + answer.status());
        }
        return answer;
    }

    private HttpRequest request(String url, String token) {
        String parameter = encoded(profile.authKey()) + "=" + encoded(token);
        TokenSendMethod method = profile.tokenSendMethod();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                method == TokenSendMethod.URL_PARAM ? url + (url.indexOf('?') < 0 ? "?" : "&") + parameter : url));
        request.header("Accept", "application/json");
        if (method == TokenSendMethod.HTTP_HEADER) {
            return request.header("Authorization", "Bearer " + token).build();
        }
        if (method == TokenSendMethod.HTTP_POST) {
            request.header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString(parameter));
        }
        return shown(request).build();
    }

    private HttpRequest.Builder shown(HttpRequest.Builder request) {
        if (!profile.userName().isEmpty()) {
            String both = profile.userName() + ":" + profile.userPassword().reveal();
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
        }
        return request;
    }

    private static TokenClaims members(WebClient.Answer answer) throws IOException {
        try {
            return new TokenClaims(JSONObjectUtils.parse(new String(answer.body(), StandardCharsets.UTF_8)));
        } catch (ParseException e) {
            throw new IOException("its answer is not a JSON object", e);
        }
    }

    /** When the token is over, if the server says so. */
    private @Nullable Instant end(TokenClaims said) throws TokenRefusedException {
        Instant now = Instant.ofEpochMilli(clock.wallTimeMs());
        Instant end = said.time("exp");
        if (end == null && said.members().get("expires_in") instanceof Number seconds) {
            end = now.plusSeconds(Math.max(0, Math.min(Integer.MAX_VALUE, seconds.longValue())));
        }
        if (end != null && !now.isBefore(end)) {
            throw new TokenRefusedException("it expired at " + end);
        }
        return end;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
