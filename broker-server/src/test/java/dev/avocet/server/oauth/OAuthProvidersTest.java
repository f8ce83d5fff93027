package dev.avocet.server.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.PlainHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.testkit.ManualClock;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.turn.InTurn;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins with tokens of a server in the process, and what goes wrong with it. */
@InTurn
class OAuthProvidersTest {
    private static final ClientOrigin ORIGIN = new ClientOrigin("test", null, null);
    private static final long MINUTE = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

    @TempDir
    private Path files;

    private OAuthProviders providers;
    private TestTokenServer server;
    private Configuration configuration = Configuration.EMPTY;

    @BeforeEach
    void start() throws Exception {
        server = TestTokenServer.start();
        clock.advance(Duration.ofMillis(System.currentTimeMillis() - clock.wallTimeMs()));
        providers = new OAuthProviders(files, false, clock, timer);
        configure(keySet());
    }

    @AfterEach
    void stop() {
        server.close();
        providers.close();
        timer.shutdownNow();
    }

    @Test
    void shouldTellUserGroupsAndEnd() throws Exception {
        configure(with(keySet(), "GroupInfoKey", "groups"));
        JWTClaimsSet claims = server.claims("anna", MINUTE)
                .claim("groups", List.of("writers", "staff"))
                .build();

        assertThat(login(server.sign(claims))).isEqualTo(accepted("anna", end(claims), "writers", "staff"));
    }

    @Test
    void shouldFindUserAndGroupsUnderOtherNames() throws Exception {
        configure(with(keySet(), "UserInfoKey", "person.name", "GroupInfoKey", "roles", "GroupDelimiter", ";"));
        JWTClaimsSet claims = server.claims("1234", MINUTE)
                .claim("person", Map.of("name", "anna"))
                .claim("roles", "writers;staff")
                .build();

        assertThat(login(server.sign(claims))).isEqualTo(accepted("anna", end(claims), "writers", "staff"));
        assertThat(login(server.sign(server.claims("1234", MINUTE).build()))).isInstanceOf(LoginVerdict.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
    void shouldAcceptEachAlgorithmAndOnlyThoseThatAreNamed(String algorithm) throws Exception {
        // given
        JWSAlgorithm signedBy = JWSAlgorithm.parse(algorithm);
        JWTClaimsSet claims = server.claims("anna", MINUTE).build();
        String token;
        if (algorithm.startsWith("E") && !algorithm.equals("EdDSA")) {
            Curve curve = Curve.forJWSAlgorithm(signedBy).iterator().next();
            ECKey key = new ECKeyGenerator(curve).keyID("k").generate();
            server.show(key.toPublicJWK());
            token = signed(signedBy, "k", claims, new ECDSASigner(key));
        } else if (algorithm.equals("EdDSA")) {
            KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            byte[] encoded = pair.getPublic().getEncoded();
            server.show(new OctetKeyPair.Builder(
                            Curve.Ed25519,
                            Base64URL.encode(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length)))
                    .keyID("k")
                    .build());
            token = signedByEdwards(pair, claims);
        } else {
            RSAKey key = new RSAKeyGenerator(2048).keyID("k").generate();
            server.show(key.toPublicJWK());
            token = signed(signedBy, "k", claims, new RSASSASigner(key));
        }

        // then
        configure(keySet());
        assertThat(login(token)).isInstanceOf(LoginVerdict.Accepted.class);
        String broken = token.substring(0, token.length() - 8) + (token.endsWith("AAAAAAAA") ? "BBBBBBBB" : "AAAAAAAA");
        assertThat(login(broken)).isInstanceOf(LoginVerdict.Refused.class);
        configure(with(keySet(), "Algorithms", algorithm.equals("RS256") ? "RS512" : "RS256"));
        assertThat(login(token))
                .isEqualTo(new LoginVerdict.Refused(
                        "the token: its algorithm is not among Algorithms of the OAuthProfile"));
    }

    @Test
    void shouldRefuseTokensThatAreNotSignedByAKeyOfTheServer() throws Exception {
        // given
        RSAKey rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
        server.show(
                rsa.toPublicJWK(),
                new OctetSequenceKeyGenerator(256).keyID("secret").generate());
        configure(keySet());
        JWTClaimsSet claims = server.claims("anna", MINUTE).build();

        // then: none, the public key as a secret, another key of the same name, a key in the token itself
        assertThat(login(new PlainJWT(new PlainHeader(), claims).serialize())).isInstanceOf(LoginVerdict.Refused.class);
        for (byte[] secret : List.of(
                rsa.toRSAPublicKey().getEncoded(),
                rsa.toPublicJWK().toJSONString().getBytes(UTF_8))) {
            assertThat(login(signed(JWSAlgorithm.HS256, "rsa", claims, new MACSigner(secret))))
                    .isInstanceOf(LoginVerdict.Refused.class);
        }
        RSAKey other = new RSAKeyGenerator(2048).keyID("rsa").generate();
        assertThat(login(signed(JWSAlgorithm.RS256, "rsa", claims, new RSASSASigner(other))))
                .isEqualTo(new LoginVerdict.Refused("the signature of the token is wrong"));
        SignedJWT withKey = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .jwk(other.toPublicJWK())
                        .build(),
                claims);
        withKey.sign(new RSASSASigner(other));
        assertThat(login(withKey.serialize())).isInstanceOf(LoginVerdict.Refused.class);
        assertThat(login(signed(JWSAlgorithm.RS256, "rsa", claims, new RSASSASigner(rsa))))
                .as("and a good one is good")
                .isInstanceOf(LoginVerdict.Accepted.class);
    }

