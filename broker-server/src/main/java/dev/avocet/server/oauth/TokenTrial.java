package dev.avocet.server.oauth;

import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.object.security.ServerCheck;
import dev.avocet.core.config.object.security.TokenCheck;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.provider.ProviderThreads.Deadline;
import dev.avocet.core.time.Clock;
import dev.avocet.server.certificates.UnusableProfileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tries an OAuth server step by step, with keys of its own: whether the server can be asked, and whether one token is
 * good. Waits for the server, at most its {@code Timeout} for each step. One for each trial.
 */
public final class TokenTrial {
    private final OAuthProfile profile;
    private final Set<String> askedClaims;
    private final Path files;
    private final boolean fips;
    private final Clock clock;
    private final List<Step> steps = new ArrayList<>();

    /**
     * Asks nothing yet.
     *
     * @param askedClaims the names of the claims that policies ask for, whose values are shown
     * @param files where uploaded files are
     * @param fips as for {@link OAuthProviders}
     */
    public TokenTrial(OAuthProfile profile, Set<String> askedClaims, Path files, boolean fips, Clock clock) {
        this.profile = profile;
        this.askedClaims = askedClaims;
        this.files = files;
        this.fips = fips;
        this.clock = clock;
    }

    /** @param token what a client would send, or null to try the server alone */
    public List<Step> run(@Nullable String token) {
        try {
            WebClient web = WebClient.of(profile, files);
            if (profile.tokenCheck() == TokenCheck.KEY_SET) {
                trySigned(web, token);
            } else {
                tryOpaque(web, token);
            }
        } catch (UnusableProfileException e) {
            steps.add(new Step("configuration", false, String.valueOf(e.getMessage())));
        }
        return List.copyOf(steps);
    }

    private void trySigned(WebClient web, @Nullable String token) {
        KeySet keys = new KeySet(profile, web, files, clock, new OAuthFigures(), () -> {});
        keys.refresh(deadline());
        int number = keys.keys().entries().size();
        String step = "keys of " + profile.keySetSource();
        if (number == 0) {
            steps.add(new Step(step, false, keys.problem()));
            return;
        }
        steps.add(
                new Step(step, true, (number == 1 ? "1 key" : number + " keys") + encryption(profile.keySetSource())));
        if (token != null) {
            LoginVerdict verdict =
                    new SignedTokens(profile, askedClaims, KeyVerifiers.of(fips), clock).check(token, keys.keys());
            add(
                    verdict instanceof LoginVerdict.NotMine
                            ? new LoginVerdict.Refused("the token is signed by a key that the server does not have")
                            : verdict);
        }
    }

    /** A server of opaque tokens is asked about one that it cannot know; it is to say no. */
    private void tryOpaque(WebClient web, @Nullable String token) {
        OpaqueTokens server = new OpaqueTokens(profile, askedClaims, web, clock);
        String step = "question to " + profile.resourceUrl();
        LoginVerdict unknown = server.check("avocet-no-token", deadline());
        if (unknown instanceof LoginVerdict.Unavailable away) {
            steps.add(new Step(step, false, away.why()));
        } else if (unknown instanceof LoginVerdict.Accepted) {
            steps.add(new Step(step, false, "it takes any text for a good token; name another ResourceURL"));
        } else {
            steps.add(new Step(step, true, "it refuses text that is not a token" + encryption(profile.resourceUrl())));
            if (token != null) {
                add(server.check(token, deadline()));
            }
        }
    }

    private void add(LoginVerdict verdict) {
        if (verdict instanceof LoginVerdict.Accepted accepted) {
            String groups = accepted.identity().groups().isEmpty()
                    ? "no group"
                    : "groups "
                            + String.join(
                                    ", ", new TreeSet<>(accepted.identity().groups()));
            String end = accepted.until() == null ? "" : ", until " + accepted.until();
            steps.add(new Step(
                    "token",
                    true,
                    "user '" + accepted.identity().userName() + "', " + groups
                            + claims(accepted.identity().claims()) + end));
        } else if (verdict instanceof LoginVerdict.Refused refused) {
            steps.add(new Step("token", false, refused.why()));
        } else {
            steps.add(new Step("token", false, ((LoginVerdict.Unavailable) verdict).why()));
        }
    }

    private String claims(Map<String, List<String>> values) {
        StringBuilder text = new StringBuilder();
        for (String name : askedClaims) {
            List<String> found = values.getOrDefault(name, List.of());
            text.append(", claim ")
                    .append(name)
                    .append(found.isEmpty() ? " without a value" : " " + String.join(", ", found));
        }
        return text.toString();
    }

    private String encryption(String place) {
        if (place.startsWith("http:")) {
            return "; not encrypted: an attacker can let anyone in";
        }
        boolean unchecked = place.startsWith("https:") && profile.checkServerCert() == ServerCheck.DISABLE_VERIFY;
        return unchecked ? "; the certificate of the server is not checked" : "";
    }

    private Deadline deadline() {
        return new Deadline(
                clock,
                clock.nanoTime() + Duration.ofSeconds(profile.timeoutSeconds()).toNanos());
    }

    /**
     * What came of one step.
     *
     * @param name what was tried
     * @param done whether it worked
     * @param detail in words, what there is or what to do
     */
    public record Step(String name, boolean done, String detail) {}
}
