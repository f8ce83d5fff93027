package dev.avocet.server.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSObject;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.object.security.TokenAlgorithm;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.time.Clock;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.text.ParseException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks tokens that are signed JWTs (RFC 7519) by keys that are known. Keys and addresses of keys within a token count
 * for nothing. Takes some 100 µs; not for event loops. Thread-safe.
 */
final class SignedTokens {
    private final OAuthProfile profile;
    private final Set<String> askedClaims;
    private final KeyVerifiers verifiers;
    private final Clock clock;

    /** @param askedClaims the names of the claims that policies ask for */
    SignedTokens(OAuthProfile profile, Set<String> askedClaims, KeyVerifiers verifiers, Clock clock) {
        this.profile = profile;
        this.askedClaims = askedClaims;
        this.verifiers = verifiers;
        this.clock = clock;
    }

    /** Whether a text is built like a JWT: three parts of characters of base64url. */
    static boolean looksLikeOne(String text) {
        int dots = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                dots++;
            } else if (!(c >= 'a' && c <= 'z'
                    || c >= 'A' && c <= 'Z'
                    || c >= '0' && c <= '9'
                    || c == '-'
                    || c == '_')) {
                return false;
            }
        }
        return dots == 2 && text.startsWith("ey");
    }

    /** The verdict, or {@link LoginVerdict#NOT_MINE} when none of the keys can have signed the token. */
    LoginVerdict check(String token, PublicKeys keys) {
        try {
            JWSObject parsed = JWSObject.parse(token);
            TokenAlgorithm algorithm = algorithm(parsed);
            List<PublicKey> possible = keys.of(parsed.getHeader().getKeyID(), algorithm);
            if (possible.isEmpty()) {
                return LoginVerdict.NOT_MINE;
            }
            if (!isSigned(parsed, algorithm, possible)) {
                boolean named = parsed.getHeader().getKeyID() != null;
                return named ? new LoginVerdict.Refused("the signature of the token is wrong") : LoginVerdict.NOT_MINE;
            }
            return accepted(claims(parsed));
        } catch (ParseException e) {
            return new LoginVerdict.Refused("the token is not a signed JWT");
        } catch (TokenRefusedException e) {
            return new LoginVerdict.Refused("the token: " + e.getMessage());
        } catch (JOSEException | GeneralSecurityException e) {
            return new LoginVerdict.Refused("the signature of the token cannot be checked");
        }
    }

    private TokenAlgorithm algorithm(JWSObject token) throws TokenRefusedException {
        if (token.getHeader().getCriticalParams() != null || !token.getHeader().isBase64URLEncodePayload()) {
            throw new TokenRefusedException("it has extensions, which are not known here");
        }
        String named = token.getHeader().getAlgorithm().getName();
        for (TokenAlgorithm algorithm : profile.algorithms()) {
            if (algorithm.toString().equals(named)) {
                return algorithm;
            }
        }
        throw new TokenRefusedException("its algorithm is not among Algorithms of the OAuthProfile");
    }

    private boolean isSigned(JWSObject token, TokenAlgorithm algorithm, List<PublicKey> possible)
            throws JOSEException, GeneralSecurityException {
        for (PublicKey key : possible) {
            if (algorithm == TokenAlgorithm.ED_DSA ? byEdwards(token, key) : token.verify(verifiers.of(key))) {
                return true;
            }
        }
        return false;
    }

    private static boolean byEdwards(JWSObject token, PublicKey key) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initVerify(key);
        signature.update(token.getSigningInput());
        byte[] given = token.getSignature().decode();
        return given.length == 64 && signature.verify(given);
    }

    private static TokenClaims claims(JWSObject token) throws TokenRefusedException {
        Map<String, Object> members = token.getPayload().toJSONObject();
        if (members == null) {
            throw new TokenRefusedException("it holds no claims");
        }
        return new TokenClaims(members);
    }

    private LoginVerdict accepted(TokenClaims claims) throws TokenRefusedException {
        Instant end = requireTimes(claims);
        if (!profile.issuer().equals(claims.members().get("iss"))) {
            throw new TokenRefusedException("iss is not Issuer of the OAuthProfile");
        }
        if (!profile.audience().isEmpty() && !claims.has("aud", profile.audience())) {
            throw new TokenRefusedException("Audience of the OAuthProfile is not in aud");
        }
        claims.requireScopes(profile);
        return new LoginVerdict.Accepted(claims.identity(profile, askedClaims), end);
    }

    private Instant requireTimes(TokenClaims claims) throws TokenRefusedException {
        Instant now = Instant.ofEpochMilli(clock.wallTimeMs());
        Instant end = claims.time("exp");
        if (end == null) {
            throw new TokenRefusedException("exp is missing");
        }
        if (!now.isBefore(end)) {
            throw new TokenRefusedException("it expired at " + end);
        }
        Instant latest = now.plusSeconds(profile.clockSkew());
        requireBegun("nbf", claims.time("nbf"), latest);
        requireBegun("iat", claims.time("iat"), latest);
        return end;
    }

    private static void requireBegun(String member, @Nullable Instant begin, Instant latest)
            throws TokenRefusedException {
        if (begin != null && begin.isAfter(latest)) {
            throw new TokenRefusedException(member + " is still to come: " + begin);
        }
    }
}