    @Test
    void shouldRefuseKeysThatAreWeakOrForAnotherUse() throws Exception {
        JWTClaimsSet claims = server.claims("anna", MINUTE).build();
        RSAKey weak = new RSAKeyGenerator(1024, true).keyID("weak").generate();
        RSAKey encrypts =
                new RSAKeyGenerator(2048).keyID("enc").keyUse(KeyUse.ENCRYPTION).generate();
        RSAKey only = new RSAKeyGenerator(2048)
                .keyID("only")
                .algorithm(JWSAlgorithm.RS512)
                .generate();
        server.show(weak.toPublicJWK(), encrypts.toPublicJWK(), only.toPublicJWK());
        configure(keySet());

        for (RSAKey key : List.of(weak, encrypts, only)) {
            JWSSigner signer = new RSASSASigner(key.toPrivateKey(), Set.of(AllowWeakRSAKey.getInstance()));
            assertThat(login(signed(JWSAlgorithm.RS256, key.getKeyID(), claims, signer)))
                    .isInstanceOf(LoginVerdict.Refused.class);
        }
        assertThat(login(signed(JWSAlgorithm.RS512, "only", claims, new RSASSASigner(only))))
                .isInstanceOf(LoginVerdict.Accepted.class);
    }

    @Test
    void shouldRefuseExtensions() throws Exception {
        ECKey key = TestTokenServer.newKey("k");
        server.show(key.toPublicJWK());
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .keyID("k")
                        .type(JOSEObjectType.JWT)
                        .criticalParams(Set.of("x"))
                        .customParam("x", 1)
                        .build(),
                server.claims("anna", MINUTE).build());
        token.sign(new ECDSASigner(key));

