package dev.avocet.server.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.login.SourceNetwork;
import dev.avocet.core.time.SystemClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a login with a signed token costs the broker: the first one with it, and each one after. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TokenCheckBenchmark {
    private static final String ISSUER = "https://login.example.com";
    private static final String AUDIENCE = "broker";

    @Param({"ES256", "RS256"})
    private String algorithm = "";

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private String token = "";
    private PublicKeys keys = PublicKeys.NONE;
    private @Nullable Path files;
    private @Nullable SignedTokens signed;
    private @Nullable TokenServer server;
    private @Nullable LoginVerdict answered;

    /** Makes a key and a token, and has the server remember the token. */
    @Setup
    public void prepare() throws Exception {
        JWK key = key();
        token = sign(key);
        keys = PublicKeys.parse(new JWKSet(key.toPublicJWK()).toString().getBytes(UTF_8));
        files = Files.createTempDirectory("avocet-tokens");
        Files.writeString(files.resolve("keys.json"), new JWKSet(key.toPublicJWK()).toString());
        OAuthProfile profile = profile();
        signed = new SignedTokens(profile, Set.of(), KeyVerifiers.of(false), new SystemClock());
        server = TokenServer.open(
                profile, Set.of(), files, new OAuthFigures(), KeyVerifiers.of(false), new SystemClock(), timer);
        while (!(remembered() instanceof LoginVerdict.Accepted)) {
            Thread.onSpinWait(); // until the keys have been read
        }
    }

    /** Ends the threads. */
    @TearDown
    public void end() throws Exception {
        server.close();
        timer.shutdownNow();
        Files.delete(files.resolve("keys.json"));
        Files.delete(files);
    }

    /** A token that has not been seen, on one thread: its signature and its claims. */
    @Benchmark
    public LoginVerdict first() {
        return signed.check(token, keys);
    }

    /** A token that has been accepted before. */
    @Benchmark
    public @Nullable LoginVerdict remembered() {
        server.check(token, SourceNetwork.UNKNOWN, verdict -> answered = verdict);
        return answered;
    }

    private JWK key() throws JOSEException {
        return algorithm.startsWith("E")
                ? new ECKeyGenerator(Curve.P_256).keyID("key").generate()
                : new RSAKeyGenerator(2_048).keyID("key").generate();
    }

    private String sign(JWK key) throws JOSEException {
        Instant now = Instant.now();
        SignedJWT made = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.parse(algorithm))
                        .keyID("key")
                        .build(),
                new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .audience(AUDIENCE)
                        .subject("anna")
                        .claim("groups", List.of("writers", "staff"))
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plusSeconds(3_600)))
                        .build());
        JWSSigner signer = key instanceof ECKey curve ? new ECDSASigner(curve) : new RSASSASigner((RSAKey) key);
        made.sign(signer);
        return made.serialize();
    }

    private static OAuthProfile profile() throws Exception {
        Configuration configuration = Configuration.EMPTY.changed(
                List.of(ConfigurationChange.put(
                        ObjectTypes.of(OAuthProfile.class).keyOf("p"),
                        Map.of(
                                "TokenCheck", "KeySet",
                                "KeySetSource", "keys.json",
                                "Issuer", ISSUER,
                                "Audience", AUDIENCE,
                                "GroupInfoKey", "groups"))),
                LiveUse.NONE,
                password -> password);
        return configuration.all(OAuthProfile.class).iterator().next();
    }
}