        assertThat(login(token.serialize()))
                .isEqualTo(new LoginVerdict.Refused("the token: it has extensions, which are not known here"));
    }

    @Test
    void shouldHoldTokensToIssuerAudienceTimesAndScopes() throws Exception {
        configure(with(keySet(), "RequiredScopes", "publish subscribe"));
        Date now = Date.from(now());

        assertThat(refusal(good().issuer("https://other.example.com"))).contains("iss");
        assertThat(refusal(good().issuer(null))).contains("iss");
        assertThat(refusal(good().audience("another"))).contains("aud");
        assertThat(refusal(good().audience((String) null))).contains("aud");
        assertThat(refusal(good().expirationTime(null))).contains("exp is missing");
        assertThat(refusal(good().expirationTime(now))).contains("expired");
        assertThat(refusal(good().claim("exp", "tomorrow"))).contains("not a time");
        assertThat(refusal(good().notBeforeTime(Date.from(now.toInstant().plusSeconds(35)))))
                .contains("nbf is still to come");
        assertThat(refusal(good().issueTime(Date.from(now.toInstant().plusSeconds(35)))))
                .contains("iat is still to come");
        assertThat(refusal(good().claim("scope", "publish"))).contains("the scope 'subscribe' is missing");
        assertThat(refusal(good().claim("scope", null))).contains("scope");
        assertThat(refusal(good().subject(" "))).contains("no user name");
        assertThat(refusal(good().subject("a\u0000b"))).contains("no user name");
        assertThat(refusal(good().subject("x".repeat(257)))).contains("no user name");

        assertThat(login(server.sign(
                        good().notBeforeTime(Date.from(now.toInstant().plusSeconds(25)))
                                .build())))
                .as("within ClockSkew")
                .isInstanceOf(LoginVerdict.Accepted.class);
        assertThat(login(server.sign(good().claim("scope", null)
                        .claim("scp", List.of("subscribe", "publish"))
                        .audience(List.of("another", TestTokenServer.AUDIENCE))
                        .build())))
                .isInstanceOf(LoginVerdict.Accepted.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x", "a.b.c", "eyJ.eyJ.x", "ey..", "..", "a\nb.c.d", "\u00e4.b.c"})
    void shouldRefuseWhatIsNoToken(String text) throws Exception {
        assertThat(login(text)).isInstanceOf(LoginVerdict.Refused.class);
    }

    @Test
    void shouldRefuseATokenThatIsTooLong() throws Exception {
        String token = server.sign(
                good().claim("x", "x".repeat(TokenServer.MAX_TOKEN_CHARS)).build());

        assertThat(login(token)).isEqualTo(new LoginVerdict.Refused("the token is empty or too long"));
    }

    @Test
    void shouldFollowTheServerToItsNextKey() throws Exception {
        // given
        String before = server.token("anna", 600);
        assertThat(login(before)).isInstanceOf(LoginVerdict.Accepted.class);

        // when
        server.rotate("second");
        clock.advance(Duration.ofSeconds(31));

        // then
        assertThat(login(server.token("anna", 600))).isInstanceOf(LoginVerdict.Accepted.class);
        assertThat(login(before)).as("its key is gone, and so is the memory").isInstanceOf(LoginVerdict.Refused.class);
        assertThat(server.keyRequests()).isEqualTo(2);
    }

    @Test
    void shouldNoticeThatAKeyIsGone() throws Exception {
        // given
        String token = server.token("anna", 6_000);
        login(token);

        // when
        server.rotate("second");
        clock.advance(Duration.ofMinutes(6));

        // then: the memory is asked first, and a login that is not in it has the keys fetched
        login(server.token("bert", 6_000));
        await().untilAsserted(() -> assertThat(login(token)).isInstanceOf(LoginVerdict.Refused.class));
    }

    @Test
    void shouldFetchKeysAgainOnlyWhenTheyAreOld() throws Exception {
        // given
        login(server.token("anna", 6_000));

        // when
        clock.advance(Duration.ofMinutes(4));
        login(server.token("bert", 6_000));

        // then
        await().during(Duration.ofMillis(300)).until(() -> server.keyRequests() == 1);
        clock.advance(Duration.ofMinutes(1));
        login(server.token("carl", 6_000));
        await().until(() -> server.keyRequests() == 2);
    }

    @Test
    void shouldFetchOnceWhateverAFloodOfTokensNames() throws Exception {
        // given
        String good = server.token("anna", 600);
        assertThat(login(good)).isInstanceOf(LoginVerdict.Accepted.class);
        ECKey key = TestTokenServer.newKey("x");
        clock.advance(Duration.ofSeconds(31));

        // when
        List<CompletableFuture<LoginVerdict>> answers = new ArrayList<>();
        JWTClaimsSet claims = good().build();
        String signed = TestTokenServer.sign(claims, key);
        String rest = signed.substring(signed.indexOf('.'));
        for (int i = 0; i < 10_000; i++) {
            String header = "{\"alg\":\"ES256\",\"kid\":\"" + i + "\"}";
            answers.add(ask(new Credentials.Token(Base64URL.encode(header) + rest)));
        }
        for (CompletableFuture<LoginVerdict> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isNotInstanceOf(LoginVerdict.Accepted.class);
        }

        // then
        assertThat(server.keyRequests()).isEqualTo(2);
        assertThat(login(server.token("bert", 600))).isInstanceOf(LoginVerdict.Accepted.class);
    }

    @Test
    void shouldKnowTokensWhoseKeysItHasWhileTheServerIsSilent() throws Exception {
        // given
        assertThat(login(server.token("anna", 600))).isInstanceOf(LoginVerdict.Accepted.class);
        server.silent(true);
        clock.advance(Duration.ofSeconds(31));

        // when
        String unknown = TestTokenServer.sign(good().build(), TestTokenServer.newKey("other"));
        List<CompletableFuture<LoginVerdict>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(ask(new Credentials.Token(unknown)));
        }

        // then
        assertThat(login(server.token("bert", 600))).isInstanceOf(LoginVerdict.Accepted.class);
        for (CompletableFuture<LoginVerdict> each : waiting) {
            assertThat(each.get(30, TimeUnit.SECONDS)).isNotInstanceOf(LoginVerdict.Accepted.class);
        }
    }

    @Test
    void shouldComeBackByItselfWhenTheServerOfItsKeysWasRestartedWhileItWasAsked() throws Exception {
        // given a question for keys that is on its way
        assertThat(login(server.token("anna", 600))).isInstanceOf(LoginVerdict.Accepted.class);
        server.rotate("second");
        String token = server.token("bert", 600);
        server.silent(true);
        clock.advance(Duration.ofSeconds(31));
        CompletableFuture<LoginVerdict> asked = ask(new Credentials.Token(token));
        await().atMost(PATIENCE).until(() -> server.keyRequests() == 2);

        // when
        server.stop();

        // then
        assertThat(asked.get(30, TimeUnit.SECONDS)).isNotInstanceOf(LoginVerdict.Accepted.class);

        // when
        server.silent(false);
        server.restart();
        clock.advance(Duration.ofSeconds(31));

        // then
        assertThat(login(token)).isInstanceOf(LoginVerdict.Accepted.class);
    }

    @Test
    void shouldComeBackByItselfWhenTheServerWasRestartedWhileItIntrospected() throws Exception {
        // given a question about a token that is on its way
        server.know("opaque-1", "{\"active\": true, \"sub\": \"anna\"}");
        configure(Map.of("TokenCheck", "Introspection", "ResourceURL", server.url("/introspect"), "Timeout", 60));
        server.silent(true);
        CompletableFuture<LoginVerdict> asked = ask(new Credentials.Token("opaque-1"));
        await().atMost(PATIENCE).until(() -> server.asked().size() == 1);

        // when
        server.stop();

        // then
        assertThat(asked.get(30, TimeUnit.SECONDS)).isInstanceOf(LoginVerdict.Unavailable.class);

        // when
        server.silent(false);
        server.restart();

        // then
        assertThat(login("opaque-1")).isInstanceOf(LoginVerdict.Accepted.class);
    }

    @Test
    void shouldFailClosedWhileThereAreNoKeysAndComeBack() throws Exception {
        server.fail(500);
        configure(with(keySet(), "ClockSkew", 31));
        String token = server.token("anna", 600);
        assertThat(unavailable(token)).contains("the server answers 500");

        server.fail(302);
        clock.advance(Duration.ofSeconds(31));
        assertThat(unavailable(token)).contains("302");

        server.fail(200);
        server.answer("garbage".getBytes(UTF_8));
        clock.advance(Duration.ofSeconds(31));
        assertThat(login(token)).isInstanceOf(LoginVerdict.Unavailable.class);

        server.answer(("{\"keys\": [], \"x\": \"" + "x".repeat(10 << 20) + "\"}").getBytes(UTF_8));
        clock.advance(Duration.ofSeconds(31));
        assertThat(unavailable(token)).contains("larger than 1 MiB");

        server.answer(null);
        clock.advance(Duration.ofSeconds(31));
        assertThat(login(token)).isInstanceOf(LoginVerdict.Accepted.class);
    }

    @Test
    void shouldKeepTheKeysForADayWhileTheServerIsAway() throws Exception {
        assertThat(login(server.token("anna", 600))).isInstanceOf(LoginVerdict.Accepted.class);
        server.fail(503);
        clock.advance(Duration.ofHours(23));
        assertThat(login(server.sign(
                        good().expirationTime(Date.from(now().plusSeconds(60))).build())))
                .isInstanceOf(LoginVerdict.Accepted.class);

        clock.advance(Duration.ofHours(2));
        assertThat(login(server.sign(
                        good().expirationTime(Date.from(now().plusSeconds(60))).build())))
                .isInstanceOf(LoginVerdict.Unavailable.class);
    }

    @Test
    void shouldReadKeysFromAFile() throws Exception {
        ECKey key = TestTokenServer.newKey("file");
        Files.writeString(
                files.resolve("keys.json"), "{\"keys\": [" + key.toPublicJWK().toJSONString() + "]}");
        configure(with(keySet(), "KeySetSource", "keys.json"));

        assertThat(login(TestTokenServer.sign(good().build(), key))).isInstanceOf(LoginVerdict.Accepted.class);

        configure(with(keySet(), "KeySetSource", "none.json"));
        assertThat(unavailable(TestTokenServer.sign(good().build(), key))).contains("there is no such file");
    }

    @Test
    void shouldCheckTheServerByItsCertificate() throws Exception {
        TestAuthority authority = new TestAuthority("Provider CA");
        TestAuthority other = new TestAuthority("Other CA");
        authority.writeTo(files.resolve("ca.pem"));
        other.writeTo(files.resolve("other.pem"));
        try (TestTokenServer encrypted =
                TestTokenServer.startEncrypted(authority.clientContext(authority.issue("127.0.0.1"), "TLSv1.3"))) {
            String token = encrypted.token("anna", 600);
            Map<String, @Nullable Object> profile =
                    with(keySet(), "KeySetSource", encrypted.url("/keys"), "Issuer", encrypted.issuer());

            configure(with(profile, "CheckServerCert", "TrustStore", "KeyFileName", "ca.pem"));
            assertThat(login(token)).isInstanceOf(LoginVerdict.Accepted.class);
            configure(with(profile, "CheckServerCert", "TrustStore", "KeyFileName", "other.pem"));
            assertThat(login(token)).isInstanceOf(LoginVerdict.Unavailable.class);
            configure(with(profile, "CheckServerCert", "PublicTrust"));
            assertThat(login(token)).isInstanceOf(LoginVerdict.Unavailable.class);
            configure(with(profile, "CheckServerCert", "DisableVerify"));
            assertThat(login(token)).isInstanceOf(LoginVerdict.Accepted.class);
            configure(with(profile, "CheckServerCert", "TrustStore", "KeyFileName", "gone.pem"));
            assertThat(unavailable(token)).contains("'gone.pem' cannot be read");
        }
    }

    @Test
    void shouldAnswerFromMemoryUntilTheTokenIsOver() throws Exception {
        String token = server.token("anna", 60);
        login(token);
        server.close();

        assertThat(login(token)).isInstanceOf(LoginVerdict.Accepted.class);
        clock.advance(Duration.ofSeconds(61));
        assertThat(login(token)).isInstanceOf(LoginVerdict.Refused.class);
    }

    @Test
    void shouldTellTokensFromPasswords() throws Exception {
        String token = server.token("anna", 60);
        assertThat(isToken("IMA_OAUTH_ACCESS_TOKEN", token)).isTrue();
        assertThat(isToken("anna", token)).isFalse();
        assertThat(isToken(null, token)).isTrue();
        assertThat(isToken("anna", null)).isFalse();

        configure(with(keySet(), "TokenUserName", "*"));
        assertThat(isToken("anna", token)).isTrue();
        assertThat(isToken("anna", "pencil")).isFalse();
        assertThat(isToken("anna", "a.b.c")).isFalse();
        assertThat(isToken("anna", "ey.b.c d")).isFalse();

        configure(Map.of("ResourceURL", server.url("/resource"), "TokenUserName", "*"));
        assertThat(isToken("anna", "pencil")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"URLParam", "HTTPHeader", "HTTPPost"})
    void shouldAskTheResourceAboutOpaqueTokens(String method) throws Exception {
        // given
        server.know("opaque-1", "{\"name\": \"anna\", \"teams\": \"writers,staff\"}");
        configure(Map.of(
                "ResourceURL",
                server.url("/resource?x=1"),
                "TokenSendMethod",
                method,
                "UserInfoKey",
                "name",
                "GroupInfoKey",
                "teams"));

        // then
        assertThat(login("opaque-1")).isEqualTo(accepted("anna", null, "writers", "staff"));
        assertThat(login("opaque-2")).isEqualTo(new LoginVerdict.Refused("the token: the OAuth server answers 401"));
        String request = server.asked().get(0);
        assertThat(request)
                .isEqualTo(
                        switch (method) {
                            case "URLParam" -> "GET /resource?x=1&access_token=opaque-1 null ";
                            case "HTTPHeader" -> "GET /resource?x=1 Bearer opaque-1 ";
                            default -> "POST /resource?x=1 null access_token=opaque-1";
                        });

        // when it is remembered, for CacheTimeout
        int before = server.asked().size();
        server.forget("opaque-1");
        assertThat(login("opaque-1")).isInstanceOf(LoginVerdict.Accepted.class);
        assertThat(server.asked()).hasSize(before);
        clock.advance(Duration.ofSeconds(61));
        assertThat(login("opaque-1")).isInstanceOf(LoginVerdict.Refused.class);
    }

    @Test
    void shouldAskWhoTheUserIsWhereTheResourceDoesNotSay() throws Exception {
        server.know("opaque-1", "{\"sub\": \"anna\", \"expires_in\": 100}");
        configure(Map.of(
                "ResourceURL",
                server.url("/resource"),
                "UserInfoURL",
                server.url("/user"),
                "AuthKey",
                "token",
                "UserName",
                "broker",
                "UserPassword",
                "secret"));

        assertThat(login("opaque-1"))
                .isEqualTo(accepted(
                        "anna", Instant.ofEpochMilli(clock.wallTimeMs()).plusSeconds(100)));
        assertThat(server.asked())
                .containsExactly(
                        "GET /resource?token=opaque-1 Basic YnJva2VyOnNlY3JldA== ",
                        "GET /user?token=opaque-1 Basic YnJva2VyOnNlY3JldA== ");
    }

    @Test
    void shouldIntrospectTokens() throws Exception {
        // given
        long end = clock.wallTimeMs() / 1_000 + 600;
        server.know(
                "opaque-1",
                "{\"active\": true, \"sub\": \"anna\", \"scope\": \"publish\", \"aud\": \"broker\", \"exp\": " + end
                        + "}");
        server.know("stale", "{\"active\": true, \"sub\": \"anna\", \"aud\": \"broker\", \"exp\": 1}");
        server.know("others", "{\"active\": true, \"sub\": \"anna\", \"aud\": \"other\"}");
        server.know("odd", "{\"active\": \"true\", \"sub\": \"anna\", \"aud\": \"broker\"}");
        Map<String, @Nullable Object> profile = new LinkedHashMap<>(Map.of(
                "TokenCheck",
                "Introspection",
                "ResourceURL",
                server.url("/introspect"),
                "Audience",
                "broker",
                "UserName",
                "broker",
                "UserPassword",
                "secret"));
        configure(profile);

        // then
        assertThat(login("opaque-1")).isEqualTo(accepted("anna", Instant.ofEpochSecond(end)));
        assertThat(server.asked())
                .containsExactly(
                        "POST /introspect Basic YnJva2VyOnNlY3JldA== token=opaque-1&token_type_hint=access_token");
        for (String bad : List.of("stale", "others", "odd", "opaque-2")) {
            assertThat(login(bad)).as(bad).isInstanceOf(LoginVerdict.Refused.class);
        }

        // when
        configure(with(profile, "RequiredScopes", "publish subscribe"));
        assertThat(login("opaque-1")).isInstanceOf(LoginVerdict.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Resource", "Introspection"})
    void shouldFailClosedWhileTheServerCannotSay(String check) throws Exception {
        server.know("opaque-1", "{\"active\": true, \"sub\": \"anna\"}");
        Map<String, @Nullable Object> profile = new LinkedHashMap<>(Map.of(
                "TokenCheck", check, "ResourceURL", server.url("/introspect"), "CacheTimeout", 0, "Timeout", 20));
        configure(profile);
        assertThat(login("opaque-1")).isInstanceOf(LoginVerdict.Accepted.class);

        server.fail(500);
        assertThat(unavailable("opaque-1")).contains("answers 500");
        server.fail(200);
        server.answer("<html>".getBytes(UTF_8));
        assertThat(unavailable("opaque-1")).contains("not a JSON object");
        server.answer(("{\"active\": true, \"sub\": \"" + "x".repeat(10 << 20) + "\"}").getBytes(UTF_8));
        assertThat(unavailable("opaque-1")).contains("larger than 1 MiB");
        server.answer(null);
        assertThat(login("opaque-1")).as("once it can say again").isInstanceOf(LoginVerdict.Accepted.class);
        server.silent(true);
        configure(with(profile, "Timeout", 1));
        assertThat(unavailable("opaque-1")).contains("in");
        server.close();
        assertThat(unavailable("opaque-1")).isNotEmpty();
    }

    @Test
    void shouldAskNoMoreAtATimeThanMaxConnectionsAndRefuseWhatItsQueueCannotHold() throws Exception {
        configure(Map.of("ResourceURL", server.url("/resource"), "MaxConnections", 3, "Timeout", 2));
        server.silent(true);

        List<CompletableFuture<LoginVerdict>> answers = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            answers.add(ask(new Credentials.Token("opaque-" + i)));
        }
        long busy = 0;
        for (CompletableFuture<LoginVerdict> each : answers) {
            LoginVerdict verdict = each.get(30, TimeUnit.SECONDS);
            assertThat(verdict).isInstanceOf(LoginVerdict.Unavailable.class);
            busy += ((LoginVerdict.Unavailable) verdict).overloaded() ? 1 : 0;
        }
        assertThat(busy).isGreaterThanOrEqualTo(2_000 - 1_024 - 2 * 3);
    }

    @Test
    void shouldAskForATokenBeforeTheFloodOfAnotherAddressThatCameFirst() throws Exception {
        // given
        configure(Map.of("ResourceURL", server.url("/resource"), "MaxConnections", 1, "Timeout", 30));
        server.workMs(5);
        AtomicInteger answered = new AtomicInteger();
        List<CompletableFuture<Void>> flood = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            flood.add(ask(new Credentials.Token("opaque-" + i), from("2001:db8:0:1::" + i))
                    .thenRun(answered::incrementAndGet));
        }

        // when
        int before = ask(new Credentials.Token("another"), from("2001:db8:0:2::1"))
                .thenApply(verdict -> answered.get())
                .get(30, TimeUnit.SECONDS);

        // then
        assertThat(before).isLessThan(100);
        CompletableFuture.allOf(flood.toArray(CompletableFuture<?>[]::new)).get(30, TimeUnit.SECONDS);
    }

    @Test
    void shouldSayNothingOfATokenInItsText() throws Exception {
        assertThat(new Credentials.Token("secret")).hasToString("Token[]");
    }

    private JWTClaimsSet.Builder good() {
        return server.claims("anna", 600)
                .issueTime(Date.from(now()))
                .expirationTime(Date.from(now().plusSeconds(600)))
                .claim("scope", "publish subscribe");
    }

    private static Instant end(JWTClaimsSet claims) {
        return claims.getExpirationTime().toInstant().truncatedTo(ChronoUnit.SECONDS);
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.wallTimeMs());
    }

    private String refusal(JWTClaimsSet.Builder claims) throws Exception {
        return ((LoginVerdict.Refused) login(server.sign(claims.build()))).why();
    }

    private String unavailable(String token) throws Exception {
        return ((LoginVerdict.Unavailable) login(token)).why();
    }

    private static String signed(JWSAlgorithm algorithm, String id, JWTClaimsSet claims, JWSSigner signer)
            throws Exception {
        SignedJWT token =
                new SignedJWT(new JWSHeader.Builder(algorithm).keyID(id).build(), claims);
        token.sign(signer);
        return token.serialize();
    }

    private static String signedByEdwards(KeyPair pair, JWTClaimsSet claims) throws Exception {
        String input = Base64URL.encode("{\"alg\":\"EdDSA\",\"kid\":\"k\"}") + "."
                + Base64URL.encode(claims.toPayload().toString());
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(pair.getPrivate());
        signature.update(input.getBytes(UTF_8));
        return input + "." + Base64URL.encode(signature.sign());
    }

    private Map<String, @Nullable Object> keySet() {
        return Map.of(
                "TokenCheck",
                "KeySet",
                "KeySetSource",
                server.url("/keys"),
                "Issuer",
                server.issuer(),
                "Audience",
                TestTokenServer.AUDIENCE);
    }

    private static Map<String, @Nullable Object> with(Map<String, @Nullable Object> profile, Object... more) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(profile);
        for (int i = 0; i < more.length; i += 2) {
            all.put((String) more[i], more[i + 1]);
        }
        return all;
    }

    private void configure(Map<String, @Nullable Object> profile) throws Exception {
        Configuration without = Configuration.EMPTY;
        providers.configurationChanged(configuration, without);
        configuration = without.changed(
                List.of(ConfigurationChange.put(
                        ObjectTypes.of(OAuthProfile.class).keyOf("p"), profile)),
                LiveUse.NONE,
                password -> password);
        providers.configurationChanged(without, configuration);
    }

    private LoginVerdict login(String token) throws Exception {
        return ask(new Credentials.Token(token)).get(30, TimeUnit.SECONDS);
    }

    private boolean isToken(@Nullable String userName, @Nullable String password) {
        LoginRequest request =
                new LoginRequest("c", userName, password == null ? null : password.getBytes(UTF_8), ORIGIN);
        return providers.tokenOf("p", request) != null;
    }

    private CompletableFuture<LoginVerdict> ask(Credentials credentials) {
        return ask(credentials, ORIGIN);
    }

    private CompletableFuture<LoginVerdict> ask(Credentials credentials, ClientOrigin origin) {
        CompletableFuture<LoginVerdict> answer = new CompletableFuture<>();
        providers.provider("p").check(new LoginQuestion(credentials, origin, true), answer::complete);
        return answer;
    }

    private static ClientOrigin from(String address) throws UnknownHostException {
        return new ClientOrigin("test", InetAddress.getByName(address), null);
    }

    private static LoginVerdict accepted(String name, @Nullable Instant until, String... groups) {
        return new LoginVerdict.Accepted(new ClientIdentity(name, Set.of(groups), null), until);
    }
}
